package dev.muster.core.handoff;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Gates and routes of one partition on several nodes, a stream from each node to each other, and instances that are
 * told when to do what. Nothing moves by itself: a test says which stream delivers, and when an instance works.
 */
final class GateWorld {
    static final PartitionPath PATH = new PartitionPath("a");

    /** A message is a text. What an instance has handled is its state. */
    final class Node implements Hands<String> {
        final NodeId id;
        final PartitionGate<String> gate;
        final PartitionRoute<String> route = new PartitionRoute<>(this);
        final List<String> handled = new ArrayList<>();
        final List<String> dropped = new ArrayList<>();
        final List<String> reports = new ArrayList<>();
        final List<Long> ends = new ArrayList<>();
        final List<String> failedStarts = new ArrayList<>();
        final ArrayDeque<String> mailbox = new ArrayDeque<>();
        boolean isCreating;
        boolean isRunning;
        boolean isRetiring;
        /** Whether it may do things by itself. */
        boolean mayAct;

        long epochAtStart;
        private boolean wantsState;
        private Optional<List<byte[]>> given = Optional.empty();
        String stateAtStart = "";

        Node(int number, HandoffSettings settings, Room room) {
            id = GateWorld.id(number);
            gate = new PartitionGate<>(id, settings, room, this);
        }

        @Override
        public void create(long epoch, Optional<List<byte[]>> state) {
            isCreating = true;
            mayAct = false;
            epochAtStart = epoch;
            given = state;
        }

        @Override
        public void letAct() {
            mayAct = true;
        }

        @Override
        public void retire(boolean wanted) {
            isRetiring = true;
            wantsState = wanted;
        }

        @Override
        public void deliver(String message) {
            if (!isRunning || !mayAct) {
                throw new AssertionError(message + " was delivered to " + id + ", where nothing runs");
            }
            mailbox.addLast(message);
        }

        @Override
        public void send(NodeId to, GateMessage<String> message) {
            stream(id, to).addLast(message);
        }

        @Override
        public void drop(String message, Drop why) {
            dropped.add(message + " " + why);
        }

        @Override
        public Optional<NodeId> passOn(String message, int hops) {
            NodeId host = route.hosts().stream()
                    .filter(it -> !it.equals(id))
                    .findFirst()
                    .orElseThrow();
            send(host, new GateMessage.PassedOn<>(message, hops));
            return Optional.of(host);
        }

        @Override
        public void report(long move, Optional<String> failure) {
            reports.add(move + failure.map(it -> " " + it).orElse(" done"));
        }

        @Override
        public void reportEnd(long epoch) {
            ends.add(epoch);
        }

        @Override
        public void cannotStart(String why) {
            failedStarts.add(why);
        }

        @Override
        public void overdue(long move, List<NodeId> silent) {
            reports.add(move + " still waits for " + silent.size());
        }

        @Override
        public long weigh(String message) {
            return message.length();
        }

        /** The instance that was to be made is there. */
        void start() {
            isCreating = false;
            isRunning = true;
            stateAtStart = given.map(GateWorld::text).orElse("");
            gate.onStarted(nowNanos);
        }

        /** The instance handles one message. */
        void work() {
            handled.add(mailbox.removeFirst());
        }

        void workAll() {
            while (!mailbox.isEmpty()) {
                work();
            }
        }

        /** The instance has ended. */
        void retired() {
            isRetiring = false;
            isRunning = false;
            List<String> rest = List.copyOf(mailbox);
            mailbox.clear();
            Optional<List<byte[]>> state =
                    wantsState ? Optional.of(List.of(bytes(String.join(",", handled)), bytes("."))) : Optional.empty();
            gate.onRetired(rest, state, nowNanos);
        }

        /** The instance cannot leave its state. */
        void notRetired(String why) {
            isRetiring = false;
            gate.onNotRetired(why, nowNanos);
        }

        void tell(String message) {
            stream(id, route.hosts().get(0)).addLast(message);
        }
    }

    final TreeMap<NodeId, Node> nodes = new TreeMap<>();
    private final Map<NodeId, Map<NodeId, ArrayDeque<Object>>> streams = new TreeMap<>();
    private final PartitionSpec spec;
    long nowNanos = 1;
    private long epoch = 0;

    GateWorld(int count, HandoffPolicy policy, HandoffSettings settings) {
        this(count, policy, settings, new Room(HandoffSettings.defaults()));
    }

    /** @param room shared by all, as if one partition on several nodes were several on one */
    GateWorld(int count, HandoffPolicy policy, HandoffSettings settings, Room room) {
        spec = new PartitionSpec(1, "", policy);
        for (int i = 1; i <= count; i++) {
            Node node = new Node(i, settings, room);
            nodes.put(node.id, node);
        }
        members();
    }

    /** As many nodes, of which the first hosts the partition and has started it. */
    static GateWorld hosted(int nodes, HandoffPolicy policy, HandoffSettings settings) {
        GateWorld world = new GateWorld(nodes, policy, settings);
        world.learnAll(world.row(1));
        world.settle();
        if (!world.node(1).isRunning) {
            throw new AssertionError(
                    "the first node does not host: " + world.node(1).gate.view());
        }
        return world;
    }

    static GateWorld hosted(int nodes, HandoffPolicy policy) {
        return hosted(nodes, policy, HandoffSettings.defaults());
    }

