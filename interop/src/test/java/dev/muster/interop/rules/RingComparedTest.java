package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.failure.FailureSettings;
import dev.muster.core.failure.HeartbeatMonitor;
import dev.muster.core.failure.MonitorRing;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.pekko.cluster.HeartbeatNodeRing;
import org.junit.jupiter.api.Test;

/** Who sends heartbeats to whom. */
class RingComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final int MOST_MEMBERS = 30;
    private static final int MOST_WATCHED = 9;

    @Test
    void everyMemberWatchesTheSameOnes() {
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i);
            ClusterState state = new Cases(random).state(1 + random.nextInt(MOST_MEMBERS));
            int count = 1 + random.nextInt(MOST_WATCHED);
            Set<NodeId> unreachable = some(state, random);
            HeartbeatNodeRing ring = ring(anyOf(state, random), state, unreachable, count);
            for (Member member : state.members()) {
                List<NodeId> targets =
                        MonitorRing.targetsOf(member.id(), state.members(), count, unreachable::contains);
                assertThat(new TreeSet<>(targets))
                        .as("case %s: %s of %s, unreachable %s, by %s", i, member, state, unreachable, count)
                        .isEqualTo(Theirs.ours(ring.receivers(Theirs.node(member.id()))));
            }
        }
    }

    @Test
    void everyMemberIsWatchedByTheSameOnes() {
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i + 1_000_000);
            ClusterState state = new Cases(random).state(1 + random.nextInt(MOST_MEMBERS));
            int count = 1 + random.nextInt(MOST_WATCHED);
            Set<NodeId> unreachable = some(state, random);
            NodeId subject = anyOf(state, random);
            SortedSet<NodeId> theirs = new TreeSet<>();
            for (Member member : state.members()) {
                HeartbeatNodeRing ring = ring(member.id(), state, unreachable, count);
                if (ring.myReceivers().contains(Theirs.node(subject))) {
                    theirs.add(member.id());
                }
            }
            assertThat(MonitorRing.watchersOf(subject, state.members(), count, unreachable::contains))
                    .as("case %s: %s in %s, unreachable %s, by %s", i, subject, state, unreachable, count)
                    .containsExactlyElementsOf(theirs);
        }
    }

    /**
     * Three things are different here: what a member says that is down does not count (decision 4), a member that is
     * down takes nobody's place, and whoever accused keeps watching (decision 12).
     */
    @Test
    void aStateMakesTheSameRingButForTheDownAndTheAccused() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i + 2_000_000);
            ClusterState state = new Cases(random).state(1 + random.nextInt(MOST_MEMBERS));
            int count = 1 + random.nextInt(MOST_WATCHED);
            NodeId self = anyOf(state, random);
            SortedSet<NodeId> ours = watchedBy(self, state, count);

            SortedSet<NodeId> expected = receivers(self, state, unreachableHere(state), count);
            expected.addAll(accusedBy(self, state));
            assertThat(ours)
                    .as("case %s: %s of %s, by %s", i, self, state, count)
                    .isEqualTo(expected);
            different += ours.equals(receivers(self, state, unreachableThere(state), count)) ? 0 : 1;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    private static SortedSet<NodeId> watchedBy(NodeId self, ClusterState state, int count) {
        FailureSettings settings = FailureSettings.defaults().withMonitoredByNrOfMembers(count);
        HeartbeatMonitor monitor = new HeartbeatMonitor(self, settings, 0);
        monitor.follow(state, 0);
        return new TreeSet<>(monitor.targets());
    }

    private static Set<NodeId> unreachableHere(ClusterState state) {
        List<NodeId> down = state.members().stream()
                .filter(it -> it.status() == MemberStatus.DOWN)
                .map(Member::id)
                .toList();
        Set<NodeId> unreachable = Theirs.ours(Theirs.words(state.reachability())
                .removeObservers(Theirs.nodes(down))
                .allUnreachableOrTerminated());
        unreachable.addAll(down);
        return unreachable;
    }

    private static Set<NodeId> unreachableThere(ClusterState state) {
        return Theirs.ours(Theirs.words(state.reachability()).allUnreachableOrTerminated());
    }

    private static Set<NodeId> accusedBy(NodeId self, ClusterState state) {
        Set<NodeId> accused = new HashSet<>();
        for (Member member : state.members()) {
            if (state.reachability().statusOf(self, member.id()) == ReachabilityStatus.UNREACHABLE) {
                accused.add(member.id());
            }
        }
        return accused;
    }

    private static SortedSet<NodeId> receivers(NodeId self, ClusterState state, Set<NodeId> unreachable, int count) {
        return Theirs.ours(ring(self, state, unreachable, count).myReceivers());
    }

    private static HeartbeatNodeRing ring(NodeId self, ClusterState state, Set<NodeId> unreachable, int count) {
        List<NodeId> members = state.members().stream().map(Member::id).toList();
        return new HeartbeatNodeRing(Theirs.node(self), Theirs.nodes(members), Theirs.nodes(unreachable), count);
    }

    private static Set<NodeId> some(ClusterState state, SplittableRandom random) {
        Set<NodeId> chosen = new HashSet<>();
        int share = random.nextInt(10);
        for (Member member : state.members()) {
            if (random.nextInt(10) < share) {
                chosen.add(member.id());
            }
        }
        return chosen;
    }

    private static NodeId anyOf(ClusterState state, SplittableRandom random) {
        return state.members().get(random.nextInt(state.members().size())).id();
    }
}
