package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperTalk.BACKEND;
import static dev.muster.core.partition.KeeperTalk.ELSE;
import static dev.muster.core.partition.KeeperTalk.MUSTER;
import static dev.muster.core.partition.KeeperTalk.instances;
import static dev.muster.core.partition.KeeperTalk.node;
import static dev.muster.core.partition.KeeperTalk.nodes;
import static dev.muster.core.partition.KeeperTalk.path;
import static dev.muster.core.partition.KeeperTalk.spec;
import static dev.muster.core.partition.KeeperTalk.state;
import static dev.muster.core.partition.KeeperTalk.up;
import static dev.muster.core.partition.KeeperTalk.ups;
import static dev.muster.core.partition.KeeperTalk.with;
import static dev.muster.core.partition.KeeperWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the table comes about: what members want, who hosts it, and how all get to know. */
class PartitionKeeperTest {
    @Test
    void withoutPartitionsNothingIsSaid() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 1, 0);
        world.pass(60 * SECOND);
        assertThat(world.messages()).isZero();
        assertThat(world.at(node(3)).nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3})
    void whatAnyMemberWantsAllHave(double loss) {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 2, loss);
        world.at(node(4)).want(path("a"), spec(2), world.now());
        world.at(node(2)).want(path("b"), spec(3), world.now());
        world.pass(20 * SECOND);
        assertThat(instances(world, "a")).hasSize(2);
        assertThat(instances(world, "b")).hasSize(3);
        assertThat(world.running("a")).containsExactlyInAnyOrderElementsOf(instances(world, "a"));
        assertThat(world.running("b")).containsExactlyInAnyOrderElementsOf(instances(world, "b"));
        assertThat(world.at(node(1)).hasConverged(state(ups(5)))).isTrue();
    }

    @Test
    void theExampleOfTheSpecification() {
        KeeperWorld world = new KeeperWorld(state(ups(10)), 3, 0);
        world.at(node(1)).want(path("A"), spec(4), world.now());
        world.at(node(1)).want(path("B"), spec(3), world.now());
        world.at(node(1)).want(path("C"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "A")).isEqualTo(nodes(1, 2, 3, 4));
        assertThat(instances(world, "B")).isEqualTo(nodes(5, 6, 7));
        assertThat(instances(world, "C")).isEqualTo(nodes(8, 9, 10, 1, 2));
    }

    @Test
    void whoJoinsGetsTheTable() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 4, 0);
        world.at(node(1)).want(path("a"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).hasSize(3);
        world.become(state(ups(6)));
        world.pass(5 * SECOND);
        assertThat(instances(world, "a")).hasSize(5);
        assertThat(world.running("a")).hasSize(5);
    }

    @Test
    void nodesThatWantDifferentThingsDoNotTakeTurns() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 26, 0);
        world.at(node(1)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).end(path("a"), world.now());
        world.at(node(3)).want(path("a"), spec(3), world.now());
        world.at(node(1)).want(path("b"), spec(1), world.now());
        world.at(node(2)).want(path("b"), spec(2), world.now());
        world.pass(10 * SECOND);
        PartitionTable table = world.table();
        world.pass(10 * SECOND);
        assertThat(world.table()).isSameAs(table);
    }

    @Test
    void theLeaderKnowsWhyAndTheOthersKnowWhomToAsk() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 29, 0);
        world.at(node(3)).want(path("a"), new PartitionSpec(1, 3, 2, "", HandoffPolicy.stateless()), world.now());
        world.pass(2 * SECOND);
        assertThat(why(world, ups(3), 1))
                .contains("wanted are 1 to 3 instances, and 2 are expected to be needed")
                .contains("this node decided last: ")
                .contains("a user expects to need 2");
        assertThat(why(world, ups(3), 2)).contains(node(1) + " knows the reason of the last change");
        List<Member> leaving = with(ups(3), MemberStatus.LEAVING, 2);
        world.become(state(leaving));
        world.pass(2 * SECOND);
        assertThat(why(world, leaving, 1))
                .contains("decided last: it moves from " + node(2) + " to " + node(3) + ": " + node(2) + " leaves");
        world.become(state(ups(3).subList(1, 3)));
        world.pass(2 * SECOND);
        assertThat(why(world, ups(3).subList(1, 3), 2)).contains(node(1) + " has gone");
    }

    private static String why(KeeperWorld world, List<Member> members, int who) {
        return String.join("; ", world.at(node(who)).explain(state(members), true, path("a"), world.now()));
    }

    @Test
    void reasons() {
        KeeperWorld world = MovesInTheTableTest.moving();
        assertThat(world.at(node(1)).explain(state(ups(3)), true, path("only"), world.now()))
                .containsExactly(
                        "only is on " + node(1) + ", as " + node(1) + " wrote in epoch 2; wanted is 1 instance, handed "
                                + "over by the policy singleton (2b 3b 4a)",
                        "it is being handed over from " + node(1) + " to " + node(2) + ", move 2; the row changes when "
                                + node(1) + " says that it is done",
                        "as the leader of the table this node decided last: it moves from " + node(1) + " to " + node(2)
                                + ": a user asked for it",
                        node(1) + " leads the table, and nothing keeps it from writing");
        assertThat(world.at(node(1))
                        .explain(state(ups(3)), false, path("only/x"), world.now())
                        .get(0))
                .contains("cannot be beside only");
        assertThat(world.at(node(1)).explain(state(ups(3)), false, path("x"), world.now()))
                .containsExactly("there is no partition x; the table has 1");
    }

    /** The row does not say whether all senders have switched, so what is said of that holds before and after. */
    @Test
    void ofAMoveThatWasMadeIsSaidWhatStaysTrue() {
        assertThat(whyAfterAMove(HandoffPolicy.singleton(), ups(3)))
                .contains("it came from " + node(1) + " by move 2; what may still be sent there is forwarded");
        assertThat(whyAfterAMove(HandoffPolicy.disposable(), ups(3)))
                .contains("it came from " + node(1) + " by move 2; what was sent there before its sender had switched "
                        + "is dropped")
                .anyMatch(it -> it.endsWith("by the policy disposable (2c 3a 4b)"));
        HandoffPolicy nameless = new HandoffPolicy(
                HandoffPolicy.Migration.KEEP, HandoffPolicy.Arrival.PROCESS, HandoffPolicy.Update.DROP);
        assertThat(whyAfterAMove(nameless, ups(3).subList(1, 3)))
                .contains("it came from " + node(1) + " by move 2, and that node has gone")
                .anyMatch(it -> it.endsWith("by the policy 2a 3a 4b"));
    }

    private static List<String> whyAfterAMove(HandoffPolicy policy, List<Member> afterwards) {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 23, 0);
        world.at(node(3)).want(path("a"), new PartitionSpec(1, "", policy), world.now());
        world.pass(2 * SECOND);
        Command.Migrate away = new Command.Migrate(path("a"), node(2).address(), Optional.of(node(1).address()));
        assertThat(world.at(node(3)).migrate(state(ups(3)), away, world.now())).isEmpty();
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2));
        world.become(state(afterwards));
        return world.at(node(3)).explain(state(afterwards), true, path("a"), world.now());
    }

    @Test
    void onlyMembersOfTheRoleHost() {
        KeeperWorld world =
                new KeeperWorld(state(List.of(up(1, MUSTER), up(2, BACKEND), up(3, ELSE), up(4, BACKEND))), 8, 0);
        world.at(node(1)).want(path("a"), new PartitionSpec(3, "backend", HandoffPolicy.stateless()), world.now());
        world.at(node(1)).want(path("b"), spec(4), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 4));
        assertThat(instances(world, "b")).containsExactlyInAnyOrderElementsOf(nodes(1, 2, 4));
    }

    @Test
    void partitionsInsideEachOtherAreRefused() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 10, 0);
        world.at(node(2)).want(path("a/b"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.at(node(1)).want(path("a/b/c"), spec(1), world.now());
        world.pass(3 * SECOND);
        assertThat(world.refusals())
                .containsExactlyInAnyOrder(
                        "a: there is the partition a/b, and partitions do not lie inside each other; choose a path "
                                + "beside it",
                        "a/b/c: there is the partition a/b, and partitions do not lie inside each other; choose a path "
                                + "beside it");
        assertThat(world.table().size()).isEqualTo(1);
    }

    @Test
    void twoThatAreWantedAtOnceAreComparedToo() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 10, 0);
        world.converged(false);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(SECOND);
        world.at(node(1)).want(path("a/b"), spec(1), world.now());
        world.pass(SECOND);
        assertThat(world.refusals()).hasSize(1);
    }

    @Test
    void aPartitionEndsForAll() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 11, 0.2);
        world.at(node(2)).want(path("a"), spec(2), world.now());
        world.pass(10 * SECOND);
        world.at(node(3)).end(path("a"), world.now());
        world.pass(10 * SECOND);
        assertThat(world.table().find(path("a"))).isEmpty();
        assertThat(world.running("a")).isEmpty();
        world.at(node(3)).want(path("a"), spec(1), world.now());
        world.pass(10 * SECOND);
        assertThat(world.running("a")).hasSize(1);
    }

    @Test
    void whatIsWantedMayChange() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 12, 0);
        world.at(node(2)).want(path("a"), spec(4), world.now());
        world.pass(2 * SECOND);
        world.at(node(2)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(1, 2));
    }

    /** A table of any size costs a few bytes now and then while nothing changes. */
    @Test
    void manyRowsTravelInPartsAndThenRest() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 13, 0);
        for (int i = 0; i < 2_000; i++) {
            world.at(node(1)).want(path("p/" + i), spec(1), world.now());
        }
        world.pass(5 * SECOND);
        assertThat(world.table().size()).isEqualTo(2_000);
        world.become(state(ups(5)));
        world.pass(5 * SECOND);
        assertThat(world.at(node(5)).table()).isEqualTo(world.table());
        int before = world.messages();
        int events = world.events();
        world.pass(60 * SECOND);
        assertThat(world.messages() - before).isLessThan(5 * 61);
        assertThat(world.events()).isEqualTo(events);
    }

    @Test
    void inLargeClustersNewsIsPassedOn() {
        KeeperWorld world = new KeeperWorld(state(ups(100)), 14, 0.1);
        world.at(node(77)).want(path("a"), spec(3), world.now());
        world.pass(30 * SECOND);
        assertThat(instances(world, "a")).hasSize(3);
        assertThat(world.at(node(1)).hasConverged(state(ups(100)))).isTrue();
    }

    /** Two leaders wrote while they could not see each other; afterwards all have one table again. */
    @Test
    void twoTablesBecomeOne() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 15, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        KeeperWorld elsewhere = new KeeperWorld(state(List.of(up(3, MUSTER), up(4, MUSTER))), 16, 0);
        elsewhere.at(node(3)).want(path("a"), spec(2), elsewhere.now());
        elsewhere.at(node(3)).want(path("b"), spec(1), elsewhere.now());
        elsewhere.pass(2 * SECOND);

        world.take(elsewhere);
        world.become(state(ups(4)));
        world.pass(5 * SECOND);
        assertThat(world.table().size()).isEqualTo(2);
        // Of equal epochs the higher writer's counts.
        assertThat(instances(world, "a")).hasSize(2);
        assertThat(world.running("a")).containsExactlyInAnyOrderElementsOf(instances(world, "a"));
        assertThat(world.running("b")).hasSize(1);
    }

    @Test
    void rowsThatNobodyCouldHaveWrittenAreIgnored() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 17, 0);
        PartitionEntry wild = new PartitionEntry(path("a"), 1L << 50, node(1), spec(1), nodes(1), false);
        world.at(node(2))
                .onMessage(
                        state(ups(2)),
                        node(1),
                        new TableMessage.TableRows(node(2), TableDigest.NONE, List.of(wild), List.of()),
                        world.now(),
                        new Effects());
        assertThat(world.at(node(2)).table().isEmpty()).isTrue();
    }

    /** The world fails if somebody wants to be woken in the past. */
    @Test
    void whoHasNothingLeftToAskForSleeps() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 18, 0);
        world.converged(false);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(SECOND);
        world.at(node(2)).want(path("a/b"), spec(1), world.now());
        world.pass(5 * SECOND);
        assertThat(world.refusals()).hasSize(1);
        assertThat(world.at(node(2)).nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatEndsMakesRoomForWhatLiesInside() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 19, 0);
        world.at(node(1)).want(path("a"), spec(1), world.now());
        world.pass(2 * SECOND);
        world.at(node(1)).end(path("a"), world.now());
        world.at(node(1)).want(path("a/b"), spec(1), world.now());
        world.pass(3 * SECOND);
        assertThat(world.refusals()).isEmpty();
        assertThat(instances(world, "a")).isEmpty();
        assertThat(world.running("a/b")).hasSize(1);
    }
}
