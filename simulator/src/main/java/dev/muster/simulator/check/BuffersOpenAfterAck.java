package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.GateMessage.PassedOn;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * H5 and H11: under option 3b a new host begins with a letter that a node sent to it directly only after the old host
 * has passed that node's ack on, or when one of the two is no member any more; and then at once. The old host passes on
 * only what it was told.
 *
 * <p>What was handed over counts when everything before it has come too. At once means that each time an instance
 * begins with a letter, none waits at the gate that could have been given to it: none at all outside of a move, and at
 * the new host of a move none of a sender whose ack has come.
 */
final class BuffersOpenAfterAck implements Checker {
    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final Acks acks;
    private final Map<Arrival, Incoming> incoming = new HashMap<>();
    /** From which node a letter has come to a place, if it was not handed over by an old host. */
    private final Map<Waiting, NodeId> cameFrom = new HashMap<>();

    private record Arrival(Acks.Place place, long move) {}

    private record Waiting(Acks.Place place, long letter) {}

    /** What has come by the old host of one move. */
    private static final class Incoming {
        private final NodeId oldHost;
        private final Set<NodeId> acked = new HashSet<>();
        private boolean allAcked;
        private long received;

        private Incoming(NodeId oldHost) {
            this.oldHost = oldHost;
        }
    }

    BuffersOpenAfterAck(SortedMap<PartitionPath, PartitionSpec> wanted, Acks acks) {
        this.wanted = wanted;
        this.acks = acks;
    }

    @Override
    public void onWork(WorkStep step) {
        if (wanted.get(step.path()).policy().arrival() != HandoffPolicy.Arrival.BUFFER) {
            return;
        }
        if (step.what() instanceof WorkStep.Came came) {
            cameFrom.put(waiting(step, came.letter()), came.from());
        } else if (step.what() instanceof WorkStep.Heard heard) {
            onHeard(step, heard);
        } else if (step.what() instanceof WorkStep.Began began) {
            judge(step, began);
            judgeWaiting(step, began);
        }
    }

    private static Waiting waiting(WorkStep step, Letter letter) {
        return new Waiting(Acks.Place.of(step), letter.number());
    }

    private void onHeard(WorkStep step, WorkStep.Heard heard) {
        if (heard.message() instanceof PassedOn<Letter> passed) {
            cameFrom.put(waiting(step, passed.message()), heard.from());
        } else if (heard.message() instanceof Handed<Letter> handed) {
            Incoming move = incoming.computeIfAbsent(
                    new Arrival(Acks.Place.of(step), handed.move()), it -> new Incoming(heard.from()));
            if (handed.number() == move.received + 1) {
                move.received++;
                take(step, handed, move);
            }
        }
    }

    private void take(WorkStep step, Handed<Letter> handed, Incoming move) {
        if (handed.item() instanceof Item.Message<Letter> message) {
            cameFrom.remove(waiting(step, message.message()));
        } else if (handed.item() instanceof Item.AllSwitched) {
            move.allAcked = true;
        } else if (handed.item() instanceof Item.SenderSwitched<Letter> sender) {
            step.world().countChecks(1);
            step.world().judged("H5");
            move.acked.add(sender.sender());
            if (!acks.has(new Acks.Place(move.oldHost, step.path()), sender.sender(), handed.move())) {
                step.world().report("H5", "hears that " + sender.sender() + " knows " + step.path(), step.node());
            }
        }
    }

    private void judge(WorkStep step, WorkStep.Began began) {
        NodeId sender = cameFrom.remove(waiting(step, began.letter()));
        Incoming move = incoming.get(new Arrival(Acks.Place.of(step), began.epoch()));
        if (sender == null || move == null) {
            return;
        }
        step.world().countChecks(1);
        step.world().judged("H5");
        Members members = step.node().state().members();
        boolean mayOpen =
                move.allAcked || move.acked.contains(sender) || !members.has(sender) || !members.has(move.oldHost);
        if (!mayOpen) {
            step.world()
                    .report(
                            "H5",
                            "begins with " + began.letter() + ", but no ack of " + sender + " has come by "
                                    + move.oldHost,
                            step.node());
        }
    }

    private void judgeWaiting(WorkStep step, WorkStep.Began began) {
        PartitionGate<Letter> gate = step.node().gates().get(step.path());
        Optional<MoveView> view = gate == null ? Optional.empty() : gate.view();
        boolean isNewHost = view.filter(it -> it.to().equals(step.node().id())).isPresent();
        if (gate == null || !gate.acts() || view.isPresent() && !isNewHost) {
            return; // an old host keeps what it hands over
        }
        step.world().judged("H11");
        Incoming move = incoming.get(new Arrival(Acks.Place.of(step), began.epoch()));
        for (Letter letter : gate.waiting()) {
            NodeId sender = cameFrom.get(waiting(step, letter));
            boolean hasSwitched = move != null && (move.allAcked || move.acked.contains(sender));
            if (!isNewHost || sender == null || hasSwitched) {
                step.world()
                        .report(
                                "H11",
                                letter + " waits although nothing is in its way, while " + began.letter() + " begins",
                                step.node());
                return;
            }
        }
    }
}