    List<String> handled(int node) {
        return node(node).handled;
    }

    static NodeId id(int number) {
        return new NodeId(new NodeAddress("muster", "test", "n" + number, 1), number);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(List<byte[]> parts) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(new String(part, StandardCharsets.UTF_8)));
        return text.toString();
    }

    Node node(int number) {
        return nodes.get(id(number));
    }

    ArrayDeque<Object> stream(NodeId from, NodeId to) {
        return streams.computeIfAbsent(from, it -> new TreeMap<>()).computeIfAbsent(to, it -> new ArrayDeque<>());
    }

    ArrayDeque<Object> stream(int from, int to) {
        return stream(id(from), id(to));
    }

    void members() {
        TreeSet<NodeId> all = new TreeSet<>(nodes.keySet());
        nodes.values().forEach(node -> node.gate.onMembers(all, nowNanos));
    }

    /** A node is no member any more. */
    void remove(int number) {
        nodes.remove(id(number));
        members();
    }

    // ---- Rows.

    PartitionEntry row(int... hosts) {
        return new PartitionEntry(
                PATH,
                ++epoch,
                id(1),
                spec,
                Arrays.stream(hosts).mapToObj(GateWorld::id).toList(),
                false);
    }

    PartitionEntry nowhere() {
        return new PartitionEntry(PATH, ++epoch, id(1), spec, List.of(), false);
    }

    PartitionEntry nowhere(HandoffPolicy policy) {
        return new PartitionEntry(PATH, ++epoch, id(1), new PartitionSpec(1, "", policy), List.of(), false);
    }

    PartitionEntry deleted() {
        return new PartitionEntry(PATH, ++epoch, id(1), spec, List.of(), true);
    }

    PartitionEntry moving(int from, int to) {
        epoch++;
        PartitionMove move = new PartitionMove(epoch, id(from), id(to), PartitionMove.Stage.PENDING);
        return new PartitionEntry(PATH, epoch, id(1), spec, List.of(id(from)), false, Optional.of(move));
    }

    /** One of two instances moves; the other stays. */
    PartitionEntry movingOneOf(int from, int to, int other) {
        epoch++;
        PartitionMove move = new PartitionMove(epoch, id(from), id(to), PartitionMove.Stage.PENDING);
        return new PartitionEntry(PATH, epoch, id(1), spec, List.of(id(from), id(other)), false, Optional.of(move));
    }

    PartitionEntry moved(PartitionEntry moving) {
        PartitionMove move = moving.pending().orElseThrow().done();
        return new PartitionEntry(PATH, ++epoch, id(1), spec, List.of(move.to()), false, Optional.of(move));
    }

    void learn(int number, PartitionEntry row) {
        Node node = node(number);
        node.route.onRow(row);
        node.gate.onRow(row, nowNanos);
    }

    void learnAll(PartitionEntry row) {
        for (NodeId id : List.copyOf(nodes.keySet())) {
            Node node = nodes.get(id);
            node.route.onRow(row);
            node.gate.onRow(row, nowNanos);
        }
    }

    // ---- Streams.

    /** The next thing on a stream arrives. */
    void arrive(int from, int to) {
        arrive(id(from), id(to));
    }

    private void arrive(NodeId from, NodeId to) {
        Object next = stream(from, to).removeFirst();
        Node node = nodes.get(to);
        if (node == null) {
            return;
        }
        if (next instanceof String message) {
            node.gate.onMessage(from, message, 0, nowNanos);
        } else if (next instanceof GateMessage.RouteAsked<?> asked) {
            node.route.onAsked(from, new GateMessage.RouteAsked<>(asked.move()));
        } else {
            node.gate.onGateMessage(from, gateMessage(next), nowNanos);
        }
    }

    @SuppressWarnings("unchecked") // only such are sent here
    private static GateMessage<String> gateMessage(Object sent) {
        return (GateMessage<String>) sent;
    }

    void arriveAll(int from, int to) {
        while (!stream(from, to).isEmpty()) {
            arrive(from, to);
        }
    }

    /** All that is under way arrives, and all that follows from it, while instances start, work and end at once. */
    void settle() {
        boolean isMoving = true;
        while (isMoving) {
            isMoving = false;
            for (NodeId from : List.copyOf(streams.keySet())) {
                for (NodeId to : List.copyOf(streams.get(from).keySet())) {
                    while (!stream(from, to).isEmpty()) {
                        arrive(from, to);
                        isMoving = true;
                    }
                }
            }
            for (Node node : nodes.values()) {
                if (node.isCreating) {
                    node.start();
                    isMoving = true;
                }
                if (!node.mailbox.isEmpty() && !node.isRetiring) {
                    node.workAll();
                    isMoving = true;
                }
                if (node.isRetiring) {
                    node.retired();
                    isMoving = true;
                }
            }
        }
    }

    /** Lets time pass with all that gates do about it. */
    void pass(long nanos) {
        long end = nowNanos + nanos;
        while (nowNanos < end) {
            long next = nodes.values().stream()
                    .mapToLong(node -> node.gate.nextWakeUpNanos())
                    .min()
                    .orElse(end);
            nowNanos = Math.min(end, Math.max(nowNanos + 1, next));
            nodes.values().forEach(node -> node.gate.tick(nowNanos));
        }
    }
}
