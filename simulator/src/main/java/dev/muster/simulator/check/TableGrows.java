package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.partition.TableMembers;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionTable;
import java.util.HashMap;
import java.util.Map;

/**
 * P1, P2, P3: nobody's table ever loses a row or goes back to an older one; a new row is written by whoever leads the
 * table, with an epoch above all others, on members that may host it, each once.
 */
final class TableGrows implements Checker {
    private final Map<Integer, PartitionTable> tables = new HashMap<>();

    @Override
    public void onStep(Step step) {
        NodeView node = step.node();
        PartitionTable now = node.partitions();
        PartitionTable before = tables.getOrDefault(node.number(), PartitionTable.EMPTY);
        if (now == before) {
            return;
        }
        tables.put(node.number(), now);
        step.world().countChecks(1);
        for (PartitionEntry old : before.entries().values()) {
            PartitionEntry row = now.row(old.path());
            if (row == null) {
                step.world().report("P3", "has lost the row of " + old, node);
            } else if (row.later(old) != row) {
                step.world().report("P1", "went back from " + old + " to " + row, node);
            }
        }
        for (PartitionEntry row : now.entries().values()) {
            boolean isOwn = row.writer().equals(node.id()) && before.row(row.path()) != row;
            if (isOwn && row.epoch() > before.revision()) {
                judgeWriting(step, before.row(row.path()), row);
            } else if (isOwn) {
                step.world().report("P1", "wrote " + row + " with an epoch that it had used", node);
            }
        }
    }

    private static void judgeWriting(Step step, PartitionEntry before, PartitionEntry row) {
        ClusterState state = step.after();
        NodeId self = step.node().id();
        // One who leads the members too may let itself go in the same step, after it has written.
        if (!leads(state, self) && !leads(step.before(), self) && !ledInBetween(step)) {
            step.world().report("P1", "wrote " + row + " although it does not lead", step.node());
        }
        for (NodeId host : row.instances()) {
            Member member = state.members().find(host).orElse(null);
            boolean wasThere = before != null
                    && (before.isOn(host)
                            || before.pending()
                                    .filter(it -> it.to().equals(host))
                                    .isPresent());
            boolean mayHost = member != null && (row.spec().fits(member) || wasThere && isGoing(step, row, member));
            if (!mayHost) {
                step.world().report("P2", "put " + row.path() + " on " + host + ", which is " + member, step.node());
            }
        }
        if (row.instances().size() > row.spec().instances()) {
            step.world().report("P2", "wrote too many instances: " + row, step.node());
        }
    }

    private static boolean ledInBetween(Step step) {
        return step.effects().stream()
                .anyMatch(it -> it instanceof Effect.PublishEvent published
                        && published.event() instanceof ClusterEvent.LeaderChanged changed
                        && changed.leader().filter(step.node().id()::equals).isPresent());
    }

    private static boolean leads(ClusterState state, NodeId self) {
        return TableMembers.leader(state, self).filter(self::equals).isPresent();
    }

    /** Who leaves stays a host while it hands over; of what must be alone it stays one until it has gone. */
    private static boolean isGoing(Step step, PartitionEntry row, Member member) {
        // Its time may be up in the very step in which another move was begun.
        return member.status() == MemberStatus.LEAVING
                || step.before().members().statusOf(member.id()) == MemberStatus.LEAVING
                || member.status() == MemberStatus.EXITING
                        && row.spec().policy().isExclusive();
    }
}
