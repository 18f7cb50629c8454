package dev.muster.core.spec;

import static dev.muster.core.spec.TestCluster.aCluster;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Command;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Invariants P7 and B7: who may have been replaced while it was out of touch does nothing that must be done alone. */
class HoldingBackSpecTest {
    private static final PartitionPath PATH = new PartitionPath("only");

    /** All up, and b has the singleton. */
    private static TestCluster hostedByB(String... names) {
        TestCluster cluster = aCluster(names)
                .with(s -> s.withDowning(s.downing().withStrategy(new DowningStrategy.KeepMajority(""))))
                .allUp();
        TestNode a = cluster.node("a");
        a.give(new Command.WantPartition(PATH, new PartitionSpec(1, "", HandoffPolicy.singleton())));
        cluster.runUntil(() -> a.core().partitions().find(PATH).isPresent());
        if (!isOnB(cluster)) {
            a.give(new Command.Migrate(PATH, cluster.node("b").id().address(), Optional.empty()));
        }
        cluster.runUntil(() -> isOnB(cluster));
        cluster.runFor(Duration.ofSeconds(2));
        return cluster;
    }

    private static boolean isOnB(TestCluster cluster) {
        TestNode b = cluster.node("b");
        return b.core().partitions().find(PATH).filter(it -> it.isOn(b.id())).isPresent();
    }

    private static Optional<String> whyHeld(TestCluster cluster) {
        return cluster.node("b").core().explainPartition(PATH, cluster.now()).stream()
                .filter(it -> it.contains("does nothing now"))
                .findFirst();
    }

    private static void sleepsForLong(TestCluster cluster) {
        cluster.node("b").fallAsleep();
        cluster.runUntil(() -> cluster.node("a").status("b") == MemberStatus.REMOVED);
        cluster.runFor(Duration.ofSeconds(5)); // the others go on with it
        assertThat(isOnB(cluster)).isTrue(); // as far as b knows
    }

    @Test
    void whoNeverSleptActs() {
        TestCluster cluster = hostedByB("a", "b", "c");
        assertThat(whyHeld(cluster)).isEmpty();
    }

    /** The one who took over has died, and its new process knows nothing of that. */
    @Test
    void aSleeperWaitsForTheMarginWhenTheOnlyOneWhoCouldSpeakHasGone() {
        TestCluster cluster = hostedByB("a", "b");
        sleepsForLong(cluster);
        cluster.crash("a");
        cluster.node("b").wakeUp();
        cluster.runFor(Duration.ofMillis(100));
        assertThat(whyHeld(cluster)).get().asString().contains("too few have spoken to it");

        cluster.restart("a").joinTo("b");
        cluster.runUntil(() -> cluster.node("b").status("a") == MemberStatus.UP);
        cluster.runFor(Duration.ofMillis(1_500)); // heartbeats were answered
        assertThat(whyHeld(cluster)).get().asString().contains("waits for the down-removal-margin");
        cluster.runFor(Duration.ofMillis(1_600));
        assertThat(whyHeld(cluster)).isEmpty();
        assertThat(isOnB(cluster)).isTrue();
    }

    @Test
    void aNewcomerCannotTellASleeperThatItIsStillKnown() {
        TestCluster cluster = hostedByB("a", "b", "c");
        TestNode newcomer = cluster.add("d");
        sleepsForLong(cluster);
        cluster.split("b", "d");
        cluster.node("b").wakeUp();
        newcomer.joinTo("b");
        cluster.runUntil(() -> cluster.node("b").member("d").isPresent());
        for (int i = 0; i < 30 && cluster.node("b").isRunning(); i++) {
            assertThat(whyHeld(cluster)).isPresent();
            cluster.runFor(Duration.ofMillis(500));
        }
    }

    @Test
    void aSleeperWhomOthersStillKnowGoesOnAtOnce() {
        TestCluster cluster = hostedByB("a", "b", "c");
        cluster.node("b").fallAsleep();
        cluster.runFor(Duration.ofSeconds(4));
        cluster.node("b").wakeUp();
        cluster.runFor(Duration.ofMillis(1));
        assertThat(whyHeld(cluster)).get().asString().contains("too few have spoken to it");
        cluster.runFor(Duration.ofMillis(1_200));
        assertThat(whyHeld(cluster)).isEmpty();
    }

    /** They stood still together, as processes of one machine do, and know nothing of what the others decided. */
    @Test
    void twoSleepersCannotVouchForEachOther() {
        TestCluster cluster = hostedByB("a", "b", "c", "d", "e");
        cluster.node("a").fallAsleep();
        cluster.node("b").fallAsleep();
        TestNode c = cluster.node("c");
        cluster.runUntil(() -> c.status("a") == MemberStatus.REMOVED && c.status("b") == MemberStatus.REMOVED);
        cluster.runFor(Duration.ofSeconds(5));
        cluster.split("a", "b");
        cluster.node("a").wakeUp();
        cluster.node("b").wakeUp();
        cluster.runFor(Duration.ofMillis(1));
        for (int i = 0; i < 200 && cluster.node("b").isRunning(); i++) {
            assertThat(whyHeld(cluster)).isPresent();
            cluster.runFor(Duration.ofMillis(100));
        }
        assertThat(cluster.node("b").isRunning()).isFalse();
    }
}
