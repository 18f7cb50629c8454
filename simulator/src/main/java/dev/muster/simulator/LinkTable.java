package dev.muster.simulator;

import java.util.Arrays;
import java.util.function.Consumer;

/** The links that leave one place, by the index of the other end. Open addressing: most places talk to few others. */
final class LinkTable {
    private Link[] table = new Link[8];
    private int size;

    Link find(int to) {
        int at = slotOf(to, table);
        return table[at];
    }

    void add(Link link) {
        if (size * 2 >= table.length) {
            grow();
        }
        table[slotOf(link.to.index, table)] = link;
        size++;
    }

    /** In no particular order, but in the same order in every run. */
    void forEach(Consumer<Link> action) {
        for (Link link : table) {
            if (link != null) {
                action.accept(link);
            }
        }
    }

    private void grow() {
        Link[] larger = new Link[table.length * 2];
        for (Link link : table) {
            if (link != null) {
                larger[slotOf(link.to.index, larger)] = link;
            }
        }
        table = larger;
    }

    private static int slotOf(int to, Link[] table) {
        int mask = table.length - 1;
        int at = to * 0x9e3779b9 >>> 7 & mask;
        while (table[at] != null && table[at].to.index != to) {
            at = at + 1 & mask;
        }
        return at;
    }

    @Override
    public String toString() {
        return Arrays.toString(table);
    }
}
