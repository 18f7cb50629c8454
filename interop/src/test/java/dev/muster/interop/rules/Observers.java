package dev.muster.interop.rules;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A few nodes in two halves that speak of each other, are removed and now and then hear of the other half; all of it
 * done twice, with our words and with theirs. Each node speaks in its own half only.
 */
final class Observers {
    private static final int MOST_NODES = 7;

    /** What one half knows, in both forms. */
    record Half(ClusterState state, org.apache.pekko.cluster.Reachability theirs) {
        Reachability ours() {
            return state.reachability();
        }
    }

    private final RandomGenerator random;
    private final List<NodeId> nodes = new ArrayList<>();
    private final Half[] halves = new Half[2];
    private String lastStep = "nothing";

    Observers(RandomGenerator random) {
        this.random = random;
        int size = 3 + random.nextInt(MOST_NODES - 2);
        List<Member> rows = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            NodeId id = new NodeId(new NodeAddress("pekko", "mixed", "n" + n, 7), random.nextInt(9));
            nodes.add(id);
            rows.add(new Member(id, MemberStatus.UP, n + 1, List.of("dc-default"), "0.0.0"));
        }
        ClusterState all = ClusterState.of(
                Members.of(rows), Tombstones.NONE, Reachability.ALL_REACHABLE, VectorClock.EMPTY, SeenSet.NOBODY);
        halves[0] = new Half(all, org.apache.pekko.cluster.Reachability.empty());
        halves[1] = halves[0];
    }

    List<NodeId> nodes() {
        return nodes;
    }

    /** For people to read. */
    String lastStep() {
        return lastStep;
    }

    /** Somebody that the half holds as a member. */
    NodeId anyIn(Half half) {
        Members members = half.state().members();
        return members.get(random.nextInt(members.size())).id();
    }

    /** One more thing happens; returns the half that it happened to. */
    Half step() {
        int at = random.nextInt(2);
        int what = random.nextInt(12);
        if (what < 9) {
            speaker(at).ifPresent(speaker -> speak(at, speaker));
        } else if (what == 9) {
            speaker(at).ifPresent(speaker -> remove(at, speaker));
        } else {
            hear(at);
        }
        return halves[at];
    }

    /** A node of this half that is still a member there. */
    private Optional<NodeId> speaker(int at) {
        List<NodeId> own = new ArrayList<>();
        for (int n = at; n < nodes.size(); n += 2) {
            if (halves[at].state().members().has(nodes.get(n))) {
                own.add(nodes.get(n));
            }
        }
        return own.isEmpty() ? Optional.empty() : Optional.of(own.get(random.nextInt(own.size())));
    }

    private void speak(int at, NodeId observer) {
        Half half = halves[at];
        NodeId subject = anyIn(half);
        boolean isAccused = half.ours().statusOf(observer, subject) != ReachabilityStatus.REACHABLE;
        ReachabilityStatus word = random.nextInt(5) == 0
                ? ReachabilityStatus.TERMINATED
                : isAccused && random.nextInt(4) > 0 ? ReachabilityStatus.REACHABLE : ReachabilityStatus.UNREACHABLE;
        lastStep = observer + " calls " + subject + " " + word.displayName() + " in half " + at;
        Reachability next = half.ours().marked(observer, subject, word);
        halves[at] = new Half(
                half.state().withReachability(observer, next), Theirs.mark(half.theirs(), observer, subject, word));
    }

    private void remove(int at, NodeId author) {
        Half half = halves[at];
        NodeId gone = anyIn(half);
        if (gone.equals(author) || nodes.indexOf(gone) < 2) {
            return; // somebody stays in each half
        }
        lastStep = author + " removes " + gone + " in half " + at;
        halves[at] = new Half(
                half.state().withRemoved(author, half.state().members(), List.of(gone), 1_700_000_000_000L),
                half.theirs().remove(Theirs.nodes(List.of(gone))));
    }

    private void hear(int at) {
        Half half = halves[at];
        Half other = halves[1 - at];
        lastStep = "half " + at + " hears of the other";
        ClusterState joined = StateMerge.join(half.state(), other.state());
        List<NodeId> members = joined.members().stream().map(Member::id).toList();
        halves[at] = new Half(joined, half.theirs().merge(Theirs.nodes(members), other.theirs()));
    }
}
