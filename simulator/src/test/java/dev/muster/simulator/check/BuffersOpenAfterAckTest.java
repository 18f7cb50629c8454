package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A partition moves from a to b, and c sends letters to b. */
class BuffersOpenAfterAckTest {
    private static final PartitionPath PATH = new PartitionPath("p");
    private static final Letter LETTER = new Letter(1, id("c"), 1, PATH, 1, 100, 0);
    private static final long MOVE = 7;

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final ClusterState all = StandingWorld.stateOf(
            StandingWorld.member("a", MemberStatus.UP),
            StandingWorld.member("b", MemberStatus.UP),
            StandingWorld.member("c", MemberStatus.UP));
    private final StandingWorld.Standing a = world.runs("a", all);
    private final StandingWorld.Standing b = world.runs("b", all);
    private final Acks acks = new Acks();
    private Checker checker = checkerUnder(HandoffPolicy.singleton());
    private long handed;

    private Checker checkerUnder(HandoffPolicy policy) {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, new PartitionSpec(1, "", policy));
        return new BuffersOpenAfterAck(wanted, acks);
    }

    private void happens(NodeView node, WorkStep.What what) {
        WorkStep step = new WorkStep(world, node, PATH, what);
        acks.onWork(step);
        checker.onWork(step);
    }

    private void isHanded(Item<Letter> item) {
        happens(b, new WorkStep.Heard(id("a"), new Handed<>(MOVE, ++handed, item)));
    }

    private void isPrepared() {
        isHanded(new Item.Prepare<>(HandoffPolicy.singleton(), false));
    }

    private void saysToAThatItHasSwitched(String sender) {
        happens(a, new WorkStep.Heard(id(sender), new GateMessage.RouteSwitched<>(MOVE + 1)));
    }

    private void cSendsToB() {
        happens(b, new WorkStep.Came(id("c"), LETTER));
    }

    private void bBegins() {
        happens(b, new WorkStep.Began(LETTER, MOVE));
    }

    @Test
    void afterTheAckHasComeByTheOldHostItMayBegin() {
        isPrepared();
        cSendsToB();
        saysToAThatItHasSwitched("c");
        isHanded(new Item.SenderSwitched<>(id("c")));
        bBegins();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void beforeThatItMayNot() {
        isPrepared();
        cSendsToB();
        saysToAThatItHasSwitched("c");
        bBegins();
        assertThat(world.violations()).containsExactly("H5");
    }

    @Test
    void theAckOfAnotherIsNotEnough() {
        isPrepared();
        cSendsToB();
        saysToAThatItHasSwitched("b");
        isHanded(new Item.SenderSwitched<>(id("b")));
        bBegins();
        assertThat(world.violations()).containsExactly("H5");
    }

    @Test
    void anAckBehindAGapHasNotComeYet() {
        isPrepared();
        cSendsToB();
        saysToAThatItHasSwitched("c");
        handed++;
        isHanded(new Item.SenderSwitched<>(id("c")));
        bBegins();
        assertThat(world.violations()).containsExactly("H5");
    }

    @Test
    void anAckThatNobodyGaveIsFound() {
        isPrepared();
        isHanded(new Item.SenderSwitched<>(id("c")));
        assertThat(world.violations()).containsExactly("H5");
    }

    @Test
    void whatTheOldHostHandsOverMayBegin() {
        isPrepared();
        isHanded(new Item.Message<>(LETTER));
        bBegins();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void ofOneThatWasRemovedNoAckIsNeeded() {
        isPrepared();
        cSendsToB();
        b.holds(StandingWorld.stateOf(
                StandingWorld.member("a", MemberStatus.UP), StandingWorld.member("b", MemberStatus.UP)));
        bBegins();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whereOrderDoesNotMatterNothingWaits() {
        checker = checkerUnder(HandoffPolicy.stateless());
        isPrepared();
        cSendsToB();
        bBegins();
        assertThat(world.violations()).isEmpty();
    }

    /** The gate of b, at work while it waits for senders to switch; a letter of c waits there. */
    private PartitionGate<Letter> bKeeps(Letter letter) {
        PartitionMove move = new PartitionMove(MOVE, id("a"), id("b"), PartitionMove.Stage.PENDING);
        PartitionSpec spec = new PartitionSpec(1, "", HandoffPolicy.singleton());
        PartitionGate<Letter> gate =
                b.hasGate(new PartitionEntry(PATH, MOVE, id("a"), spec, List.of(id("a")), false, Optional.of(move)));
        gate.onMembers(new TreeSet<>(List.of(id("a"), id("b"), id("c"))), 0);
        gate.onGateMessage(id("a"), new Handed<>(MOVE, 1, new Item.Prepare<>(HandoffPolicy.singleton(), false)), 0);
        gate.onStarted(0);
        gate.onGateMessage(id("a"), new Handed<>(MOVE, 2, new Item.YourTurn<>()), 0);
        gate.onMessage(id("c"), letter, 0, 0);
        happens(b, new WorkStep.Came(id("c"), letter));
        assertThat(gate.acts()).isTrue();
        assertThat(gate.waiting()).containsExactly(letter);
        return gate;
    }

    @Test
    void whatMayNotBeOpenedYetWaits() {
        isPrepared();
        bKeeps(new Letter(2, id("c"), 1, PATH, 2, 100, 0));
        isHanded(new Item.Message<>(LETTER));
        bBegins();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whatMayBeOpenedMustNotWait() {
        isPrepared();
        bKeeps(new Letter(2, id("c"), 1, PATH, 2, 100, 0));
        isHanded(new Item.Message<>(LETTER));
        saysToAThatItHasSwitched("c");
        isHanded(new Item.SenderSwitched<>(id("c"))); // which its gate does nothing about
        bBegins();
        assertThat(world.violations()).containsExactly("H11");
    }

    @Test
    void onceItsGateHasOpenedNothingWaits() {
        isPrepared();
        PartitionGate<Letter> gate = bKeeps(new Letter(2, id("c"), 1, PATH, 2, 100, 0));
        isHanded(new Item.Message<>(LETTER));
        saysToAThatItHasSwitched("c");
        isHanded(new Item.SenderSwitched<>(id("c")));
        gate.onGateMessage(id("a"), new Handed<>(MOVE, 3, new Item.SenderSwitched<>(id("c"))), 0);
        bBegins();
        assertThat(world.violations()).isEmpty();
    }
}
