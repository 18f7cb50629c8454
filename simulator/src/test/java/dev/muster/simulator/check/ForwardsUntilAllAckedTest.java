package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition has moved from a to b, and a forwards. */
class ForwardsUntilAllAckedTest {
    private static final PartitionPath PATH = new PartitionPath("p");
    private static final Letter LETTER = new Letter(1, id("c"), 1, PATH, 1, 100, 0);
    private static final long MOVE = 7;

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final StandingWorld.Standing a = world.runs("a", stateOf("a", "b", "c"));
    private final Acks acks = new Acks();
    private final Checker checker = new ForwardsUntilAllAcked(wanted(), acks, new HostLosses());

    private static TreeMap<PartitionPath, PartitionSpec> wanted() {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, new PartitionSpec(1, "", HandoffPolicy.singleton()));
        return wanted;
    }

    private static ClusterState stateOf(String... hosts) {
        return StandingWorld.stateOf(Arrays.stream(hosts)
                .map(host -> StandingWorld.member(host, MemberStatus.UP))
                .map(it -> new Member(it.id(), it.status(), it.upNumber(), List.of("muster-1"), it.appVersion()))
                .toArray(Member[]::new));
    }

    private void happens(WorkStep.What what) {
        WorkStep step = new WorkStep(world, a, PATH, what);
        acks.onWork(step);
        checker.onWork(step);
    }

    private void says(GateMessage<Letter> message) {
        happens(new WorkStep.Said(id("b"), message));
    }

    private void acks(String... senders) {
        for (String sender : senders) {
            happens(new WorkStep.Heard(id(sender), new GateMessage.RouteSwitched<>(MOVE + 1)));
        }
    }

    private void endsItsPart() {
        MoveView forwarding = new MoveView(MOVE, id("a"), id("b"), "forwarding", 0, 0, List.of());
        happens(new WorkStep.MoveWentOn(Optional.of(forwarding), Optional.empty()));
    }

    @BeforeEach
    void itHasHandedOver() {
        says(new Handed<>(MOVE, 2, new Item.YourTurn<>()));
    }

    @Test
    void whenAllHaveAckedItMayStop() {
        acks("a", "b", "c");
        says(new Handed<>(MOVE, 3, new Item.AllSwitched<>()));
        endsItsPart();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void beforeThatItMayNotSayThatAllKnow() {
        acks("a", "b");
        says(new Handed<>(MOVE, 3, new Item.AllSwitched<>()));
        assertThat(world.violations()).containsExactly("H6");
    }

    @Test
    void norSimplyEnd() {
        acks("a", "b");
        endsItsPart();
        assertThat(world.violations()).containsExactly("H6");
    }

    @Test
    void norTreatALetterAsAStray() {
        acks("a", "b");
        happens(new WorkStep.Came(id("c"), LETTER));
        says(new GateMessage.PassedOn<>(LETTER, 1));
        assertThat(world.violations()).containsExactly("H6");
    }

    @Test
    void anAckOfAnEarlierMoveIsNotEnough() {
        acks("a", "b");
        happens(new WorkStep.Heard(id("c"), new GateMessage.RouteSwitched<>(MOVE - 1)));
        says(new Handed<>(MOVE, 3, new Item.AllSwitched<>()));
        assertThat(world.violations()).containsExactly("H6");
    }

    @Test
    void whoWasRemovedNeedNotAck() {
        a.holds(stateOf("a", "b"));
        acks("a", "b");
        says(new Handed<>(MOVE, 3, new Item.AllSwitched<>()));
        endsItsPart();
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void whenTheNewHostWasRemovedThereIsNobodyToForwardTo() {
        a.holds(stateOf("a", "c"));
        endsItsPart();
        assertThat(world.violations()).isEmpty();
    }
}
