package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperTalk.BACKEND;
import static dev.muster.core.partition.KeeperTalk.MUSTER;
import static dev.muster.core.partition.KeeperTalk.alone;
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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.Tombstones;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was lost with a host runs elsewhere, after the margin where it must be alone. */
class LostInstancesTest {
    @Test
    void whenAHostGoesItsInstancesRunElsewhere() {
        KeeperWorld world = new KeeperWorld(state(ups(4)), 5, 0);
        world.at(node(1)).want(path("a"), spec(2), world.now());
        world.pass(2 * SECOND);
        long epoch = world.table().find(path("a")).orElseThrow().epoch();
        List<Member> left = new ArrayList<>(ups(4));
        left.remove(0);
        world.become(state(left));
        world.pass(SECOND / 10);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 3));
        assertThat(world.running("a")).isEqualTo(nodes(2, 3));
        assertThat(world.table().find(path("a")).orElseThrow().epoch()).isGreaterThan(epoch);
    }

    @Test
    void oneThatMustBeAloneWaitsUntilTheOldOneHasSurelyEnded() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 6, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        world.become(state(ups(3).subList(1, 3)));
        world.pass(2 * SECOND + SECOND / 2);
        assertThat(world.running("only")).isEmpty();
        world.pass(SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(2));
    }

    /** Each instance that is lost waits for its own host, whoever else lives; what is wanted besides does not wait. */
    @Test
    void ofSeveralThatMustBeAloneOnlyTheLostOneWaits() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("a"), alone(3), world.now());
        world.at(node(5)).want(path("b"), spec(5), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(1, 2, 3));
        world.become(state(ups(5).subList(1, 5)));
        world.pass(SECOND);
        assertThat(instances(world, "a")).isEqualTo(nodes(2, 3));
        assertThat(world.at(node(2)).explain(state(ups(5).subList(1, 5)), true, path("a"), world.now()))
                .contains("an instance waits for the down-removal-margin, because " + node(1)
                        + " may not know yet that it was removed");
        world.become(state(ups(5).subList(2, 5)));
        world.pass(SECOND + SECOND / 2);
        assertThat(instances(world, "a")).isEqualTo(nodes(3));
        world.pass(SECOND);
        assertThat(world.running("a")).as("the first has been waited for").hasSize(2);
        world.pass(SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(3, 4, 5));
    }

    @Test
    void growthDoesNotWaitForThoseThatAreGone() {
        KeeperWorld world = new KeeperWorld(state(ups(6)), 6, 0);
        world.at(node(5)).want(path("a"), alone(2), world.now());
        world.at(node(5)).want(path("b"), alone(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(1, 2));
        List<Member> left = new ArrayList<>(ups(6));
        left.remove(1);
        world.become(state(left));
        world.at(node(5)).want(path("a"), alone(4), world.now());
        world.at(node(5)).want(path("b"), alone(2), world.now());
        world.pass(SECOND);
        assertThat(world.running("a")).as("one waits").hasSize(3);
        assertThat(world.running("b")).as("nothing of it was lost").hasSize(2);
        world.at(node(5)).want(path("a"), alone(1), world.now());
        world.pass(SECOND);
        assertThat(world.running("a"))
                .as("who lives is not ended for one that is lost")
                .hasSize(1);
    }

    @Test
    void whatLoadHadDecidedIsThereAgainAfterTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("a"), alone(3), world.now());
        world.pass(2 * SECOND);
        world.at(node(5)).want(path("a"), new PartitionSpec(1, 4, 0, "", HandoffPolicy.singleton()), world.now());
        world.pass(SECOND);
        world.become(state(ups(5).subList(1, 5)));
        world.pass(2 * SECOND);
        assertThat(world.running("a")).isEqualTo(nodes(2, 3));
        world.pass(2 * SECOND);
        assertThat(world.running("a")).hasSize(3);
    }

    /** The leader goes as well, when the row does not tell any more whom to wait for. */
    @Test
    void theNextLeaderWaitsTooForWhoWasLost() {
        KeeperWorld world = new KeeperWorld(state(ups(5)), 6, 0);
        world.at(node(5)).want(path("b"), spec(2), world.now());
        world.pass(2 * SECOND);
        world.at(node(5)).want(path("c"), alone(2), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("c")).isEqualTo(nodes(3, 4));
        List<Member> left = new ArrayList<>(ups(5));
        left.remove(2);
        world.become(state(left));
        world.pass(SECOND);
        assertThat(instances(world, "c")).isEqualTo(nodes(4));
        left.remove(0);
        world.become(state(left));
        world.pass(SECOND + SECOND / 2);
        assertThat(world.running("c")).isEqualTo(nodes(4));
        world.pass(SECOND);
        assertThat(world.running("c")).hasSize(2);
    }

    @Test
    void oneThatMustBeAloneStaysOnAHostThatGoesWithoutHandingOver() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 6, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(3)).want(path("other"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("other")).isEqualTo(nodes(2));
        world.become(state(with(ups(3), MemberStatus.EXITING, 1, 2)));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        world.become(state(with(ups(3), MemberStatus.DOWN, 1, 2)));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEqualTo(nodes(1));
        assertThat(world.running("other")).contains(node(3)); // who is down is told nothing
        assertThat(world.moves()).isEmpty();
    }

    /** It may be at work all the same, and not know that nobody counts on it any more. */
    @Test
    void whatAMemberHadThatWentBeforeItHadHandedOverWaitsForTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(3)), 27, 0);
        world.movesEnd(false);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(1));
        world.become(state(with(ups(3), MemberStatus.LEAVING, 1)));
        world.pass(61 * SECOND);
        world.become(state(with(ups(3), MemberStatus.EXITING, 1)));
        world.pass(SECOND);
        world.become(state(ups(3).subList(1, 3)));
        world.pass(5 * SECOND / 2);
        assertThat(world.running("only")).isEmpty();
        world.pass(SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    /** It leads as soon as it is up, because of its address, and has not seen anybody go. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatComesAfterAHostHasGoneWaitsForTheMarginToo(boolean isRowEmptied) {
        KeeperWorld world = new KeeperWorld(state(ups(3).subList(1, 3)), 28, 0);
        world.at(node(3)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(instances(world, "only")).isEqualTo(nodes(2));
        world.converged(isRowEmptied);
        world.become(state(ups(3).subList(2, 3)));
        world.pass(SECOND / 2);
        assertThat(instances(world, "only")).isEqualTo(isRowEmptied ? List.of() : nodes(2));
        world.become(state(List.of(up(1, MUSTER), up(3, MUSTER))));
        world.converged(true);
        world.pass(2 * SECOND);
        assertThat(world.running("only")).doesNotContain(node(1), node(3));
        world.pass(2 * SECOND);
        assertThat(world.running("only")).containsAnyOf(node(1), node(3));
    }

    /** All who had the table are gone, so nobody can tell whether the partition is new. */
    @Test
    void whereSomebodyHasGoneBeforeAnybodyCameNewPartitionsWaitForTheMargin() {
        KeeperWorld world = new KeeperWorld(state(ups(2), Tombstones.NONE.with(node(3), 1)), 28, 0);
        world.at(node(2)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.at(node(2)).want(path("any"), spec(1), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEmpty();
        assertThat(world.running("any")).hasSize(1);
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    @Test
    void whoIsTheLastOneLeftWaitsForTheMarginToo() {
        KeeperWorld world = new KeeperWorld(state(ups(1), Tombstones.NONE.with(node(3), 1)), 28, 0);
        world.at(node(1)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    @Test
    void inAYoungClusterNewPartitionsWaitForNobody() {
        KeeperWorld world = new KeeperWorld(state(ups(2)), 28, 0);
        world.at(node(2)).want(path("only"), new PartitionSpec(1, "", HandoffPolicy.singleton()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("only")).hasSize(1);
    }

    /** One says that it goes, the other is thrown out; either may be at the last message of what has ended there. */
    @Test
    void ofSeveralThatEndedOnHostsWhichGoInDifferentWaysEachIsWaitedFor() {
        List<String> old = List.of("dc-default", "muster-1", "old");
        List<Member> all = List.of(up(1, BACKEND), up(2, BACKEND), up(3, old), up(4, old));
        KeeperWorld world = new KeeperWorld(state(all), 12, 0);
        world.at(node(1)).want(path("two"), new PartitionSpec(2, "old", HandoffPolicy.disposable()), world.now());
        world.pass(2 * SECOND);
        assertThat(world.running("two")).isEqualTo(nodes(3, 4));
        world.at(node(1)).end(path("two"), world.now());
        world.at(node(1)).want(path("two"), new PartitionSpec(2, "backend", HandoffPolicy.disposable()), world.now());
        world.pass(60 * SECOND);
        assertThat(world.running("two")).isEmpty();

        world.become(state(with(all, MemberStatus.EXITING, 3)));
        world.pass(SECOND);
        world.become(state(with(all.subList(0, 2), MemberStatus.UP)));
        long margin = PartitionSettings.defaults().downRemovalMargin().toNanos();
        world.pass(margin - 1);
        assertThat(world.running("two")).isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.running("two")).isEqualTo(nodes(1, 2));
    }

    @Test
    void aNegativeMarginIsRefused() {
        assertThatThrownBy(() -> PartitionSettings.defaults().withDownRemovalMargin(Duration.ofSeconds(-1)))
                .hasMessage("down-removal-margin must not be negative, was PT-1S");
    }
}
