package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What really happened so far, written down once for all checkers. It comes first in their list and reports nothing.
 */
final class History implements Checker {
    private final StepReader reader;
    private final VersionMemory versions = new VersionMemory();
    private final Set<NodeId> confirmedTheirExit = new HashSet<>();
    private final Set<NodeId> everRemoved = new HashSet<>();
    private final Set<NodeId> letGo = new HashSet<>();
    private final Map<Integer, Integer> clusterOf = new HashMap<>();
    private final Map<Integer, Set<NodeId>> quarantinedBy = new HashMap<>();
    private final Map<Integer, Long> endedAt = new HashMap<>();
    private long lastExternalNanos;
    private long lastOwnChangeNanos;

    History(StepReader reader) {
        this.reader = reader;
    }

    VersionMemory versions() {
        return versions;
    }

    /** True when this node sent word that it has finished its exit, and so processes nothing more. */
    boolean confirmedItsExit(NodeId id) {
        return confirmedTheirExit.contains(id);
    }

    boolean wasEverRemoved(NodeId id) {
        return everRemoved.contains(id);
    }

    /** Whether any node ever let go of this one's tombstone. */
    boolean wasLetGo(NodeId id) {
        return letGo.contains(id);
    }

    boolean wereTombstonesLetGo() {
        return !letGo.isEmpty();
    }

    /** Which cluster a node belongs to, by the number of the node that formed it; -1 while it is in none. */
    int clusterOf(NodeView node) {
        return clusterOf.getOrDefault(node.number(), -1);
    }

    /** Those whom the remoting layer of this node has given up, members or not. */
    Set<NodeId> quarantinedBy(NodeView node) {
        return quarantinedBy.getOrDefault(node.number(), Set.of());
    }

    /** World time at which a process crashed or stopped; 0 when it did not. */
    long endedAtNanos(NodeView node) {
        return endedAt.getOrDefault(node.number(), 0L);
    }

    /** How long nothing came from outside: no fault, no command, no process that started or ended. */
    long undisturbedNanos(WorldView world) {
        return Math.min(world.quietForNanos(), world.nowNanos() - lastExternalNanos);
    }

    /** How long no node changed the shared state of its own accord. */
    long unchangedNanos(WorldView world) {
        return world.nowNanos() - lastOwnChangeNanos;
    }

    @Override
    public void onProcess(ProcessChange change) {
        lastExternalNanos = change.world().nowNanos();
        if (change.kind() == ProcessChange.Kind.CRASHED || change.kind() == ProcessChange.Kind.STOPPED_ITSELF) {
            endedAt.put(change.node().number(), change.world().nowNanos());
        }
    }

    @Override
    public void onStep(Step step) {
        if (step.input() instanceof Input.CommandGiven) {
            lastExternalNanos = step.world().nowNanos();
        }
        if (step.input() instanceof Input.PeerQuarantined quarantined) {
            quarantinedBy
                    .computeIfAbsent(step.node().number(), n -> new LinkedHashSet<>())
                    .add(quarantined.peer());
        }
        if (step.input() instanceof Input.ExitTasksDone) {
            noteExit(step);
        }
        if (step.changedState()) {
            noteCluster(step);
            noteProcessed(step);
            if (step.changedVersion()) {
                noteTombstones(step);
                noteOwnChange(step);
            }
        }
    }

    private void noteExit(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send && send.message() instanceof JoinMessage.ExitConfirmed) {
                confirmedTheirExit.add(step.node().id());
            }
        }
    }

    /** A node may pass a state on in the same step in which it then changes it; it has processed both. */
    private void noteProcessed(Step step) {
        NodeId self = step.node().id();
        if (step.after().isSeenBy(self)) {
            versions.processed(step.after(), step.node());
        }
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send) {
                ClusterState sent = stateIn(send.message());
                if (sent != null && sent.version() != step.after().version() && sent.isSeenBy(self)) {
                    versions.processed(sent, step.node());
                }
            }
        }
    }

    private static ClusterState stateIn(CoreMessage message) {
        if (message instanceof GossipState gossip) {
            return gossip.state();
        }
        return message instanceof JoinMessage.Welcome welcome ? welcome.state() : null;
    }

    private void noteTombstones(Step step) {
        if (step.before().tombstones() == step.after().tombstones()) {
            return;
        }
        everRemoved.addAll(step.after().tombstones().ids());
        for (NodeId id : reader.read(step).base().tombstones().ids()) {
            if (!step.after().tombstones().has(id)) {
                letGo.add(id);
            }
        }
    }

    private void noteOwnChange(Step step) {
        if (reader.read(step).ownIncrements() > 0) {
            lastOwnChangeNanos = step.world().nowNanos();
        }
    }

    private void noteCluster(Step step) {
        if (!step.before().members().isEmpty() || step.after().members().isEmpty()) {
            return;
        }
        if (hasFormed(step)) {
            clusterOf.put(step.node().number(), step.node().number());
        } else if (step.input() instanceof Input.MessageReceived received) {
            step.world()
                    .node(received.from())
                    .ifPresent(welcomer -> clusterOf.put(step.node().number(), clusterOf(welcomer)));
        }
    }

    static boolean hasFormed(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.ClusterFormed) {
                return true;
            }
        }
        return false;
    }
}
