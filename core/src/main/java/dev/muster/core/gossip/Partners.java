package dev.muster.core.gossip;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * The few members that one node talks to again and again in a large cluster, so that it need not open a connection for
 * every word: those that come next in the ring, and some that are scattered all over it.
 *
 * <p>Those next to it keep the cluster in one piece. The scattered ones make news spread as if peers were drawn at
 * random, for that is what they are, only once: by the node's hash. They are places on the circle of hashes, not ranks,
 * so a newcomer becomes the partner of a few and changes nothing for the others.
 */
final class Partners {
    /** As many as a node watches by default; connections to those stand anyway. */
    static final int NEAREST = 5;

    static final int SCATTERED = 6;

    /** An odd number far from any round one: its multiples are spread over all numbers. */
    private static final int STRIDE = 0x9e3779b9;

    private final NodeId self;
    private Members of = Members.NONE;
    private int[] ordinals = new int[0];

    Partners(NodeId self) {
        this.self = self;
    }

    /** Their ordinals among these members, each once, never this node's own; none while it is no member. */
    int[] among(Members members) {
        if (members != of) {
            ordinals = find(members);
            of = members;
        }
        return ordinals;
    }

    /** Neighbouring numbers come out far from each other. */
    private static int scatter(int number) {
        int mixed = (number ^ number >>> 16) * 0x7feb352d;
        mixed = (mixed ^ mixed >>> 15) * 0x846ca68b;
        return mixed ^ mixed >>> 16;
    }

    private int[] find(Members members) {
        if (!members.has(self)) {
            return new int[0];
        }
        Members ring = members.inRingOrder();
        int here = ring.ringPositionOf(self);
        int near = Math.min(NEAREST, ring.size() - 1);
        List<Integer> steps = new ArrayList<>();
        for (int step = 1; step <= near; step++) {
            steps.add(step);
        }
        for (int i = 1; i <= SCATTERED; i++) {
            int place = scatter(self.ringHash() + i * STRIDE);
            int step = Math.floorMod(ring.ringPositionFrom(place) - here, ring.size());
            if (step != 0 && !steps.contains(step)) {
                steps.add(step);
            }
        }
        return steps.stream()
                .mapToInt(step ->
                        members.ordinalOf(ring.get((here + step) % ring.size()).id()))
                .toArray();
    }
}
