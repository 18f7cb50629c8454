package dev.muster.core.membership;

import dev.muster.core.state.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The fewest members that explain all quarrels: a minimum vertex cover of the graph of who accuses whom.
 *
 * <p>One sick member accuses its neighbours and is accused by its watchers. Removing everybody involved would cost up
 * to twenty healthy members; but every false accusation touches a sick one, so k sick members never cost more than k.
 *
 * <p>Of several smallest covers it takes the one that keeps the member most worth keeping, then the next, and so on.
 * Quarrels that have nothing to do with each other are solved apart; where more than {@value #EXACT_UP_TO} members
 * quarrel in one tangle, it removes whoever quarrels most, which is exact for few sick members among many.
 */
final class VertexCover {
    static final int EXACT_UP_TO = 20;

    private final List<NodeId> vertices; // most worth keeping first
    private final List<BitSet> neighbours;

    private VertexCover(List<NodeId> vertices, List<BitSet> neighbours) {
        this.vertices = vertices;
        this.neighbours = neighbours;
    }

    /**
     * A cover of the graph.
     *
     * @param quarrels for each member the ones it quarrels with; both directions
     * @param keepFirst orders members by how much they are worth keeping, the most worthy first
     */
    static SortedSet<NodeId> of(SortedMap<NodeId, SortedSet<NodeId>> quarrels, Comparator<NodeId> keepFirst) {
        List<NodeId> vertices = new ArrayList<>(quarrels.keySet());
        vertices.sort(keepFirst);
        List<BitSet> neighbours = new ArrayList<>(vertices.size());
        for (NodeId vertex : vertices) {
            BitSet bits = new BitSet(vertices.size());
            quarrels.get(vertex).forEach(other -> bits.set(vertices.indexOf(other)));
            neighbours.add(bits);
        }
        return new VertexCover(vertices, neighbours).solve();
    }

    private SortedSet<NodeId> solve() {
        SortedSet<NodeId> cover = new TreeSet<>();
        BitSet left = new BitSet();
        left.set(0, vertices.size());
        while (!left.isEmpty()) {
            BitSet tangle = tangleOf(left.nextSetBit(0));
            left.andNot(tangle);
            BitSet solved = tangle.cardinality() <= EXACT_UP_TO ? exact(tangle) : greedy(tangle);
            solved.stream().forEach(v -> cover.add(vertices.get(v)));
        }
        return cover;
    }

    /** Everybody who is connected with this one by quarrels. */
    private BitSet tangleOf(int start) {
        BitSet found = new BitSet();
        Deque<Integer> open = new ArrayDeque<>();
        open.add(start);
        while (!open.isEmpty()) {
            int vertex = open.remove();
            if (!found.get(vertex)) {
                found.set(vertex);
                neighbours.get(vertex).stream().forEach(open::add);
            }
        }
        return found;
    }

    /** Goes from the most worthy to the least, and keeps each one that some smallest cover leaves out. */
    private BitSet exact(BitSet tangle) {
        int budget = smallest(tangle);
        BitSet cover = new BitSet();
        BitSet left = (BitSet) tangle.clone();
        for (int v = left.nextSetBit(0); v >= 0; v = left.nextSetBit(v + 1)) {
            BitSet others = quarrelling(v, left);
            left.clear(v);
            BitSet withoutOthers = minus(left, others);
            if (cover.cardinality() + others.cardinality() + smallest(withoutOthers) <= budget) {
                cover.or(others);
                left = withoutOthers;
            } else {
                cover.set(v);
            }
        }
        return cover;
    }

    /** The size of a smallest cover among these: either the busiest is in it, or all whom it quarrels with are. */
    private int smallest(BitSet left) {
        int busiest = busiest(left);
        if (busiest < 0) {
            return 0;
        }
        BitSet others = quarrelling(busiest, left);
        BitSet rest = (BitSet) left.clone();
        rest.clear(busiest);
        int with = 1 + smallest(rest);
        return others.cardinality() == 1 ? with : Math.min(with, others.cardinality() + smallest(minus(rest, others)));
    }

    private BitSet greedy(BitSet tangle) {
        BitSet cover = new BitSet();
        BitSet left = (BitSet) tangle.clone();
        for (int v = busiest(left); v >= 0; v = busiest(left)) {
            cover.set(v);
            left.clear(v);
        }
        for (int v = cover.nextSetBit(0); v >= 0; v = cover.nextSetBit(v + 1)) {
            if (minus(neighbours.get(v), cover).isEmpty()) {
                cover.clear(v); // what came later made it superfluous
            }
        }
        return cover;
    }

    /** Who quarrels with most of the others among these, the least worth keeping of several; -1 when there is peace. */
    private int busiest(BitSet left) {
        int busiest = -1;
        int most = 1;
        for (int v = left.nextSetBit(0); v >= 0; v = left.nextSetBit(v + 1)) {
            int degree = quarrelling(v, left).cardinality();
            if (degree >= most) {
                busiest = v;
                most = degree;
            }
        }
        return busiest;
    }

    private BitSet quarrelling(int vertex, BitSet among) {
        BitSet found = (BitSet) neighbours.get(vertex).clone();
        found.and(among);
        return found;
    }

    private static BitSet minus(BitSet from, BitSet what) {
        BitSet rest = (BitSet) from.clone();
        rest.andNot(what);
        return rest;
    }
}
