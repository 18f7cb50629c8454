package dev.muster.core.partition;

import static dev.muster.core.partition.KeeperWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.exchange.TableMessage.TableParts;
import dev.muster.core.exchange.TableMessage.TableRows;
import dev.muster.core.exchange.TableMessage.TableStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.TableDigest;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableGossipTest {
    private static final PartitionSpec SPEC = new PartitionSpec(1, "", HandoffPolicy.stateless());

    private static NodeId node(int number) {
        return new NodeId(new NodeAddress("muster", "test", String.format("n%04d", number), 1), number);
    }

    private static ClusterState members(int count) {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            members.add(new Member(node(i), MemberStatus.UP, i, List.of("dc-default", "muster-1"), "1"));
        }
        return ClusterState.of(
                Members.of(members),
                Tombstones.NONE,
                Reachability.ALL_REACHABLE,
                VectorClock.of(new String[0], new long[0]),
                SeenSet.NOBODY);
    }

    private static List<PartitionEntry> rows(int from, int to, long epoch) {
        List<PartitionEntry> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(new PartitionEntry(
                    new PartitionPath("p/" + i), epoch, node(1), SPEC, List.of(node(1 + i % 3)), false));
        }
        return rows;
    }

    private static List<TableMessage> said(Effects effects) {
        return effects.list().stream()
                .map(effect -> (TableMessage) ((Effect.SendMessage) effect).message())
                .toList();
    }

    @Test
    void whoHasHadTheTableIsInformedWhateverIsWrittenSince() {
        ClusterState state = members(3);
        Member second = state.members().find(node(2)).orElseThrow();
        TableGossip gossip = new TableGossip(node(1), new SplittableRandom(1));
        assertThat(gossip.isInformed(second)).isTrue(); // there is nothing to know
        TableDigest none = gossip.table().digest();
        gossip.write(state, rows(0, 2, 1), 1, new Effects());
        assertThat(gossip.isInformed(second)).isFalse();
        gossip.onStatus(node(2), new TableStatus(node(1), none, false), new Effects());
        assertThat(gossip.isInformed(second)).isFalse();
        TableDigest first = gossip.table().digest();
        gossip.write(state, rows(2, 4, 2), 2, new Effects());
        gossip.onStatus(node(2), new TableStatus(node(1), first, false), new Effects());
        assertThat(gossip.isInformed(second)).isTrue();
        assertThat(gossip.hasConverged(state)).isFalse();
        gossip.write(state, rows(4, 6, 3), 3, new Effects());
        assertThat(gossip.isInformed(second)).isTrue();
        assertThat(gossip.isInformed(state.members().find(node(3)).orElseThrow()))
                .isFalse();
    }

    /** One that a leader before wrote to it alone, for example: what is written now could have the same epoch. */
    @Test
    void whoSaysThatItHasAnotherTableHasNotTheSameAnyMore() {
        ClusterState state = members(2);
        TableGossip leader = agreed(state);
        TableGossip other = new TableGossip(node(2), new SplittableRandom(2));
        other.write(state, rows(0, 3, 2), 1, new Effects());

        leader.onStatus(node(2), new TableStatus(node(1), other.table().digest(), false), new Effects());
        assertThat(leader.hasConverged(state)).isFalse();

        leader.onStatus(node(2), new TableStatus(node(1), leader.table().digest(), false), new Effects());
        assertThat(leader.hasConverged(state)).isTrue();
        TableDigest former = PartitionTable.EMPTY.digest();
        leader.onStatus(node(2), new TableStatus(node(1), former, false), new Effects());
        assertThat(leader.hasConverged(state))
                .as("after a word that has only come late")
                .isTrue();
    }

    /** A write that is too large for one message comes in several, all of the same epoch. */
    @Test
    void whoHasOneHalfOfAWriteIsNotTakenToHaveTheOther() {
        ClusterState state = members(3);
        TableGossip gossip = new TableGossip(node(2), new SplittableRandom(1));
        gossip.onRows(state, node(1), half(0, 2), 1, new Effects());
        gossip.onStatus(node(3), new TableStatus(node(2), gossip.table().digest(), false), new Effects());
        assertThat(gossip.knownChanges(node(3))).isEqualTo(gossip.changes());
        gossip.onRows(state, node(1), half(2, 4), 2, new Effects());
        assertThat(gossip.knownChanges(node(3))).isLessThan(gossip.changes());
        gossip.onStatus(node(3), new TableStatus(node(2), gossip.table().digest(), false), new Effects());
        assertThat(gossip.knownChanges(node(3))).isEqualTo(gossip.changes()).isEqualTo(gossip.knownChanges(node(2)));
    }

    private static TableRows half(int from, int to) {
        return new TableRows(node(2), TableDigest.NONE, rows(from, to, 7), List.of());
    }

    @Test
    void whoWasSilentAndHasGoneIsNotWaitedFor() {
        TableGossip gossip = agreed(members(2));
        assertThat(gossip.hasConverged(members(3))).isFalse();
        assertThat(gossip.hasConverged(members(2))).isTrue();
        assertThat(gossip.hasConverged(members(3))).isFalse();
    }

    /** As long as it does not lead, what it hears may be of the time of another leader. */
    @Test
    void whoLeadsCountsWhatItHearsFromThenOnUntilAnotherOneLeads() {
        ClusterState state = members(2);
        TableGossip gossip = agreed(state);
        TableStatus same = new TableStatus(node(1), gossip.table().digest(), false);
        assertThat(gossip.isSettled(state)).isFalse();
        assertThat(gossip.isSettled(members(1))).as("alone").isTrue();
        gossip.lead(true, false, 2);
        gossip.onStatus(node(2), same, new Effects());
        assertThat(gossip.isSettled(state)).as("before all know that it leads").isFalse();
        for (int i = 0; i < 2; i++) {
            gossip.lead(true, true, 3);
            assertThat(gossip.isSettled(state)).isFalse();
            gossip.onStatus(node(2), same, new Effects());
            gossip.lead(true, true, 4);
            gossip.lead(true, false, 5);
            gossip.lead(true, true, 6);
            assertThat(gossip.isSettled(state)).isTrue();
            gossip.lead(false, true, 7);
            assertThat(gossip.isSettled(state)).isFalse();
        }
    }

    @Test
    void whoCouldNotBeReachedIsAskedAgain() {
        ClusterState state = members(2);
        TableGossip leader = agreed(state);
        ClusterState apart = state.withReachability(
                node(1), state.reachability().marked(node(1), node(2), ReachabilityStatus.UNREACHABLE));
        leader.follow(apart, 2);
        assertThat(leader.hasConverged(state)).isFalse();

        leader.follow(state, 3);
        Effects effects = new Effects();
        leader.tick(state, 3, effects);
        assertThat(said(effects))
                .contains(new TableStatus(node(2), leader.table().digest(), true));
    }

    private static TableGossip agreed(ClusterState state) {
        TableGossip leader = new TableGossip(node(1), new SplittableRandom(1));
        leader.write(state, rows(0, 2, 1), 1, new Effects());
        leader.follow(state, 1);
        leader.onStatus(node(2), new TableStatus(node(1), leader.table().digest(), false), new Effects());
        assertThat(leader.hasConverged(state)).isTrue();
        return leader;
    }

    @ParameterizedTest
    @CsvSource({"2,1", "33,1", "34,2", "34,34", "200,7", "1000,999"})
    void everybodyIsToldOnceOfWhatSomebodyWrites(int count, int writer) {
        ClusterState state = members(count);
        TreeMap<NodeId, Integer> told = new TreeMap<>();
        for (int i = 1; i <= count; i++) {
            NewsTree.next(state, node(writer), node(i)).forEach(it -> told.merge(it, 1, Integer::sum));
        }
        assertThat(told).hasSize(count - 1).doesNotContainKey(node(writer));
        assertThat(told.values()).containsOnly(1);
    }

    @Test
    void ofAWriterThatHasGoneNobodyIsToldByHimself() {
        ClusterState state = members(100);
        for (int i = 1; i <= 100; i++) {
            assertThat(NewsTree.next(state, node(500), node(i)))
                    .doesNotContain(node(i))
                    .hasSizeLessThanOrEqualTo(3);
        }
    }

    /** All but the last part say nothing of the table, on every station of their way, or each would be asked about. */
    @Test
    void aLargeWriteIsPassedOnInPartsAndCausesNoQuestions() {
        ClusterState state = members(100);
        TableGossip writer = new TableGossip(node(1), new SplittableRandom(1));
        Effects written = new Effects();
        writer.write(state, rows(0, 1_000, 1), SECOND, written);
        List<TableMessage> toSecond =
                said(written).stream().filter(it -> it.to().equals(node(2))).toList();
        assertThat(toSecond.size()).isGreaterThan(2);

        TableGossip second = new TableGossip(node(2), new SplittableRandom(2));
        Effects passedOn = new Effects();
        toSecond.forEach(it -> second.onRows(state, node(1), (TableRows) it, SECOND, passedOn));

        assertThat(second.table().digest()).isEqualTo(writer.table().digest());
        List<TableMessage> statuses =
                said(passedOn).stream().filter(TableStatus.class::isInstance).toList();
        assertThat(statuses)
                .containsExactly(new TableStatus(node(1), writer.table().digest(), false));
        for (NodeId next : NewsTree.next(state, node(1), node(2))) {
            assertThat(said(passedOn).stream().filter(it -> it.to().equals(next)))
                    .extracting(it -> ((TableRows) it).digest())
                    .hasSameSizeAs(toSecond)
                    .endsWith(writer.table().digest())
                    .filteredOn(TableDigest.NONE::equals)
                    .hasSize(toSecond.size() - 1);
        }
    }

    @Test
    void whoIsOnlyLateIsSentWhatHasComeSince() {
        ClusterState state = members(3);
        TableGossip leader = new TableGossip(node(1), new SplittableRandom(1));
        TableGossip late = new TableGossip(node(2), new SplittableRandom(2));
        Effects effects = new Effects();
        leader.write(state, rows(0, 500, 1), SECOND, effects);
        said(effects).stream()
                .filter(it -> it.to().equals(node(2)))
                .forEach(it -> late.onRows(state, node(1), (TableRows) it, SECOND, new Effects()));
        leader.write(state, rows(0, 5, 2), SECOND, new Effects());
        leader.write(state, rows(3, 8, 3), SECOND, new Effects());

        Effects asked = new Effects();
        late.onStatus(node(1), new TableStatus(node(2), leader.table().digest(), true), asked);
        Effects answered = new Effects();
        leader.onParts(node(2), (TableParts) said(asked).get(0), answered);

        TableRows news = (TableRows) said(answered).get(0);
        assertThat(said(answered)).hasSize(1);
        assertThat(news.rows()).hasSize(8);
        assertThat(news.parts()).isEmpty();
        late.onRows(state, node(1), news, SECOND, new Effects());
        assertThat(late.table().digest()).isEqualTo(leader.table().digest());
    }

    @Test
    void aNewLeaderDoesNotWaitASecondForEveryThirtyTwo() {
        ClusterState state = members(200);
        TableGossip leader = new TableGossip(node(1), new SplittableRandom(1));
        leader.write(state, rows(0, 5, 1), SECOND, new Effects());
        long now = 3 * SECOND;
        for (int round = 0; round < 10 && !leader.hasConverged(state); round++) {
            Effects effects = new Effects();
            leader.tick(state, now, effects);
            for (TableMessage message : said(effects)) {
                if (((TableStatus) message).wantsAnswer()) {
                    leader.onStatus(
                            message.to(),
                            new TableStatus(node(1), leader.table().digest(), false),
                            new Effects());
                }
            }
            now = leader.nextWakeUpNanos();
        }
        assertThat(leader.hasConverged(state)).isTrue();
        assertThat(now).isLessThan(5 * SECOND);
    }

    @Test
    void aThousandWishesAreSaidOnceEach() {
        PartitionWishes wishes = new PartitionWishes();
        TableGossip nobody = new TableGossip(node(2), new SplittableRandom(2));
        int messages = 0;
        for (int i = 0; i < 1_000; i++) {
            wishes.want(new PartitionPath("p/" + i), SPEC, SECOND);
            messages += wishes.due(nobody.table(), node(1), SECOND).size();
        }
        assertThat(messages).isEqualTo(1_000);
        assertThat(wishes.due(nobody.table(), node(1), SECOND)).isEmpty();
        assertThat(wishes.due(nobody.table(), node(1), 2 * SECOND)).hasSize(1_000);
    }
}
