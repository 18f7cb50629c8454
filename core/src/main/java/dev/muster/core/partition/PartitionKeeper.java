package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A node's part in the partition table: it asks for what its users want, keeps the table, writes it while it leads, and
 * starts and stops what the table puts here.
 */
public final class PartitionKeeper {
    private final NodeId self;
    private final TableGossip gossip;
    private final PartitionDuties duties;
    private final PartitionWishes wishes = new PartitionWishes();
    private final HostedInstances hosted;
    private long dutiesDueNanos = Long.MAX_VALUE;
    private boolean knowsLeader = true;

    public PartitionKeeper(NodeId self, PartitionSettings settings, RandomGenerator random) {
        this.self = self;
        this.gossip = new TableGossip(self, random);
        this.duties = new PartitionDuties(self, settings);
        this.hosted = new HostedInstances(self);
    }

    public PartitionTable table() {
        return gossip.table();
    }

    /** Whether all that have a table have this one, as far as this node has heard. */
    public boolean hasConverged(ClusterState state) {
        return gossip.hasConverged(state);
    }

    public void want(PartitionPath path, PartitionSpec spec, long nowNanos) {
        wishes.want(path, spec, nowNanos);
    }

    public void end(PartitionPath path, long nowNanos) {
        wishes.end(path, nowNanos);
    }

    /** Somebody said something about the table, a member that has one. */
    public void onMessage(ClusterState state, NodeId from, TableMessage message, long nowNanos, Effects effects) {
        if (message instanceof TableMessage.TableStatus status) {
            gossip.onStatus(from, status, effects);
        } else if (message instanceof TableMessage.TableParts parts) {
            gossip.onParts(from, parts, effects);
        } else if (message instanceof TableMessage.TableRows rows) {
            gossip.onRows(state, from, rows, nowNanos, effects);
        } else if (message instanceof TableMessage.RefusedPartition refused) {
            if (wishes.forget(refused.path())) {
                effects.publish(new ClusterEvent.PartitionRefused(refused.path(), refused.reason()));
            }
        } else {
            onWish(from, message, effects);
        }
    }

    private void onWish(NodeId from, TableMessage wish, Effects effects) {
        if (wish instanceof TableMessage.EndPartition end) {
            duties.end(end.path());
        } else if (wish instanceof TableMessage.WantPartition want) {
            duties.want(gossip.table(), want.path(), want.spec())
                    .ifPresent(reason -> refuse(from, want.path(), reason, effects));
        }
    }

    private void refuse(NodeId whom, PartitionPath path, String reason, Effects effects) {
        if (whom.equals(self)) {
            wishes.forget(path);
            effects.publish(new ClusterEvent.PartitionRefused(path, reason));
        } else {
            effects.send(whom.address(), new TableMessage.RefusedPartition(whom, path, reason));
        }
    }

    /** @param isConverged whether membership has converged on a state */
    public void tick(ClusterState state, Predicate<ClusterState> isConverged, long nowNanos, Effects effects) {
        if (isUnused()) {
            return;
        }
        Optional<NodeId> leader = TableMembers.leader(state, self);
        knowsLeader = leader.isPresent();
        leader.ifPresent(it -> ask(it, nowNanos, effects));
        gossip.follow(state, nowNanos);
        duties.follow(state, nowNanos);
        boolean leads = leader.filter(self::equals).isPresent();
        if (!leads) {
            duties.forgetAsked(); // whoever leads now is asked again
        } else if (!duties.isEmpty()) {
            gossip.wantsConvergence(state, nowNanos);
        }
        boolean mayWrite = leads && isConverged.test(state) && gossip.hasConverged(state);
        if (mayWrite) {
            List<PartitionEntry> rows = duties.perform(state, gossip.table(), nowNanos);
            if (!rows.isEmpty()) {
                gossip.write(state, rows, nowNanos, effects);
            }
        }
        // Who may not write now may when somebody says something, not when time has passed.
        dutiesDueNanos = mayWrite ? duties.nextWakeUpNanos() : Long.MAX_VALUE;
        gossip.tick(state, nowNanos, effects);
        hosted.follow(gossip.table(), effects);
    }

    private void ask(NodeId leader, long nowNanos, Effects effects) {
        for (TableMessage wish : wishes.due(gossip.table(), leader, nowNanos)) {
            if (leader.equals(self)) {
                onWish(self, wish, effects);
            } else {
                effects.send(leader.address(), wish);
            }
        }
    }

    /** Whether nobody here uses partitions; then there is nothing to wake up for either. */
    private boolean isUnused() {
        return gossip.table().isEmpty() && wishes.isEmpty() && duties.isEmpty();
    }

    public long nextWakeUpNanos() {
        if (isUnused()) {
            return Long.MAX_VALUE;
        }
        long askNanos = knowsLeader && !wishes.isEmpty() ? wishes.nextWakeUpNanos() : Long.MAX_VALUE;
        return Math.min(askNanos, Math.min(gossip.nextWakeUpNanos(), dutiesDueNanos));
    }
}
