package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.up;

import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Nodes that tell each other how busy they are. In each round each measures anew, so its sample has that number. */
final class LoadWorld {
    private record Sent(NodeId from, LoadMessage message) {}

    final TreeMap<NodeId, LoadGossip> nodes = new TreeMap<>();
    final List<LoadMessage> said = new ArrayList<>();
    private final SplittableRandom random;
    private final double loss;
    private final TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
    private ClusterState state;
    private long nowNanos = -5; // the steady clock may begin anywhere
    private int rounds;

    LoadWorld(ClusterState state, long seed, double loss) {
        this.random = new SplittableRandom(seed);
        this.loss = loss;
        become(state);
    }

    /** Nodes 1 to the given number, all up, of which the first leads. */
    static ClusterState cluster(int size) {
        StateBuilder state = StateBuilder.aState();
        for (int number = 1; number <= size; number++) {
            state.with(up(number, Member.MUSTER_ROLE));
        }
        return state.build();
    }

    void become(ClusterState next) {
        state = next;
        nodes.keySet().removeIf(id -> !state.members().has(id));
        for (Member member : state.members()) {
            nodes.computeIfAbsent(member.id(), id -> new LoadGossip(id, PartitionSettings.defaults(), random.split()));
        }
    }

    LoadGossip at(int number) {
        return nodes.get(node(number));
    }

    void mailboxes(TreeMap<PartitionPath, Long> everywhere) {
        mailboxes.putAll(everywhere);
    }

    /** What was said in this round, all of which has arrived or was lost at its end. */
    List<LoadMessage> round() {
        rounds++;
        nowNanos += PartitionSettings.defaults().load().interval().toNanos();
        said.clear();
        ArrayDeque<Sent> network = new ArrayDeque<>();
        List<NodeId> order = new ArrayList<>(nodes.keySet());
        Collections.shuffle(order, new Random(random.nextLong()));
        for (NodeId id : order) {
            nodes.get(id).measured(0.5, 0.1, mailboxes);
        }
        for (NodeId id : order) {
            Effects effects = new Effects();
            nodes.get(id).tick(state, nowNanos, effects);
            take(id, effects, network);
        }
        while (!network.isEmpty()) {
            Sent sent = network.removeFirst();
            NodeId to = sent.message().to();
            if (nodes.containsKey(to) && random.nextDouble() >= loss) {
                deliver(sent.from(), sent.message(), network);
            }
        }
        return said;
    }

    /** Somebody says something between rounds, and all that comes of it is said as well. */
    void say(int from, LoadMessage message) {
        ArrayDeque<Sent> network = new ArrayDeque<>(List.of(new Sent(node(from), message)));
        while (!network.isEmpty()) {
            Sent sent = network.removeFirst();
            deliver(sent.from(), sent.message(), network);
        }
    }

    private void deliver(NodeId from, LoadMessage message, ArrayDeque<Sent> network) {
        Effects effects = new Effects();
        nodes.get(message.to()).onMessage(state, from, message, effects);
        take(message.to(), effects, network);
    }

    private void take(NodeId from, Effects effects, ArrayDeque<Sent> network) {
        for (LoadMessage message : messages(effects)) {
            said.add(message);
            network.add(new Sent(from, message));
        }
    }

    static List<LoadMessage> messages(Effects effects) {
        return effects.list().stream()
                .map(effect -> (LoadMessage) ((Effect.SendMessage) effect).message())
                .toList();
    }

    int rounds() {
        return rounds;
    }

    /** How many rounds old the oldest sample is that a node has of any member; all of them if it has none. */
    long oldestKnownTo(int number) {
        return state.members().stream()
                .mapToLong(member -> rounds
                        - at(number)
                                .table()
                                .of(member.id())
                                .map(LoadSample::sequence)
                                .orElse(0L))
                .max()
                .orElseThrow();
    }
}
