package dev.muster.simulator.check;

import static dev.muster.simulator.check.StandingWorld.SECOND;
import static dev.muster.simulator.check.StandingWorld.id;
import static dev.muster.simulator.check.StandingWorld.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What must be alone begins elsewhere late enough, and ends in time where it has lost. */
class FailoverCheckersTest {
    private static final PartitionPath PATH = new PartitionPath("a");
    private static final PartitionSpec ALONE = new PartitionSpec(1, "", HandoffPolicy.singleton());

    private final StandingWorld world = new StandingWorld(ClusterSettings.defaults());
    private final ClusterState both = StandingWorld.stateOf(member("a", MemberStatus.UP), member("b", MemberStatus.UP));
    private final StandingWorld.Standing a = world.runs("a", both);
    private final StandingWorld.Standing b = world.runs("b", both);
    private final Checker margin = new StartsAfterMargin(wanted(), new HostLosses());
    private final Checker rest = new LosersRest(wanted());

    private static TreeMap<PartitionPath, PartitionSpec> wanted() {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        wanted.put(PATH, ALONE);
        return wanted;
    }

    private void happens(Checker checker, NodeView node, WorkStep.What what) {
        checker.onWork(new WorkStep(world, node, PATH, what));
    }

    /** The host crashes, and the other one removes it. */
    private void isLostToB() {
        b.holds(PartitionTable.EMPTY.merge(
                List.of(new PartitionEntry(PATH, 4, id("b"), ALONE, List.of(id("b")), false))));
        happens(margin, a, new WorkStep.Acts(3));
        a.ends();
        world.step(b, margin, StandingWorld.stateOf(member("b", MemberStatus.UP)));
    }

    @Test
    void theNextOneWaitsUntilAnOldOneHasSurelyEnded() {
        isLostToB();
        world.pass(2 * SECOND, margin);
        happens(margin, b, new WorkStep.Acts(4));
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("B7")
                .contains("2000 ms ago");
    }

    @Test
    void afterTheMarginItMayBegin() {
        isLostToB();
        world.pass(3 * SECOND, margin);
        happens(margin, b, new WorkStep.Acts(4));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void itBeginsWithAHigherEpoch() {
        isLostToB();
        world.pass(3 * SECOND, margin);
        happens(margin, b, new WorkStep.Acts(3));
        assertThat(world.sentences())
                .singleElement()
                .asString()
                .startsWith("B7")
                .contains("epoch 3");
    }

    @Test
    void whatEndedInAMoveIsNotWaitedFor() {
        happens(margin, a, new WorkStep.Acts(3));
        happens(margin, a, new WorkStep.Retired(InstanceState.NEW, true, List.of()));
        happens(margin, b, new WorkStep.Acts(4));
        assertThat(world.violations()).isEmpty();
    }

    @Test
    void aHostThatNobodyHasRemovedIsStillAtWork() {
        happens(margin, a, new WorkStep.Acts(3));
        b.holds(PartitionTable.EMPTY.merge(
                List.of(new PartitionEntry(PATH, 4, id("b"), ALONE, List.of(id("b")), false))));
        happens(margin, b, new WorkStep.Acts(4));
        assertThat(world.sentences()).singleElement().asString().contains("was not removed");
    }

    @Test
    void whoHasLostBeginsWithNothingMore() {
        Letter letter = new Letter(1, id("a"), 1, PATH, 1, 100, 0);
        world.step(a, rest, StandingWorld.stateOf(member("a", MemberStatus.DOWN), member("b", MemberStatus.UP)));
        world.pass(SECOND / 2, rest);
        happens(rest, a, new WorkStep.Began(letter, 3));
        assertThat(world.violations()).isEmpty();
        world.pass(SECOND, rest);
        happens(rest, a, new WorkStep.Began(letter, 3));
        assertThat(world.violations()).containsExactly("B5");
    }
}
