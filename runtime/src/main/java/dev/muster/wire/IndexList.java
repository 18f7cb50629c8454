package dev.muster.wire;

import java.util.Arrays;

/** Places in a list, as they come: packed together or one by one. */
final class IndexList {
    private int[] places = new int[4];
    private int size;

    int size() {
        return size;
    }

    int get(int index) {
        return places[index];
    }

    void add(int place) {
        if (size == places.length) {
            places = Arrays.copyOf(places, size * 2);
        }
        places[size++] = place;
    }

    void read(ProtoReader in, String name, int most) {
        if (in.wireType() != ProtoReader.BYTES) {
            addAtMost(in.between(name, 0, Integer.MAX_VALUE), name, most);
            return;
        }
        int outer = in.enter(name);
        while (in.hasMore()) {
            addAtMost(in.packed(name), name, most);
        }
        in.leave(outer);
    }

    private void addAtMost(int place, String name, int most) {
        Limits.requireAtMost(name, size + 1, most);
        add(place);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexList that && Arrays.equals(places, 0, size, that.places, 0, that.size);
    }

    @Override
    public int hashCode() {
        int hash = size;
        for (int i = 0; i < size; i++) {
            hash = hash * 31 + places[i];
        }
        return hash;
    }
}
