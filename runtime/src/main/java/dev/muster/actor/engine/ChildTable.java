package dev.muster.actor.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The children of one actor, by name.
 *
 * <p>An open table of refs and nothing else, because a parent may have a million children: eight bytes or so for each.
 * Changed by the parent's turn (and, for the top of the tree, by any thread), read by lookups on other threads, so
 * every method holds the table's monitor; nothing is called while it is held.
 */
final class ChildTable {

    private LocalActorRef<?>[] slots = new LocalActorRef<?>[4];
    private int size;
    private boolean closed;

    /** Returns false if the name is taken. A table that was closed takes nobody. */
    synchronized boolean add(LocalActorRef<?> child) {
        if (closed) {
            throw new IllegalStateException("no actor can be started any more, because its parent is stopping");
        }
        if (child.givenName() != null && find(hash(child.givenName()), child.givenName(), -1) != null) {
            return false;
        }
        if ((size + 1) * 4 > slots.length * 3) {
            grow();
        }
        insert(child);
        size++;
        return true;
    }

    /** Refuses new children from now on, and returns those that are there. */
    synchronized List<LocalActorRef<?>> close() {
        closed = true;
        return all();
    }

    synchronized void reopen() {
        closed = false;
    }

    synchronized LocalActorRef<?> get(String name) {
        long id = Names.idOf(name);
        return id >= 0 ? find(hash(id), null, id) : find(hash(name), name, -1);
    }

    synchronized boolean remove(LocalActorRef<?> child) {
        int mask = slots.length - 1;
        int at = hash(child) & mask;
        while (slots[at] != child) {
            if (slots[at] == null) {
                return false;
            }
            at = (at + 1) & mask;
        }
        closeGap(at, mask);
        size--;
        return true;
    }

    /** Oldest first. */
    synchronized List<LocalActorRef<?>> all() {
        List<LocalActorRef<?>> children = new ArrayList<>(size);
        for (LocalActorRef<?> child : slots) {
            if (child != null) {
                children.add(child);
            }
        }
        children.sort(Comparator.comparingLong(LocalActorRef::id));
        return children;
    }

    synchronized boolean isEmpty() {
        return size == 0;
    }

    private LocalActorRef<?> find(int hash, String name, long id) {
        int mask = slots.length - 1;
        for (int at = hash & mask; slots[at] != null; at = (at + 1) & mask) {
            LocalActorRef<?> child = slots[at];
            boolean isIt =
                    name == null ? child.givenName() == null && child.id() == id : name.equals(child.givenName());
            if (isIt) {
                return child;
            }
        }
        return null;
    }

    private void insert(LocalActorRef<?> child) {
        int mask = slots.length - 1;
        int at = hash(child) & mask;
        while (slots[at] != null) {
            at = (at + 1) & mask;
        }
        slots[at] = child;
    }

    private void grow() {
        LocalActorRef<?>[] old = slots;
        slots = new LocalActorRef<?>[old.length * 2];
        for (LocalActorRef<?> child : old) {
            if (child != null) {
                insert(child);
            }
        }
    }

    /** Moves up those behind the gap that would no longer be found across it. */
    private void closeGap(int gap, int mask) {
        int at = gap;
        while (true) {
            at = (at + 1) & mask;
            LocalActorRef<?> child = slots[at];
            if (child == null) {
                break;
            }
            int home = hash(child) & mask;
            boolean staysReachable = gap <= at ? gap < home && home <= at : gap < home || home <= at;
            if (!staysReachable) {
                slots[gap] = child;
                gap = at;
            }
        }
        slots[gap] = null;
    }

    private static int hash(LocalActorRef<?> child) {
        return child.givenName() == null ? hash(child.id()) : hash(child.givenName());
    }

    private static int hash(String name) {
        int h = name.hashCode();
        return h ^ (h >>> 16);
    }

    private static int hash(long id) {
        long h = id * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 32);
    }
}
