package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.cluster.Partition;
import dev.muster.cluster.VirtualCluster;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.wire.GateCodec;
import dev.muster.wire.GateLetter;
import dev.muster.wire.Payload;
import dev.muster.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What somebody says to a gate who has nothing to say there. */
class HostileGateMessagesTest {
    private static final PartitionPath PATH = new PartitionPath("clock");
    private static final NodeId STRANGER = new NodeId(new NodeAddress("muster", "virtual", "10.9.8.7", 99), 7);

    private final Map<Integer, ActorRef<String>> refs = new HashMap<>();
    private final List<String> handled = new ArrayList<>();
    private final List<Integer> begun = new ArrayList<>();
    private final VirtualCluster cluster = new VirtualCluster(
            1,
            2,
            "",
            node -> refs.put(
                    node.port,
                    node.cluster.host(Partition.singleton(
                            PATH.text(),
                            () -> Behaviors.setup(context -> {
                                begun.add(node.port);
                                return Behaviors.receive(String.class, (c, text) -> {
                                    handled.add(text);
                                    return Behaviors.same();
                                });
                            })))));

    private Node host() {
        NodeId id = row().instances().get(0);
        return cluster.nodes().stream()
                .filter(node -> node.cluster.self().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private PartitionEntry row() {
        return cluster.node(0).cluster.snapshot().partitions().find(PATH).orElseThrow();
    }

    private Node other() {
        Node host = host();
        return cluster.nodes().stream().filter(node -> node != host).findFirst().orElseThrow();
    }

    private void begin() {
        cluster.awaitUp();
        cluster.await("it runs", () -> !begun.isEmpty());
        cluster.pass(1_000);
    }

    private static Place<?> placeAt(Node node) {
        return (Place<?>) node.cluster.resolve(node.address() + "/user/partition-" + PATH);
    }

    private static List<GateMessage<GateLetter>> allKinds(long move) {
        GateLetter letter = new GateLetter(Optional.of(new Payload(20, "", new byte[] {1, 2})), "");
        return List.of(
                new GateMessage.Handed<>(move, 1, new Item.Prepare<>(HandoffPolicy.singleton(), false)),
                new GateMessage.Handed<>(move, 2, new Item.Message<>(letter)),
                new GateMessage.Handed<>(move, 3, new Item.YourTurn<>()),
                new GateMessage.Handed<>(move, 4, new Item.AllSwitched<>()),
                new GateMessage.Confirmed<>(move, 1, true, false, ""),
                new GateMessage.Confirmed<>(move, 1, false, false, "give up"),
                new GateMessage.Ended<>(move, 1),
                new GateMessage.Asked<>(move),
                new GateMessage.RouteSwitched<>(move),
                new GateMessage.RouteAsked<>(move),
                new GateMessage.ArrivalAsked<>(move),
                new GateMessage.Arrived<>(move),
                new GateMessage.PassedOn<>(letter, 1));
    }

    private static void say(Node to, NodeId from, long uid, GateMessage<GateLetter> message) {
        placeAt(to).arrived(from, GateCodec.encode(uid, message, letter -> letter), null);
    }

    @Test
    void whoIsNoMemberChangesNothing() {
        begin();
        for (Node node : cluster.nodes()) {
            for (GateMessage<GateLetter> message : allKinds(row().epoch() + 1)) {
                say(node, STRANGER, node.cluster.self().uid(), message);
            }
            assertThat(node.cluster.counters()).containsEntry("partitions.gate-messages-refused", 13L);
        }
        assertAllIsAsBefore();
    }

    @Test
    void whatWasMeantForWhoLivedHereBeforeChangesNothing() {
        begin();
        for (GateMessage<GateLetter> message : allKinds(row().epoch() + 1)) {
            say(other(), host().cluster.self(), other().cluster.self().uid() + 1, message);
        }
        assertThat(other().cluster.counters()).containsEntry("partitions.gate-messages-refused", 13L);
        assertAllIsAsBefore();
    }

    @Test
    void aMemberThatSpeaksOfMovesThatAreNoneEndsNothingThatRuns() {
        begin();
        for (GateMessage<GateLetter> message : allKinds(row().epoch() + 1)) {
            if (!(message instanceof GateMessage.PassedOn<GateLetter>)) {
                say(host(), other().cluster.self(), host().cluster.self().uid(), message);
            }
        }
        assertAllIsAsBefore();
    }

    @Test
    void pathsThatNobodyKnowsArePathsOfNobody() {
        begin();
        Node node = host();
        for (String path : List.of("/user/partition-other", "/user/partition-", "/user/partition-a%b", "/user/x")) {
            assertThat(node.cluster.resolve(node.address() + path)).isInstanceOf(EndedRef.class);
        }
        assertAllIsAsBefore();
    }

    @Test
    void bytesThatMeanNothingAreRefused() {
        begin();
        Payload noise = new Payload(GateCodec.SERIALIZER_ID, "HI", new byte[] {1, 2, 3, 4});
        assertThatThrownBy(() -> placeAt(host()).arrived(other().cluster.self(), noise, null))
                .isInstanceOf(WireException.class);
        assertAllIsAsBefore();
    }

    @Test
    void aLetterThatCannotBeReadIsADeadLetterAndHoldsNothingUp() {
        begin();
        List<DeadLetter> deadLetters = new ArrayList<>();
        ActorRef<DeadLetter> listener = host().system.spawn(Behaviors.receive(DeadLetter.class, (context, letter) -> {
            deadLetters.add(letter);
            return Behaviors.same();
        }));
        host().system.events().subscribe(listener, DeadLetter.class);
        // Passed on with one hop and a letter whose only field is cut off.
        Payload cutOff = GateCodec.encode(
                host().cluster.self().uid(), new GateMessage.PassedOn<>(GateLetter.LOST, 1), letter -> letter);
        byte[] bytes = Arrays.copyOf(cutOff.bytes(), cutOff.bytes().length + 1);
        bytes[bytes.length - 2] = 1; // the length of the letter
        bytes[bytes.length - 1] = 0x1a; // its field 3, and no more
        placeAt(host()).arrived(other().cluster.self(), new Payload(GateCodec.SERIALIZER_ID, "HP", bytes), null);
        cluster.pass(100);
        assertThat(deadLetters).hasSize(1);
        assertThat(deadLetters.get(0).reason()).isEqualTo(DeadLetter.Reason.UNREADABLE);
        assertThat(host().cluster.counters()).containsEntry("partitions.messages-unreadable", 1L);
        assertAllIsAsBefore();
    }

    @Test
    void aLetterWhoseSenderHasNoAddressIsHeardAllTheSame() {
        begin();
        Payload hello = new Payload(20, "", "hello".getBytes(StandardCharsets.UTF_8));
        GateLetter letter = new GateLetter(Optional.of(hello), "nowhere at all");
        say(host(), other().cluster.self(), host().cluster.self().uid(), new GateMessage.PassedOn<>(letter, 1));
        cluster.pass(100);
        assertThat(handled).containsExactly("hello");
        assertThat(host().cluster.counters()).containsEntry("partitions.senders-unreadable", 1L);
    }

    private void assertAllIsAsBefore() {
        cluster.pass(5_000);
        assertThat(begun).hasSize(1);
        assertThat(handled).isEmpty();
        assertThat(cluster.nodes()).allMatch(node -> node.cluster.moves().isEmpty());
        refs.get(other().port).tell("hello");
        cluster.pass(1_000);
        assertThat(handled).containsExactly("hello");
    }
}
