package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.Hands;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every letter is somewhere or has had its fate, at the end of every event. */
class ConservationTest {
    private static final Letter LETTER = new Letter(1, id("a"), 1, new PartitionPath("a"), 1, 100, SECOND);

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final ClusterState both = StandingWorld.stateOf(
            StandingWorld.member("a", MemberStatus.UP), StandingWorld.member("b", MemberStatus.UP));
    private final StandingWorld.Standing a = world.runs("a", both);
    private final StandingWorld.Standing b = world.runs("b", both);
    private final HostLosses losses = new HostLosses();
    private final Checker checker = new Conservation(losses);

    private void happens(NodeView node, WorkStep.What what) {
        checker.onWork(new WorkStep(world, node, LETTER.path(), what));
    }

    private void copies(NodeView node, int change) {
        happens(node, new WorkStep.Copies(LETTER, change));
    }

    /** It comes to b and is kept there. */
    private void isSentToB() {
        happens(a, new WorkStep.Sent(LETTER));
        copies(a, 1);
        world.eventEnds();
        copies(a, -1);
        copies(b, 1);
        b.keeps(LETTER);
        world.eventEnds();
    }

    @Test
    void aLetterThatIsKeptAndThenHandledIsRight() {
        isSentToB();
        world.pass(5 * SECOND, checker);
        happens(b, new WorkStep.Processed(LETTER, 1, InstanceState.NEW));
        copies(b, -1);
        b.keeps();
        world.pass(5 * SECOND, checker);
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void aLetterThatWasSentAndIsNowhereIsFound() {
        happens(a, new WorkStep.Sent(LETTER));
        assertThat(world.violations()).isEmpty();
        world.eventEnds();
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("H9")
                .contains("nowhere");
    }

    @Test
    void aLetterThatVanishesFromAQueueIsFoundAtTheEndOfTheEvent() {
        isSentToB();
        copies(b, -1);
        world.eventEnds();
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("H9")
                .contains("nowhere");
    }

    @Test
    void aSecondCopyIsEnough() {
        isSentToB();
        copies(a, 1);
        copies(b, -1);
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void nobodyKnowsWhatBecameOfALetterThatDiedWithAProcess() {
        isSentToB();
        b.ends();
        copies(b, -1);
        checker.onProcess(new ProcessChange(world, b, ProcessChange.Kind.CRASHED));
        world.pass(5 * SECOND, checker);
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatSomebodyElseHadWhenAProcessDiedHasToSurvive() {
        isSentToB();
        copies(a, 1);
        world.eventEnds();
        b.ends();
        copies(b, -1);
        checker.onProcess(new ProcessChange(world, b, ProcessChange.Kind.CRASHED));
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
        copies(a, -1);
        world.eventEnds();
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void whoHearsThatOneHadItWhoHasDiedSinceMayLetItGo() {
        isSentToB();
        copies(a, 1);
        world.eventEnds();
        b.ends();
        copies(b, -1);
        world.eventEnds();
        happens(a, new WorkStep.Heard(id("b"), new GateMessage.Confirmed<>(1, 1, true, false, "")));
        copies(a, -1);
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatIsUnderWayFromAProcessThatDiedMayNotArrive() {
        isSentToB();
        copies(b, 1);
        world.eventEnds();
        b.ends();
        copies(b, -1);
        world.eventEnds();
        copies(b, -1);
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatIsUnderWayToAProcessThatDiedWithAnotherCopyMayNotArrive() {
        isSentToB();
        happens(a, new WorkStep.Copies(LETTER, 1, Optional.of(id("b"))));
        b.ends();
        copies(b, -1);
        world.eventEnds();
        happens(a, new WorkStep.Copies(LETTER, -1, Optional.of(id("b"))));
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void beforeItsTurnANewHostNeedNotKeepWhatTheOldOneDiedWith() {
        isSentToB();
        happens(a, new WorkStep.Heard(id("b"), new GateMessage.Handed<>(1, 1, new GateMessage.Item.Message<>(LETTER))));
        copies(a, 1);
        world.eventEnds();
        b.ends();
        copies(b, -1);
        world.eventEnds();
        copies(a, -1);
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void onceItIsItsTurnItHasTo() {
        PartitionEntry row = new PartitionEntry(
                LETTER.path(),
                1,
                id("a"),
                new PartitionSpec(1, "", HandoffPolicy.singleton()),
                List.of(id("a")),
                false);
        isSentToB();
        happens(a, new WorkStep.Heard(id("b"), new GateMessage.Handed<>(1, 1, new GateMessage.Item.Message<>(LETTER))));
        copies(a, 1);
        a.hasGate(row).onMessage(id("b"), LETTER, 0, 0);
        happens(a, new WorkStep.Heard(id("b"), new GateMessage.Handed<>(1, 2, new GateMessage.Item.YourTurn<>())));
        world.eventEnds();
        b.ends();
        copies(b, -1);
        world.eventEnds();
        copies(a, -1);
        world.eventEnds();
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void whoeverLeavesInGoodOrderTakesNothingWithIt() {
        isSentToB();
        world.step(b, losses, new Input.ExitTasksDone(), new Effect.StopNode("in a test"));
        b.ends();
        copies(b, -1);
        world.eventEnds();
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void whoeverMayNotWaitForLongerMayTakeSomethingWithIt() {
        isSentToB();
        b.isCutShort(true);
        world.step(b, losses, new Input.ExitTasksDone(), new Effect.StopNode("in a test"));
        b.ends();
        copies(b, -1);
        world.eventEnds();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void aLetterThatIsLostAndHandledIsFound() {
        isSentToB();
        happens(a, new WorkStep.Lost(LETTER, "in a test"));
        happens(b, new WorkStep.Processed(LETTER, 2, InstanceState.NEW));
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void aLetterThatDiesTwiceIsFound() {
        isSentToB();
        happens(a, new WorkStep.DeadLetter(LETTER, Hands.Drop.HANDOFF));
        happens(b, new WorkStep.DeadLetter(LETTER, Hands.Drop.HANDOFF));
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void aLetterThatNobodySentIsFound() {
        happens(b, new WorkStep.Processed(LETTER, 2, InstanceState.NEW));
        assertThat(world.violations()).containsExactly("H9");
    }

    @Test
    void booksThatAreWrongAreFound() {
        isSentToB();
        b.keeps();
        world.pass(5 * SECOND, checker);
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("H9")
                .contains("0 places, not in 1");
    }
}
