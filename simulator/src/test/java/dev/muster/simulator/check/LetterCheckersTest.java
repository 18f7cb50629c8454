package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The checkers of letters say nothing about what is right, and something about what is not. */
class LetterCheckersTest {
    private static final PartitionPath PATH = new PartitionPath("a");

    private final StandingWorld world = new StandingWorld(
            ClusterSettings.defaults().withHandoff(new HandoffSettings(Duration.ofSeconds(15), 10, 200)));
    private final ClusterState both = StandingWorld.stateOf(
            StandingWorld.member("a", MemberStatus.UP), StandingWorld.member("b", MemberStatus.UP));
    private final StandingWorld.Standing a = world.runs("a", both);
    private final StandingWorld.Standing b = world.runs("b", both);
    private final List<Checker> checkers = Checkers.ofLetters(wanted(HandoffPolicy.singleton()));

    private static TreeMap<PartitionPath, PartitionSpec> wanted(HandoffPolicy policy) {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, new PartitionSpec(1, "", policy));
        return wanted;
    }

    private static Letter letter(long number) {
        return new Letter(number, id("a"), 1, PATH, number, 100, SECOND);
    }

    private void happens(NodeView node, WorkStep.What what) {
        checkers.forEach(checker -> checker.onWork(new WorkStep(world, node, PATH, what)));
    }

    private void isHandled(NodeView node, long number, long epoch, InstanceState after) {
        happens(node, new WorkStep.Began(letter(number), epoch));
        happens(node, new WorkStep.Processed(letter(number), epoch, after));
    }

    private void areSent(long... numbers) {
        for (long number : numbers) {
            happens(a, new WorkStep.Sent(letter(number)));
        }
    }

    private void passes(long nanos) {
        for (Checker checker : checkers) {
            world.pass(nanos, checker);
        }
    }

    @Test
    void oneLetterAfterAnotherIsRight() {
        areSent(1, 2);
        InstanceState one = InstanceState.NEW.after(letter(1));
        isHandled(a, 1, 1, one);
        happens(b, new WorkStep.Created(2, Optional.of(one)));
        isHandled(b, 2, 2, one.after(letter(2)));
        passes(5 * SECOND);
        assertThat(world.sentences()).isEmpty();
    }

    @Test
    void aLetterThatIsHandledTwiceIsFound() {
        areSent(1);
        happens(a, new WorkStep.Processed(letter(1), 1, InstanceState.NEW));
        happens(b, new WorkStep.Processed(letter(1), 2, InstanceState.NEW));
        assertThat(world.violations()).containsExactly("H3");
    }

    @Test
    void whoWasRemovedMayHaveHandledItToo() {
        areSent(1);
        happens(a, new WorkStep.Processed(letter(1), 1, InstanceState.NEW));
        b.holds(StandingWorld.stateOf(StandingWorld.member("b", MemberStatus.UP)));
        happens(b, new WorkStep.Processed(letter(1), 2, InstanceState.NEW));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void anEarlierLetterAfterALaterOneIsFound() {
        areSent(1, 2);
        happens(b, new WorkStep.Began(letter(2), 1));
        happens(b, new WorkStep.Processed(letter(2), 1, InstanceState.NEW));
        happens(b, new WorkStep.Began(letter(1), 1));
        assertThat(world.violations()).containsExactly("H1");
    }

    @Test
    void twoAtOnceAreFound() {
        happens(a, new WorkStep.Began(letter(1), 1));
        happens(b, new WorkStep.Began(letter(2), 2));
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("P7")
                .contains("at once");
    }

    @Test
    void oneThatStoodStillForAShortTimeIsAtWorkAllTheSame() {
        happens(a, new WorkStep.Began(letter(1), 1));
        isPausedFor(a, 2 * SECOND);
        happens(b, new WorkStep.Began(letter(2), 2));
        assertThat(world.violations()).containsExactly("P7");
    }

    @Test
    void nothingCanBeDoneAboutTheLetterThatOneIsAtWhoStandsStillForLong() {
        happens(a, new WorkStep.Began(letter(1), 1));
        isPausedFor(a, 10 * SECOND);
        happens(b, new WorkStep.Began(letter(2), 2));
        assertThat(world.violations()).isEmpty();
    }

    private void isPausedFor(StandingWorld.Standing node, long nanos) {
        node.isPaused(true);
        checkers.forEach(it -> it.onProcess(new ProcessChange(world, node, ProcessChange.Kind.PAUSED)));
        passes(nanos / checkers.size());
        node.isPaused(false);
        checkers.forEach(it -> it.onProcess(new ProcessChange(world, node, ProcessChange.Kind.RESUMED)));
    }

    @Test
    void anOldInstanceThatGoesOnIsFound() {
        areSent(1);
        isHandled(b, 1, 2, InstanceState.NEW);
        happens(a, new WorkStep.Began(letter(2), 1));
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("P7")
                .contains("epoch 1");
    }

    @Test
    void anEpochIsThatOfOneHost() {
        areSent(1);
        isHandled(b, 1, 2, InstanceState.NEW);
        happens(a, new WorkStep.Began(letter(2), 2));
        assertThat(world.violations()).contains("P7");
    }

    @Test
    void noMoreLettersAndBytesWaitThanMay() {
        PartitionEntry here = new PartitionEntry(
                PATH, 1, id("a"), wanted(HandoffPolicy.singleton()).get(PATH), List.of(id("a")), false);
        PartitionGate<Letter> gate = a.hasGate(here);
        gate.onMessage(id("a"), letter(1), 0, 0);
        gate.onMessage(id("a"), letter(2), 0, 0);
        passes(SECOND);
        assertThat(world.violations()).isEmpty();

        gate.onMessage(id("a"), letter(3), 0, 0);
        passes(SECOND);
        assertThat(world.sentences()).anyMatch(it -> it.contains("keeps 3 letters of 300 bytes"));
    }

    @Test
    void whatAnOldHostHandsOverIsKeptOnTop() {
        PartitionEntry here = new PartitionEntry(
                PATH, 1, id("a"), wanted(HandoffPolicy.singleton()).get(PATH), List.of(id("a")), false);
        PartitionGate<Letter> gate = a.hasGate(here);
        happens(
                a,
                new WorkStep.Heard(id("b"), new GateMessage.Handed<>(1, 1, new GateMessage.Item.Message<>(letter(3)))));
        for (long number : List.of(1L, 2L, 3L)) {
            gate.onMessage(id("a"), letter(number), 0, 0);
        }
        passes(SECOND);
        assertThat(world.sentences()).noneMatch(it -> it.startsWith("H4"));
    }

    @Test
    void anotherStateThanTheLastOneIsFound() {
        areSent(1);
        isHandled(a, 1, 1, InstanceState.NEW.after(letter(1)));
        happens(b, new WorkStep.Created(2, Optional.of(InstanceState.NEW)));
        assertThat(world.violations()).isEmpty(); // it may never get to work
        happens(b, new WorkStep.Began(letter(2), 2));
        assertThat(world.violations()).containsExactly("H7");
    }

    @Test
    void whatSomebodyDidWhoWasRemovedMeanwhileIsNotHandedOver() {
        areSent(1);
        b.holds(StandingWorld.stateOf(StandingWorld.member("b", MemberStatus.UP)));
        isHandled(a, 1, 1, InstanceState.NEW.after(letter(1)));
        happens(b, new WorkStep.Created(2, Optional.of(InstanceState.NEW)));
        happens(b, new WorkStep.Began(letter(2), 2));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatOnePassedOnWhoLeftInGoodOrderMustNotComeTooLate() {
        areSent(1, 2);
        happens(b, new WorkStep.Refused(id("a"), letter(1)));
        assertThat(world.violations()).isEmpty(); // it was removed, for all that is known
        checkers.forEach(
                checker -> world.step(a, checker, new Input.ExitTasksDone(), new Effect.StopNode("in a test")));
        happens(b, new WorkStep.Refused(id("a"), letter(2)));
        assertThat(world.violations()).containsExactly("H2");
    }

    private void isEnded(long epoch) {
        PartitionEntry end = new PartitionEntry(
                PATH, epoch, id("a"), wanted(HandoffPolicy.singleton()).get(PATH), List.of(), true);
        checkers.forEach(checker -> world.step(a, checker, new Effect.FollowRow(end)));
    }

    @Test
    void afterTheEndTheNextOneBeginsAnew() {
        areSent(1, 2, 3);
        InstanceState one = InstanceState.NEW.after(letter(1));
        isHandled(a, 1, 1, one);
        isEnded(2);
        happens(a, new WorkStep.Created(3, Optional.empty()));
        isHandled(a, 2, 3, InstanceState.NEW.after(letter(2)));
        assertThat(world.violations()).isEmpty();

        happens(b, new WorkStep.Created(4, Optional.empty()));
        happens(b, new WorkStep.Began(letter(3), 4));
        assertThat(world.violations()).containsExactly("H7"); // that end was before
    }

    @Test
    void whatGoesOnWithWhatWasKnownBeforeTheEndIsFound() {
        areSent(1, 2);
        InstanceState one = InstanceState.NEW.after(letter(1));
        isHandled(a, 1, 1, one);
        isEnded(2);
        happens(a, new WorkStep.Created(3, Optional.of(one)));
        happens(a, new WorkStep.Began(letter(2), 3));
        assertThat(world.violations()).containsExactly("H7");
    }

    private void isNowhere(long epoch, String role) {
        PartitionSpec spec = new PartitionSpec(1, role, HandoffPolicy.singleton());
        PartitionEntry nowhere = new PartitionEntry(PATH, epoch, id("a"), spec, List.of(), false);
        checkers.forEach(checker -> world.step(a, checker, new Effect.FollowRow(nowhere)));
    }

    @Test
    void whatWasNowhereBecauseNobodyCouldHostItBeginsAnew() {
        areSent(1, 2);
        isHandled(a, 1, 1, InstanceState.NEW.after(letter(1)));
        isNowhere(2, "nobody has this role");
        happens(b, new WorkStep.Created(3, Optional.empty()));
        happens(b, new WorkStep.Began(letter(2), 3));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatWasNowhereAlthoughSomebodyCouldHostItHasLostItsState() {
        areSent(1, 2);
        isHandled(a, 1, 1, InstanceState.NEW.after(letter(1)));
        isNowhere(2, "");
        happens(b, new WorkStep.Created(3, Optional.empty()));
        happens(b, new WorkStep.Began(letter(2), 3));
        assertThat(world.violations()).containsExactly("H7");
    }

    @Test
    void whatWasNowhereBeforeItsLastLetterStillHandsOverItsState() {
        areSent(1, 2);
        isNowhere(2, "nobody has this role");
        isHandled(a, 1, 3, InstanceState.NEW.after(letter(1)));
        happens(b, new WorkStep.Created(4, Optional.empty()));
        happens(b, new WorkStep.Began(letter(2), 4));
        assertThat(world.violations()).containsExactly("H7");
    }

    @Test
    void aLetterMayBeDroppedWhereThePartitionWasEndedAMomentAgo() {
        areSent(1);
        isEnded(2);
        happens(a, new WorkStep.DeadLetter(letter(1), Hands.Drop.STOPPED));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whereNobodyIsLeftThereIsNoInstance() {
        areSent(1);
        ClusterState ending = StandingWorld.stateOf(StandingWorld.member("c", MemberStatus.EXITING));
        happens(world.runs("c", ending), new WorkStep.DeadLetter(letter(1), Hands.Drop.STOPPED));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void lettersAreDroppedOnlyForTheReasonsThatThereAre() {
        areSent(1, 2, 3);
        happens(a, new WorkStep.DeadLetter(letter(1), Hands.Drop.HANDOFF));
        assertThat(world.violations()).containsExactly("H10");
        world.violations().clear();
        happens(a, new WorkStep.DeadLetter(letter(2), Hands.Drop.STOPPED));
        assertThat(world.violations()).containsExactly("H2");
        world.violations().clear();
        happens(a, new WorkStep.StartFailed());
        happens(a, new WorkStep.DeadLetter(letter(3), Hands.Drop.STOPPED));
        assertThat(world.violations()).isEmpty();
    }
}
