package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static dev.muster.core.partition.KeeperWorld.members;
import static dev.muster.core.partition.KeeperWorld.node;
import static dev.muster.core.partition.KeeperWorld.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage.TableStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is asked knows soon whether all have the table that it has, and nobody acts on that. */
class TableAgreementTest {
    private static final PartitionPath PATH = new PartitionPath("a");
    private static final PartitionSpec SPEC = new PartitionSpec(1, "", HandoffPolicy.stateless());

    private static ClusterState cluster(int size) {
        return members(IntStream.rangeClosed(1, size).toArray());
    }

    private static long knowing(KeeperWorld world, ClusterState state) {
        return world.nodes().stream()
                .filter(it -> world.at(it).isKnownToAll(state))
                .count();
    }

    private static int log2(int number) {
        return 32 - Integer.numberOfLeadingZeros(number - 1);
    }

    @ParameterizedTest
    @CsvSource({"2,0", "5,0", "5,0.2", "40,0", "40,0.2", "200,0", "200,0.2"})
    void everybodyKnowsItSoon(int size, double loss) {
        ClusterState state = cluster(size);
        KeeperWorld world = new KeeperWorld(state, size, loss);
        world.at(node(2)).want(PATH, SPEC, world.now());
        while (!world.at(node(1)).hasConverged(state)
                || world.at(node(1)).table().isEmpty()) {
            world.pass(SECOND / 4);
        }
        world.pass(2L * log2(size) * SECOND);
        assertThat(knowing(world, state)).isEqualTo(size);
    }

    @Test
    void withoutLossItTakesOneRound() {
        ClusterState state = cluster(200);
        KeeperWorld world = new KeeperWorld(state, 1, 0);
        world.at(node(2)).want(PATH, SPEC, world.now());
        world.pass(2 * SECOND);
        assertThat(knowing(world, state)).isEqualTo(200);
    }

    @Test
    void anotherTableIsAnotherMatter() {
        ClusterState state = cluster(5);
        KeeperWorld world = new KeeperWorld(state, 1, 0);
        world.at(node(2)).want(PATH, SPEC, world.now());
        world.pass(3 * SECOND);
        assertThat(knowing(world, state)).isEqualTo(5);

        world.deafen(node(5));
        world.at(node(2)).want(new PartitionPath("b"), SPEC, world.now());
        world.pass(10 * SECOND);
        assertThat(knowing(world, state)).as("who has heard of nothing new").isEqualTo(1);

        world.deafen(null);
        world.pass(3 * SECOND);
        assertThat(knowing(world, state)).isEqualTo(5);
    }

    @Test
    void otherMembersAreAnotherMatter() {
        ClusterState state = cluster(4);
        KeeperWorld world = new KeeperWorld(state, 1, 0);
        world.at(node(2)).want(PATH, SPEC, world.now());
        world.pass(3 * SECOND);

        ClusterState more = with(cluster(5), MemberStatus.JOINING, 5);
        world.become(more);
        world.deafen(node(5));
        world.pass(10 * SECOND);
        assertThat(knowing(world, more)).isZero();
        assertThat(knowing(world, state)).as("still true of those before").isPositive();
        world.deafen(null);
        world.pass(3 * SECOND);
        assertThat(knowing(world, more)).isEqualTo(5);

        world.become(with(cluster(5), MemberStatus.DOWN, 5));
        world.pass(SECOND);
        assertThat(knowing(world, with(cluster(5), MemberStatus.DOWN, 5)))
                .as("nobody waits for who is down")
                .isEqualTo(5);
    }

    /** Others have said so, but this node may be about to lead, and has not heard from all itself. */
    @Test
    void nobodyActsOnIt() {
        ClusterState state = cluster(40);
        KeeperWorld world = new KeeperWorld(state, 1, 0);
        world.at(node(2)).want(PATH, SPEC, world.now());
        world.pass(3 * SECOND / 2);
        PartitionKeeper next = world.at(node(2));
        assertThat(next.isKnownToAll(state)).isTrue();
        assertThat(next.hasConverged(state)).isFalse();

        ClusterState later = with(cluster(41), MemberStatus.JOINING, 41);
        Member newcomer = later.members().find(node(41)).orElseThrow();
        assertThat(next.mayComeUp(later, newcomer)).isFalse();
        ClusterState without = members(IntStream.rangeClosed(2, 40).toArray());
        assertThat(next.isKnownToAll(without)).as("as the leader").isFalse();
    }

