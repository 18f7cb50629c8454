package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.partition.TableMembers;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * P1, P2, P3, P4: nobody's table ever loses a row or goes back to an older one; a new row is written by whoever leads
 * the table, with an epoch above all others, on members that may host it, each once, and only when all who count have
 * really had the members and the table that it was written upon. Two tables of one digest are one and the same, and
 * whoever has one sends by it.
 */
final class TableGrows implements Checker {
    private static final int REMEMBERED = 5_000;

    private final StepReader reader;
    private final History history;
    private final Map<Integer, PartitionTable> tables = new HashMap<>();
    /** What is known of tables that were there, by their digest; the latest ones. */
    private final Map<TableDigest, Known> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TableDigest, Known> eldest) {
            return size() > REMEMBERED;
        }
    };

    private static final class Known {
        private final PartitionTable table;
        private final BitSet holders = new BitSet();

        private Known(PartitionTable table) {
            this.table = table;
        }
    }

    TableGrows(StepReader reader, History history) {
        this.reader = reader;
        this.history = history;
    }

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
        PartitionTable learned = learned(step, before);
        isHeld(step, learned);
        isHeld(step, now);
        step.world().afterThisEvent(() -> judgeRoutes(step.world(), node, before, now));
        step.world().judged("P3");
        for (PartitionEntry old : before.entries().values()) {
            PartitionEntry row = now.row(old.path());
            if (row == null) {
                step.world().report("P3", "has lost the row of " + old, node);
            } else if (row.later(old) != row) {
                step.world().report("P1", "went back from " + old + " to " + row, node);
            }
        }
        boolean isWriter = false;
        for (PartitionEntry row : now.entries().values()) {
            boolean isOwn = row.writer().equals(node.id()) && before.row(row.path()) != row;
            if (isOwn && row.epoch() > before.revision()) {
                isWriter = true;
                judgeWriting(step, before.row(row.path()), row);
            } else if (isOwn) {
                step.world().report("P1", "wrote " + row + " with an epoch that it had used", node);
            }
        }
        if (isWriter) {
            judgeMembership(step);
            judgeTable(step, learned);
        }
    }

    /** What the node would have by learning alone. */
    private static PartitionTable learned(Step step, PartitionTable before) {
        return step.input() instanceof Input.MessageReceived received
                        && received.message() instanceof TableMessage.TableRows rows
                ? before.merge(rows.rows())
                : before;
    }

    /** P4: one digest is that of one table. */
    private void isHeld(Step step, PartitionTable table) {
        Known first = known.computeIfAbsent(table.digest(), it -> new Known(table));
        first.holders.set(step.node().number());
        step.world().judged("P4");
        if (first.table != table && !first.table.equals(table)) {
            step.world().report("P4", "has another table of the digest " + table.digest(), step.node());
        }
    }

    /** P4: whoever has a table sends by it, to those hosts that are members. */
    private void judgeRoutes(WorldView world, NodeView node, PartitionTable before, PartitionTable now) {
        if (!node.isRunning() || node.gates().isEmpty() || node.partitions() != now) {
            return;
        }
        for (PartitionEntry row : now.newSince(before)) {
            List<NodeId> hosts =
                    row.instances().stream().filter(node.state().members()::has).toList();
            List<NodeId> route = node.routeTo(row.path());
            if (!hosts.equals(route)) {
                world.report("P4", "sends to " + route + " by the row " + row, node);
            }
        }
    }

    /** P1: all who count have really had the state on which it acts. */
    private void judgeMembership(Step step) {
        ClusterState base = reader.read(step).base();
        VersionMemory.Entry entry = history.versions().find(base.version());
        boolean isKnown = entry != null && entry.state.sameContentAs(base);
        step.world().judged("P1");
        if (isKnown && !entry.isComplete) {
            step.world().letOff("P1");
            return;
        }
        boolean anybodyCounts =
                base.members().stream().anyMatch(it -> LeaderActionsNeedConvergence.counts(step, it, false, history));
        for (Member member : base.members()) {
            boolean isOther = !member.id().equals(step.node().id());
            if (isOther && LeaderActionsNeedConvergence.counts(step, member, !anybodyCounts, history)) {
                boolean hasHad = isKnown
                        && step.world()
                                .node(member.id())
                                .filter(entry::wasProcessedBy)
                                .isPresent();
                if (!hasHad) {
                    step.world()
                            .report(
                                    "P1",
                                    "wrote rows on version " + base.version() + ", which " + member + " never had",
                                    step.node());
                    return;
                }
            }
        }
    }

    /** P1: all who have a table have really had the one from which it goes on. */
    private void judgeTable(Step step, PartitionTable learned) {
        BitSet holders = known.get(learned.digest()).holders;
        for (Member member : step.before().members()) {
            Member after = step.after().members().find(member.id()).orElse(null);
            boolean counts = TableMembers.counts(member) && after != null && TableMembers.counts(after);
            boolean hasHad = !counts
                    || learned.isEmpty()
                    || step.world()
                            .node(member.id())
                            .filter(it -> holders.get(it.number()))
                            .isPresent();
            if (!hasHad) {
                step.world()
                        .report(
                                "P1",
                                "wrote rows after the table " + learned.digest() + ", which " + member + " never had",
                                step.node());
                return;
            }
        }
    }

    private static void judgeWriting(Step step, PartitionEntry before, PartitionEntry row) {
        step.world().judged("P2");
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
        if (row.instances().size() > row.spec().most()) {
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
