package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.nodes;
import static dev.muster.core.partition.Layouts.up;
import static dev.muster.core.partition.LoadWorld.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.LoadMessage.AskLoad;
import dev.muster.core.exchange.LoadMessage.LoadSamples;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.ReachabilityStatus;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadGossipTest {
    private static final long FAR_AHEAD = LoadGossip.GREATEST_LEAP - 1;

    // ---- Small clusters.

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void inASmallClusterAllKnowAllAfterAFewRounds(long seed) {
        LoadWorld world = new LoadWorld(cluster(10), seed, 0);
        run(world, 6);

        for (int round = 0; round < 100; round++) {
            // Each begins one exchange, which takes two messages.
            assertThat(world.round()).hasSizeLessThanOrEqualTo(2 * 10);
            for (int number = 1; number <= 10; number++) {
                assertThat(world.oldestKnownTo(number)).isLessThan(7);
            }
        }
    }

    @Test
    void inTheLargestClusterThatGossipsSamplesAreNotMuchOlder() {
        LoadWorld world = new LoadWorld(cluster(LoadGossip.MOST_GOSSIPING), 7, 0);
        run(world, 8);

        for (int round = 0; round < 100; round++) {
            assertThat(world.round()).hasSizeLessThanOrEqualTo(2 * LoadGossip.MOST_GOSSIPING);
            for (int number = 1; number <= LoadGossip.MOST_GOSSIPING; number++) {
                assertThat(world.oldestKnownTo(number)).isLessThan(9);
            }
        }
    }

    @Test
    void lostMessagesOnlyDelay() {
        LoadWorld world = new LoadWorld(cluster(10), 8, 0.3);
        run(world, 20);

        for (int round = 0; round < 50; round++) {
            world.round();
            assertThat(world.oldestKnownTo(1)).isLessThan(20);
        }
    }

    @Test
    void whatSomebodyKnowsIsNotSaidAgain() {
        LoadWorld world = new LoadWorld(cluster(2), 1, 0);
        run(world, 3);

        // The other one's sample came from there.
        assertThat(world.round())
                .hasSize(2)
                .allSatisfy(said -> assertThat(samplesIn(said))
                        .hasSize(1)
                        .noneMatch(sample -> sample.node().equals(said.to())));
    }

    @Test
    void messagesFitIntoTheSmallestFrame() {
        LoadWorld world = new LoadWorld(cluster(20), 1, 0);
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            mailboxes.put(new PartitionPath("a".repeat(250) + "/" + (10 + i)), 1_000L + i);
        }
        world.mailboxes(mailboxes);
        run(world, 10);

        List<LoadMessage> said = world.round();

        assertThat(said)
                .hasSizeGreaterThan(20)
                .allSatisfy(message -> assertThat(samplesIn(message).stream()
                                .mapToInt(LoadGossip::bytesOf)
                                .sum())
                        .isBetween(1, LoadGossip.BYTES_AT_ONCE));
        assertThat(world.at(1).table().samples()).hasSize(20);
    }

    @Test
    void aNodeAloneSaysNothing() {
        LoadWorld world = new LoadWorld(cluster(1), 1, 0);

        assertThat(world.round()).isEmpty();
        assertThat(world.at(1).table().samples()).hasSize(1);
    }

    @Test
    void roundsComeAtTheirTimeAndTheFirstAtOnce() {
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        gossip.measured(0, 0, new TreeMap<>());
        long second = 1_000_000_000L;
        assertThat(gossip.nextWakeUpNanos()).isLessThan(0);

        assertThat(ticked(gossip, cluster(2), 0)).hasSize(1);
        assertThat(gossip.nextWakeUpNanos()).isEqualTo(5 * second);
        gossip.measured(0, 0, new TreeMap<>());
        assertThat(ticked(gossip, cluster(2), 5 * second - 1)).isEmpty();
        assertThat(ticked(gossip, cluster(2), 5 * second)).hasSize(1);
    }

    // ---- Large clusters.

    @Test
    void inALargeClusterTheLeaderHasAPictureThatIsNeverOld() {
        LoadWorld world = new LoadWorld(cluster(100), 4711, 0);
        run(world, 40);

        for (int round = 0; round < 300; round++) {
            List<LoadMessage> said = world.round();
            // Two neighbours of each, eight questions and as many answers.
            assertThat(said).hasSize(2 * 100 + 2 * 8);
            assertThat(said.stream().filter(AskLoad.class::isInstance)).hasSize(8);
            assertThat(world.oldestKnownTo(1)).isLessThan(60);
        }
    }

    @Test
    void inALargeClusterOthersKnowTheirNeighboursOnly() {
        LoadWorld world = new LoadWorld(cluster(100), 4711, 0);
        run(world, 5);

        assertThat(world.at(50).table().samples()).extracting(LoadSample::node).isEqualTo(nodes(49, 50, 51));
    }

    @Test
    void whoLedOnceForgetsWhatItKnewThen() {
        LoadWorld world = new LoadWorld(cluster(40), 1, 0);
        run(world, 30);
        assertThat(world.at(1).table().samples()).hasSize(40);

        StateBuilder next = StateBuilder.aState().with(up(0, Member.MUSTER_ROLE));
        cluster(40).members().forEach(next::with);
        world.become(next.build());
        world.round();

        assertThat(world.at(1).table().samples()).hasSizeLessThan(4);
    }

    @Test
    void aClusterThatGrowsGoesOverToTheChordAndBack() {
        LoadWorld world = new LoadWorld(cluster(LoadGossip.MOST_GOSSIPING), 1, 0);
        run(world, 20);

        world.become(cluster(LoadGossip.MOST_GOSSIPING + 1));
        assertThat(world.round().stream().filter(AskLoad.class::isInstance)).hasSize(8);
        run(world, 40);
        assertThat(world.oldestKnownTo(1)).isLessThan(25);

        world.become(cluster(LoadGossip.MOST_GOSSIPING));
        assertThat(world.round().stream().filter(AskLoad.class::isInstance)).isEmpty();
        assertThat(world.at(1).table().of(node(LoadGossip.MOST_GOSSIPING + 1))).isEmpty();
    }

    // ---- Who is spoken to.

    @ParameterizedTest
    @ValueSource(ints = {3, 50})
    void nobodyThatCannotBeReachedIsSpokenTo(int size) {
        StateBuilder state = StateBuilder.aState();
        for (int number = 1; number <= size; number++) {
            state.with(up(number, Member.MUSTER_ROLE));
        }
        for (int number = 3; number <= size; number++) {
            state.says(node(2), node(number), ReachabilityStatus.UNREACHABLE);
        }
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        gossip.measured(0, 0, new TreeMap<>());

        assertThat(ticked(gossip, state.build(), 0))
                .isNotEmpty()
                .allMatch(said -> said.to().equals(node(2)));
    }

    @Test
    void onlyMembersThatHaveATableTakePart() {
        ClusterState state = StateBuilder.aState()
                .with(up(1, Member.MUSTER_ROLE))
                .with(up(2))
                .with(up(3, Member.MUSTER_ROLE))
                .with(new Member(node(4), MemberStatus.DOWN, 5, List.of(Member.MUSTER_ROLE), "1.0"))
                .build();
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        for (int round = 0; round < 20; round++) {
            gossip.measured(0, 0, new TreeMap<>());
            assertThat(ticked(gossip, state, Duration.ofSeconds(5L * round).toNanos()))
                    .allMatch(said -> said.to().equals(node(3)));
        }
        List<LoadSample> samples = List.of(sample(2, 1), sample(3, 1), sample(4, 1), sample(5, 1));
        Effects effects = new Effects();
        for (int stranger : new int[] {2, 4, 5}) {
            gossip.onMessage(state, node(stranger), new LoadSamples(node(1), samples), effects);
            gossip.onMessage(state, node(stranger), new AskLoad(node(1)), effects);
        }
        assertThat(gossip.table().samples()).hasSize(1);
        assertThat(effects.list()).isEmpty();

        gossip.onMessage(state, node(3), new LoadSamples(node(1), samples), effects);
        assertThat(gossip.table().samples()).extracting(LoadSample::node).isEqualTo(nodes(1, 3));
    }

    @Test
    void whoHasGoneIsForgotten() {
        LoadWorld world = new LoadWorld(cluster(5), 1, 0);
        run(world, 10);

        world.become(cluster(4));
        world.round();

        assertThat(world.at(1).table().samples()).extracting(LoadSample::node).isEqualTo(nodes(1, 2, 3, 4));
    }

    @Test
    void whoIsAskedBeforeItHasMeasuredSaysNothing() {
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        Effects effects = new Effects();

        gossip.onMessage(cluster(3), node(2), new AskLoad(node(1)), effects);

        assertThat(effects.list()).isEmpty();
    }

    // ---- Forged samples.

    @ParameterizedTest
    @ValueSource(ints = {10, 100})
    void aForgedSampleDoesNotSilenceANode(int size) {
        LoadWorld world = new LoadWorld(cluster(size), 3, 0);
        run(world, 40);

        world.say(2, new LoadSamples(node(1), List.of(sample(5, FAR_AHEAD))));
        assertThat(world.at(1).table().of(node(5))).contains(sample(5, FAR_AHEAD));
        run(world, 60);

        assertThat(world.at(1).table().of(node(5)).orElseThrow().sequence()).isGreaterThan(FAR_AHEAD);
        assertThat(world.at(1).table().of(node(5)).orElseThrow().cpuLoad()).isEqualTo(0.5);
    }

    @Test
    void nobodyBelievesTheEndOfAllNumbersAboutSomebodyElse() {
        LoadWorld world = new LoadWorld(cluster(3), 3, 0);
        run(world, 10);

        world.say(2, new LoadSamples(node(1), List.of(sample(3, Long.MAX_VALUE), sample(1, Long.MAX_VALUE))));
        run(world, 10);

        assertThat(world.at(1).table().of(node(3)).orElseThrow().sequence()).isBetween(10L, 20L);
        // It went ahead as far as it ever does at once, and those that hear it from itself believe it.
        assertThat(world.at(1).table().of(node(1)).orElseThrow().sequence())
                .isEqualTo(LoadGossip.GREATEST_LEAP + world.rounds());
        assertThat(world.at(2).table().of(node(1)).orElseThrow().sequence()).isGreaterThan(LoadGossip.GREATEST_LEAP);
    }

    @Test
    void aNodeThatWasSilencedInManyStepsFollowsInAsMany() {
        LoadWorld world = new LoadWorld(cluster(3), 3, 0);
        run(world, 5);
        for (int step = 1; step <= 4; step++) {
            world.say(2, new LoadSamples(node(1), List.of(sample(3, step * FAR_AHEAD))));
        }

        run(world, 40);

        assertThat(world.at(1).table().of(node(3)).orElseThrow().cpuLoad()).isEqualTo(0.5);
        assertThat(world.at(1).table().of(node(3)).orElseThrow().sequence()).isGreaterThan(4 * FAR_AHEAD);
    }

    @Test
    void whatANodeSaysAboutItselfIsBelieved() {
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        Effects effects = new Effects();

        gossip.onMessage(cluster(2), node(2), new LoadSamples(node(1), List.of(sample(2, Long.MAX_VALUE))), effects);

        assertThat(gossip.table().of(node(2))).contains(sample(2, Long.MAX_VALUE));
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whoSaysLessThanIsKnownOfItIsTold() {
        LoadGossip gossip = new LoadGossip(node(1), PartitionSettings.defaults(), new SplittableRandom(1));
        Effects effects = new Effects();
        gossip.onMessage(cluster(3), node(2), new LoadSamples(node(1), List.of(sample(3, 7))), effects);

        gossip.onMessage(cluster(3), node(3), new LoadSamples(node(1), List.of(sample(3, 6))), effects);

        assertThat(LoadWorld.messages(effects)).containsExactly(new LoadSamples(node(3), List.of(sample(3, 7))));
    }

    @Test
    void settingsMustMakeSense() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSettings(Duration.ZERO, 8, second))
                .withMessage("partitions.load-interval must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSettings(second, 8, Duration.ofSeconds(-1)))
                .withMessage("partitions.scaling-interval must be positive, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSettings(second, 0, second))
                .withMessage("partitions.load-asked-at-once must be from 1 to 1000, was 0");
    }

    private static void run(LoadWorld world, int rounds) {
        for (int round = 0; round < rounds; round++) {
            world.round();
        }
    }

    private static List<LoadMessage> ticked(LoadGossip gossip, ClusterState state, long nowNanos) {
        Effects effects = new Effects();
        gossip.tick(state, nowNanos, effects);
        return LoadWorld.messages(effects);
    }

    private static List<LoadSample> samplesIn(LoadMessage message) {
        return ((LoadSamples) message).samples();
    }

    private static LoadSample sample(int number, long sequence) {
        NodeId id = node(number);
        return new LoadSample(id, sequence, 0.9, 0, 0, List.of());
    }
}
