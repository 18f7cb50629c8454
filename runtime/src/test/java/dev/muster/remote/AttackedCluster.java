package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.LocalCluster;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Two real nodes, and what must hold whatever somebody says to the first of them: one counter tells of it, the
 * membership stays as it was, and actors of the two nodes can still talk.
 */
final class AttackedCluster implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(20);

    /** What goes on anyway, whoever else is there. */
    private static final Set<String> USUAL = Set.of(
            "remote.bytes-received",
            "remote.bytes-sent",
            "remote.connections-opened",
            "remote.connections-broken",
            "remote.connections-closed-idle",
            "cluster.events");

    private static final int UNKNOWN_SERIALIZER = 987_654;

    private final LocalCluster cluster;
    private final ActorRef<String> echo;
    private long nextUid = 1_000_000;

    AttackedCluster(String name) {
        cluster = LocalCluster.start(name, 2, ConfigFactory.load(), system -> {});
        cluster.awaitUp(SOON);
        ActorRef<String> spawned = cluster.node(0)
                .system()
                .spawn(
                        Behaviors.receive(String.class)
                                .on(String.class, (context, text) -> {
                                    context.reply("echo " + text);
                                    return Behaviors.same();
                                })
                                .build(),
                        "echo");
        echo = seenFromTheOther(spawned);
    }

    @SuppressWarnings("unchecked")
    private ActorRef<String> seenFromTheOther(ActorRef<String> ref) {
        return (ActorRef<String>) other().cluster().resolve(attacked().cluster().nameOf(ref));
    }

    @Override
    public void close() {
        cluster.close();
    }

    LocalCluster.Node attacked() {
        return cluster.node(0);
    }

    LocalCluster.Node other() {
        return cluster.node(1);
    }

    NodeAddress target() {
        return attacked().address();
    }

    /** Somebody whom nobody knows. */
    RawPeer stranger() {
        return new RawPeer(target(), nextUid++);
    }

    void await(String what, BooleanSupplier condition) {
        cluster.await(what, SOON, condition);
    }

    Map<String, Long> allCounters() {
        return attacked().cluster().counters();
    }

    long counted(String counter) {
        return allCounters().getOrDefault(counter, 0L);
    }

    private SortedMap<String, Long> counters() {
        TreeMap<String, Long> counters = new TreeMap<>(allCounters());
        counters.keySet().removeAll(USUAL);
        return counters;
    }

    /** Does something hostile and waits until exactly this one counter has gone up by one, and nothing else is new. */
    void expectOneMore(String counter, Runnable hostility) {
        String members = membership();
        SortedMap<String, Long> before = counters();
        hostility.run();
        TreeMap<String, Long> after = new TreeMap<>(before);
        after.merge(counter, 1L, Long::sum);
        await(counter + " counted once after " + before, () -> counters().equals(after));
        assertThat(membership()).isEqualTo(members);
        assertIsWell();
    }

    /** The same for what a stranger says from the first byte on, and with the end of the connection. */
    void expectClosed(String counter, byte[]... sent) {
        expectOneMore(counter, () -> {
            try (RawPeer peer = stranger().connect()) {
                for (byte[] bytes : sent) {
                    peer.send(bytes);
                }
                assertThat(peer.isClosedWithin(10_000)).isTrue();
            }
        });
    }

    /** The members as both nodes see them. */
    String membership() {
        return state(attacked()).members() + " and " + state(other()).members();
    }

    private static ClusterState state(LocalCluster.Node node) {
        return node.cluster().snapshot().state();
    }

    /** Two members, both up, both in touch, and messages between their actors get through. */
    void assertIsWell() {
        for (LocalCluster.Node node : cluster.nodes()) {
            assertThat(state(node).members()).hasSize(2).allMatch(member -> member.status() == MemberStatus.UP);
            assertThat(state(node).unreachable()).isEmpty();
        }
        assertThat(echo.ask("still there?", String.class, SOON).join()).isEqualTo("echo still there?");
    }

    /**
     * Waits until something that this peer says is acted on, which needs a proof of who it is and a connection that
     * stands. What it says is nothing that anybody understands, and is counted once for each time.
     */
    void awaitHeard(RawPeer peer) {
        boolean isHeard = false;
        while (!isHeard) {
            long unproven = counted("remote.frames-before-proof");
            long unreadable = counted("remote.unreadable-messages");
            byte[] message =
                    RawPeer.frame(peer.self.uid(), UNKNOWN_SERIALIZER, target() + "/user/nobody", "x", (byte) 1);
            assertThat(peer.send(message)).as("the connection stands").isTrue();
            await(
                    "a message is counted one way or the other",
                    () -> counted("remote.frames-before-proof") + counted("remote.unreadable-messages")
                            == unproven + unreadable + 1);
            isHeard = counted("remote.unreadable-messages") > unreadable;
        }
    }
}