    @Test
    void atRestNothingIsSaidOfItAndNobodyAsks() {
        ClusterState state = cluster(3);
        TableGossip leader = new TableGossip(node(1), new SplittableRandom(1));
        TableGossip follower = new TableGossip(node(2), new SplittableRandom(2));
        List<PartitionEntry> rows = List.of(new PartitionEntry(PATH, 1, node(1), SPEC, List.of(node(1)), false));
        leader.write(state, rows, SECOND, new Effects());
        leader.lead(true, true, SECOND);
        follower.write(state, rows, SECOND, new Effects());
        leader.onStatus(node(2), status(node(1), leader, 0), new Effects());
        assertThat(round(leader, state, 2 * SECOND))
                .filteredOn(it -> it.knownTo() != 0)
                .isEmpty();
        assertThat(round(follower, state, 2 * SECOND)).hasSize(1).noneMatch(TableStatus::wantsAnswer);
        assertThat(round(follower, state, 3 * SECOND)).hasSize(1).allMatch(TableStatus::wantsAnswer);

        leader.onStatus(node(3), status(node(1), leader, 0), new Effects());
        List<TableStatus> told = round(leader, state, 3 * SECOND);
        assertThat(told)
                .filteredOn(it -> it.knownTo() != 0)
                .extracting(TableStatus::to)
                .containsExactly(node(2), node(3));
        follower.learnAgreement(state, told.get(0), new Effects());

        assertThat(round(leader, state, 4 * SECOND)).hasSize(1).allMatch(it -> it.knownTo() == 0 && !it.wantsAnswer());
        assertThat(round(follower, state, 4 * SECOND))
                .hasSize(1)
                .allMatch(it -> it.knownTo() == 0 && !it.wantsAnswer());
        Effects answer = new Effects();
        follower.onStatus(node(3), new TableStatus(node(2), follower.table().digest(), true), answer);
        assertThat(said(answer))
                .containsExactly(status(node(3), follower, told.get(0).knownTo()));
    }

    /** News of the leader before may be on its way still, of those who said to that one that they have it. */
    @Test
    void whoBeginsToLeadSaysItOnlyWhenAllHaveSaidSoAnew() {
        ClusterState state = cluster(2);
        TableGossip next = new TableGossip(node(1), new SplittableRandom(1));
        List<PartitionEntry> rows = List.of(new PartitionEntry(PATH, 1, node(1), SPEC, List.of(node(1)), false));
        next.write(state, rows, SECOND, new Effects());
        next.onStatus(node(2), status(node(1), next, 0), new Effects());
        assertThat(next.hasConverged(state)).isTrue();
        assertThat(round(next, state, 2 * SECOND)).noneMatch(it -> it.knownTo() != 0);

        next.lead(true, true, 2 * SECOND);
        next.onStatus(node(2), status(node(1), next, 0), new Effects());
        assertThat(round(next, state, 3 * SECOND)).anyMatch(it -> it.knownTo() != 0);
    }

    private static TableStatus status(NodeId to, TableGossip of, int knownTo) {
        return new TableStatus(to, of.table().digest(), false, knownTo);
    }

    private static List<TableStatus> round(TableGossip gossip, ClusterState state, long nowNanos) {
        Effects effects = new Effects();
        gossip.follow(state, nowNanos);
        gossip.tick(state, nowNanos, effects);
        return said(effects);
    }

    private static List<TableStatus> said(Effects effects) {
        return effects.list().stream()
                .map(effect -> (TableStatus) ((Effect.SendMessage) effect).message())
                .toList();
    }

    /** What is on its way when members change may arrive before or after that is known here. */
    @Test
    void aWordThatComesLateOrEarlyIsKeptOnlyIfItIsOfUse() {
        Members four = cluster(4).members();
        Members five = cluster(5).members();
        int ofFour = heard(four);
        int ofFive = heard(five);
        assertThat(ofFour).isNotEqualTo(ofFive).isPositive();
        TableAgreement agreement = new TableAgreement();

        assertThat(agreement.learn(ofFive, four)).as("early").isFalse();
        assertThat(agreement.isKnown(four)).isFalse();
        assertThat(agreement.isKnown(five)).isTrue();
        assertThat(agreement.learn(ofFour, five)).as("late").isFalse();
        assertThat(agreement.isKnown(five)).isTrue();
        assertThat(agreement.learn(ofFive, five)).as("again").isFalse();
        agreement.forget();
        assertThat(agreement.isKnown(five)).isFalse();
        assertThat(agreement.learn(0, five)).isFalse();
        assertThat(agreement.learn(ofFive, five)).isTrue();
    }

    private static int heard(Members members) {
        TableAgreement leader = new TableAgreement();
        assertThat(leader.heardFromAll(members)).isTrue();
        assertThat(leader.heardFromAll(members)).isFalse();
        return leader.knownTo();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aClusterOfAnySizeHasAMark(int size) {
        assertThat(heard(cluster(size).members())).isPositive();
    }
}
