package dev.muster.cluster.engine;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.handoff.PartitionRoute;
import dev.muster.core.handoff.Room;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.wire.GateCodec;
import dev.muster.wire.GateLetter;
import dev.muster.wire.Payload;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Moves a partition that does not exist from one gate to another, in memory and without anybody's knowledge.
 *
 * <p>A process that has just started loads each class when it first needs it, and a move needs many: the first
 * partition that is given to a new host would wait for all of them, and whoever sends to it. Like a crew that goes
 * through the motions before the passengers board, a node that is going to host does so while it still joins.
 */
final class HandoffRehearsal {
    private static final PartitionPath PATH = new PartitionPath("rehearsal");
    private static final NodeId OLD_HOST = actor("old", 1);
    private static final NodeId NEW_HOST = actor("new", 2);
    private static final int MOST_SCENES = 1_000;

    private final Function<Object, Payload> write;
    private final Function<Payload, Object> read;
    private final Map<NodeId, Side> sides = new TreeMap<>();
    private final ArrayDeque<Runnable> scenes = new ArrayDeque<>();
    private final PartitionSpec spec = new PartitionSpec(1, "", HandoffPolicy.singleton());
    private final GateLetter letter;
    private boolean wasReported;

    /** Both as the node does it with the state of an instance. */
    HandoffRehearsal(Function<Object, Payload> write, Function<Payload, Object> read) {
        this.write = write;
        this.read = read;
        this.letter = new GateLetter(Optional.of(write.apply(Duration.ofSeconds(1))), "");
        for (NodeId id : List.of(OLD_HOST, NEW_HOST)) {
            sides.put(id, new Side(id));
        }
    }

    private static NodeId actor(String host, long uid) {
        return new NodeId(new NodeAddress("muster", "rehearsal", host, 1), uid);
    }

    /** Whether all went as it should: the partition, its state and what was sent to it are at the new host. */
    boolean play() {
        TreeSet<NodeId> all = new TreeSet<>(sides.keySet());
        sides.values().forEach(side -> {
            side.route.onMembers(all);
            side.gate.onMembers(all, 0);
        });
        follow(new PartitionEntry(PATH, 1, OLD_HOST, spec, List.of(OLD_HOST), false));
        Side from = sides.get(OLD_HOST);
        Side to = sides.get(NEW_HOST);
        from.gate.onMessage(NEW_HOST, letter, 0, 0);
        PartitionMove move = new PartitionMove(2, OLD_HOST, NEW_HOST, PartitionMove.Stage.PENDING);
        follow(new PartitionEntry(PATH, 2, OLD_HOST, spec, List.of(OLD_HOST), false, Optional.of(move)));
        to.gate.onMessage(NEW_HOST, letter, 0, 0);
        if (wasReported) {
            follow(new PartitionEntry(PATH, 3, OLD_HOST, spec, List.of(NEW_HOST), false, Optional.of(move.done())));
        }
        return to.gate.acts()
                && to.gate.view().isEmpty()
                && from.gate.isIdle()
                && from.delivered == 1
                && to.delivered == 2
                && Duration.ZERO.equals(to.state);
    }

    private void follow(PartitionEntry row) {
        sides.values().forEach(side -> {
            side.route.onRow(row);
            side.gate.onRow(row, 0);
        });
        for (int i = 0; i < MOST_SCENES && !scenes.isEmpty(); i++) {
            scenes.removeFirst().run();
        }
    }

    private final class Side implements Hands<GateLetter> {
        private final NodeId id;
        private final PartitionGate<GateLetter> gate;
        private final PartitionRoute<GateLetter> route = new PartitionRoute<>(this);
        private Object state;
        private int delivered;

        Side(NodeId id) {
            this.id = id;
            HandoffSettings settings = HandoffSettings.defaults();
            this.gate = new PartitionGate<>(id, settings, new Room(settings), this);
        }

        @Override
        public void create(long epoch, Optional<List<byte[]>> left) {
            scenes.add(() -> {
                left.ifPresent(parts -> state = read.apply(GateCodec.decodeState(parts.get(0))));
                gate.onStarted(0);
            });
        }

        @Override
        public void letAct() {
            // It has nothing to do.
        }

        @Override
        public void retire(boolean wantsState) {
            List<byte[]> left = List.of(GateCodec.encodeState(write.apply(Duration.ZERO)));
            scenes.add(() -> gate.onRetired(List.of(letter), Optional.of(left), 0));
        }

        @Override
        public void deliver(GateLetter message) {
            delivered++;
        }

        @Override
        public void send(NodeId to, GateMessage<GateLetter> message) {
            Payload written = GateCodec.encode(to.uid(), message, it -> it);
            scenes.add(() -> sides.get(to).take(id, written));
        }

        private void take(NodeId from, Payload written) {
            GateMessage<GateLetter> message = GateCodec.decode(
                            written.manifest(), written.bytes(), 0, written.bytes().length, it -> it)
                    .message();
            if (message instanceof GateMessage.RouteAsked<GateLetter> asked) {
                route.onAsked(from, asked);
            } else {
                gate.onGateMessage(from, message, 0);
            }
        }

        @Override
        public void report(long move, Optional<String> failure) {
            wasReported = failure.isEmpty();
        }

        @Override
        public void reportEnd(long epoch) {}

        @Override
        public void cannotStart(String why) {}

        @Override
        public void overdue(long move, List<NodeId> silent) {
            // Nobody has that much time here.
        }

        @Override
        public long weigh(GateLetter message) {
            return 1;
        }

        @Override
        public void drop(GateLetter message, Drop why) {
            // Then the play does not go as it should.
        }

        @Override
        public Optional<NodeId> passOn(GateLetter message, int hops) {
            return Optional.empty();
        }
    }
}
