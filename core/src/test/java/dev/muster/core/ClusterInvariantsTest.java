package dev.muster.core;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

class ClusterInvariantsTest {

    @Test
    void aLifeThatGoesBackIsABug() {
        throwsFor(
                aState().down("a", "b").version("a", 1),
                aState().down("a").up("b").version("a", 2).seenBy("a"),
                "b:2552#2 Down became b:2552#2 Up");
    }

    @Test
    void aMemberThatVanishesWithoutATombstoneIsABug() {
        throwsFor(
                aState().up("a", "b", "c").version("a", 1),
                aState().up("a").up("c").version("a", 2).seenBy("a"),
                "b:2552#2 Up vanished without a tombstone");
        throwsFor(
                aState().up("a", "b").version("a", 1),
                aState().up("a").version("a", 2).seenBy("a"),
                "b:2552#2 Up vanished without a tombstone");
    }

    @Test
    void aRemovedNodeThatComesBackIsABug() {
        throwsFor(
                aState().up("a").removed("b").version("a", 1),
                aState().up("a").joining("b").version("a", 2).seenBy("a"),
                "removed node b:2552#2 came back");
    }

    @Test
    void anOwnClockEntryThatGoesBackIsABug() {
        String key = node("a").clockKey().substring(0, 6);
        throwsFor(
                aState().up("a").version("a", 2),
                aState().up("a").version("a", 1).seenBy("a"),
                "own clock entry went back from [" + key + ":2] to [" + key + ":1]");
    }

    @Test
    void aVersionThatItsHolderHasNotSeenIsABug() {
        String key = node("a").clockKey().substring(0, 6);
        throwsFor(
                aState().up("a", "b").version("a", 1),
                aState().up("a", "b").version("a", 2).seenBy("b"),
                "a:2552#1 holds [" + key + ":2] and has not seen it");
    }

    @Test
    void lawfulStepsPass() {
        passes(
                aState().up("a", "b").joining("c").removed("x").version("a", 1),
                aState().up("a")
                        .with(LEAVING, "b")
                        .removed("c", "x")
                        .joining("d")
                        .version("a", 1)
                        .seenBy("a"));
        passes(
                aState().up("a", "b").version("a", 2),
                aState().up("b").removed("a").version("b", 1).seenBy("b"));
    }

    private static void throwsFor(StateBuilder before, StateBuilder after, String message) {
        assertThatIllegalStateException()
                .isThrownBy(() -> ClusterInvariants.verify(node("a"), before.build(), after.build()))
                .withMessage(message);
    }

    private static void passes(StateBuilder before, StateBuilder after) {
        assertThatNoException().isThrownBy(() -> ClusterInvariants.verify(node("a"), before.build(), after.build()));
    }
}
