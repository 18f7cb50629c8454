package dev.muster.core.membership;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.ReachabilityStatus;
import org.junit.jupiter.api.Test;

class QuarantinesTest {
    private final Quarantines quarantines = new Quarantines(node("a"));

    @Test
    void nobodyQuarantinesItself() {
        quarantines.add(node("a"));

        assertThat(quarantines.has(node("a"))).isFalse();
    }

    @Test
    void allWhoAreMembersAreMarkedInOneChange() {
        quarantines.add(node("b"));
        quarantines.add(node("c"));
        quarantines.add(node("x"));
        ClusterState state = aState().up("a", "b", "c", "d").build();

        ClusterState marked = quarantines.markedIn(state);

        assertThat(marked.reachability().statusOf(node("a"), node("b"))).isEqualTo(ReachabilityStatus.TERMINATED);
        assertThat(marked.reachability().statusOf(node("a"), node("c"))).isEqualTo(ReachabilityStatus.TERMINATED);
        assertThat(marked.reachability().statusOf(node("a"), node("d"))).isEqualTo(ReachabilityStatus.REACHABLE);
        assertThat(marked.version().counterOf(node("a").clockKey())).isOne();
        assertThat(quarantines.markedIn(marked)).isSameAs(marked);
    }

    @Test
    void anotherIncarnationAtTheSameAddressIsSomebodyElse() {
        quarantines.add(node("b", 7));
        ClusterState state = aState().up("a", "b").build();

        assertThat(quarantines.markedIn(state)).isSameAs(state);
        assertThat(quarantines.has(node("b", 7))).isTrue();
        assertThat(quarantines.has(node("b", 8))).isFalse();
    }

    @Test
    void theLongestKnownAreForgottenFirst() {
        for (int uid = 1; uid <= 1_001; uid++) {
            quarantines.add(node("x", uid));
        }

        assertThat(quarantines.has(node("x", 1))).isFalse();
        assertThat(quarantines.has(node("x", 2))).isTrue();
        assertThat(quarantines.has(node("x", 1_001))).isTrue();
    }
}
