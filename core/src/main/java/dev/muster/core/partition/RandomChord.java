package dev.muster.core.partition;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * How a leader learns about the load of a large cluster without asking everybody.
 *
 * <p>It asks a few nodes somewhere around the ring, each of which answers for itself and the neighbours at both sides,
 * whom it knows anyway. Asking few nodes often gives a picture that is never complete and never old.
 *
 * <p>The ring is the one in which nodes watch each other: neighbours there have a connection already.
 *
 * <p>Specification: "Additional Leader Responsibilities".
 */
public final class RandomChord {
    private RandomChord() {}

    /**
     * Whom to ask this time: one node of each of as many equal arcs of the ring, so that no two answers are about the
     * same nodes but at the borders of arcs. The arcs begin anywhere, so that all are asked equally often.
     *
     * @param count how many to ask; all, if there are not more
     * @param canAnswer false of nodes that cannot be reached, for example; the one who asks is never asked itself
     */
    public static List<NodeId> whomToAsk(
            NodeId self, Members members, int count, Predicate<NodeId> canAnswer, RandomGenerator random) {
        List<NodeId> candidates = members.inRingOrder().stream()
                .map(Member::id)
                .filter(id -> !id.equals(self) && canAnswer.test(id))
                .toList();
        int size = candidates.size();
        if (size <= count) {
            return candidates;
        }
        List<NodeId> asked = new ArrayList<>();
        int start = random.nextInt(size);
        for (int arc = 0; arc < count; arc++) {
            int from = (int) ((long) arc * size / count);
            int to = (int) ((arc + 1L) * size / count);
            asked.add(candidates.get((start + random.nextInt(from, to)) % size));
        }
        return asked;
    }

    /** The nodes directly before and after a member in the ring; fewer in a cluster of one or two. */
    public static List<NodeId> neighboursOf(NodeId self, Members members) {
        if (!members.has(self)) {
            return List.of();
        }
        Members ring = members.inRingOrder();
        int at = ring.ringPositionOf(self);
        NodeId before = ring.get((at + ring.size() - 1) % ring.size()).id();
        NodeId after = ring.get((at + 1) % ring.size()).id();
        return List.of(before, after).stream()
                .distinct()
                .filter(id -> !id.equals(self))
                .toList();
    }

    /** What a node that was asked answers: the samples of itself and its neighbours, as far as it has them. */
    public static LoadTable answerOf(NodeId self, Members members, LoadTable known) {
        List<LoadSample> samples = new ArrayList<>();
        known.of(self).ifPresent(samples::add);
        neighboursOf(self, members).forEach(id -> known.of(id).ifPresent(samples::add));
        return LoadTable.of(samples);
    }
}
