package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a partition is where it is, in sentences, and what happens next. */
final class PartitionReasons {
    private static final int MOST_NAMED = 5;

    private final NodeId self;
    private final ClusterState state;
    private final PartitionTable table;
    private final boolean isMembershipConverged;
    private final List<NodeId> silent;
    private final PartitionDuties duties;
    private final MoveWishes moveWishes;
    private final long nowNanos;

    /**
     * @param isMembershipConverged whether all have the same members
     * @param silent those who are not known to have this table
     * @param duties what this node decided and will do, if it leads, and whom it knows to be gone
     * @param moveWishes what this node was asked to have moved
     */
    PartitionReasons(
            NodeId self,
            ClusterState state,
            PartitionTable table,
            boolean isMembershipConverged,
            List<NodeId> silent,
            PartitionDuties duties,
            MoveWishes moveWishes,
            long nowNanos) {
        this.self = self;
        this.state = state;
        this.table = table;
        this.isMembershipConverged = isMembershipConverged;
        this.silent = silent;
        this.duties = duties;
        this.moveWishes = moveWishes;
        this.nowNanos = nowNanos;
    }

    List<String> of(PartitionPath path) {
        PartitionEntry row = table.row(path);
        if (row == null) {
            List<String> sentences = new ArrayList<>(List.of(unknown(path)));
            if (leads()) {
                duties.wanted(path, null).ifPresent(sentences::add);
            }
            return sentences;
        }
        List<String> sentences = new ArrayList<>();
        if (row.isDeleted()) {
            sentences.add(path + " has ended, by epoch " + row.epoch() + " of " + row.writer());
            return sentences;
        }
        sentences.add(path + " is on "
                + (row.instances().isEmpty() ? "no node" : names(row.instances())) + ", as " + row.writer()
                + " wrote in epoch " + row.epoch() + "; " + wish(row.spec()));
        overlap(path).ifPresent(sentences::add);
        lastMove(row).ifPresent(sentences::add);
        missing(row).ifPresent(sentences::add);
        for (NodeId host : row.instances()) {
            trouble(row, host).ifPresent(sentences::add);
        }
        decision(path).ifPresent(sentences::add);
        moveWishes.wantedHere(path, nowNanos).ifPresent(sentences::add);
        if (leads()) {
            sentences.addAll(duties.prospects(table, row, nowNanos));
        }
        sentences.add(writing());
        return sentences;
    }

    private boolean leads() {
        return TableMembers.leader(state, self).filter(self::equals).isPresent();
    }

    private String unknown(PartitionPath path) {
        Optional<PartitionPath> overlapping = table.overlapping(path).stream().findFirst();
        return "there is no partition " + path
                + overlapping
                        .map(it -> ", and cannot be beside " + it + ", because partitions do not lie inside each other")
                        .orElse(table.isEmpty() ? "; the table is empty" : "; the table has " + table.size());
    }

    /** Two leaders who did not know of each other may have created both. */
    private Optional<String> overlap(PartitionPath path) {
        List<PartitionPath> others = table.overlapping(path);
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("it overlaps with " + others + ", which was created where nobody knew of it; both go on "
                        + "until somebody ends one of them");
    }

    static String wish(PartitionSpec spec) {
        return spec.wish()
                + (spec.role().isEmpty() ? "" : " on members with the role " + spec.role())
                + ", handed over by the policy " + named(spec.policy());
    }

    private static String named(HandoffPolicy policy) {
        return policy.presetName().map(name -> name + " (" + policy + ")").orElse(policy.toString());
    }

    /** Why the row is as it is: only who leads knows, and only of what it decided itself. */
    private Optional<String> decision(PartitionPath path) {
        NodeId leader = TableMembers.leader(state, self).orElse(null);
        if (leader == null) {
            return Optional.empty();
        }
        if (!leader.equals(self)) {
            return Optional.of(leader + " knows the reason of the last change, if it made it; ask there");
        }
        return Optional.of(duties.reasonOf(path)
                .map(reason -> "as the leader of the table this node decided last: " + reason)
                .orElse("as the leader of the table this node has decided nothing about it yet; an earlier one did"));
    }

    private Optional<String> lastMove(PartitionEntry row) {
        return row.move()
                .map(move ->
                        move.isPending() ? pending(move) : made(move, row.spec().policy()));
    }

    /** The row does not say whether all have switched since, so this holds before and after. */
    private String made(PartitionMove move, HandoffPolicy policy) {
        String text = "it came from " + move.from() + " by move " + move.id();
        if (!state.members().has(move.from())) {
            return text + ", and that node has gone";
        }
        return policy.update() == HandoffPolicy.Update.FORWARD
                ? text + "; what may still be sent there is forwarded"
                : text + "; what was sent there before its sender had switched is dropped";
    }

    private String pending(PartitionMove move) {
        String text = "it is being handed over from " + move.from() + " to " + move.to() + ", move " + move.id();
        if (!state.members().has(move.to())) {
            return text + "; but " + move.to() + " has gone, so the leader will call it off";
        }
        if (!state.members().has(move.from())) {
            return text + "; but " + move.from() + " has gone, so the leader will put it on " + move.to()
                    + (row(move).isPresent() ? " once the down-removal-margin has passed" : "");
        }
        return text + "; the row changes when " + move.from() + " says that it is done";
    }

    private Optional<PartitionEntry> row(PartitionMove move) {
        return table.entries().values().stream()
                .filter(it -> it.move().filter(move::equals).isPresent()
                        && it.spec().policy().isExclusive())
                .findFirst();
    }

    private Optional<String> missing(PartitionEntry row) {
        long possible = state.members().stream().filter(row.spec()::fits).count();
        int wanted = row.spec().instances();
        if (row.instances().size() >= wanted) {
            return Optional.empty();
        }
        if (possible < wanted) {
            return Optional.of("only " + possible + " of " + wanted + " instances are possible: " + possible
                    + " members are up and may host it");
        }
        List<NodeId> awaited = duties.awaited(row.path(), nowNanos);
        if (!awaited.isEmpty()) {
            return Optional.of("an instance waits for the down-removal-margin, because " + names(awaited)
                    + " may not know yet that it was removed");
        }
        List<NodeId> ending = duties.ending(row.path());
        if (row.instances().isEmpty() && !ending.isEmpty()) {
            return Optional.of("it has ended before, and waits until its instance on " + names(ending)
                    + " has finished its last message");
        }
        return Optional.of(
                row.spec().policy().isExclusive() && row.instances().isEmpty()
                        ? "it waits for the down-removal-margin, because the host before may not know yet that it was "
                                + "removed"
                        : "instances are missing, which the leader will place");
    }

    private Optional<String> trouble(PartitionEntry row, NodeId host) {
        Member member = state.members().find(host).orElse(null);
        if (member == null) {
            return Optional.of(host + " has been removed, so the leader will place its instance elsewhere");
        }
        if (!state.isReachable(host)) {
            return Optional.of(host + " is unreachable; its instance is placed elsewhere once that node is removed");
        }
        if (member.status() == MemberStatus.LEAVING) {
            boolean canGo = Drains.leftOn(host, state, table).contains(row.path());
            return Optional.of(host + " leaves, "
                    + (canGo ? "so its instance is handed over" : "and nobody else can host its instance"));
        }
        if (!row.spec().fits(member)) {
            return Optional.of(host + " is " + member.status().displayName() + " and must give up its instance");
        }
        return Optional.empty();
    }

    /** What keeps the leader from writing, if anything; of another node's reasons this one knows only some. */
    private String writing() {
        Optional<NodeId> leader = TableMembers.leader(state, self);
        if (leader.isEmpty()) {
            return "nobody leads the table now, so nothing can change";
        }
        String who = leader.get() + " leads the table";
        if (!isMembershipConverged) {
            return who + ", and writes only when all agree on the members; see explain convergence";
        }
        if (!leader.get().equals(self)) {
            return who
                    + (silent.contains(leader.get())
                            ? ", and has not said to this node that it has this table"
                            : ", and has said that it has this table")
                    + "; what holds a change up, and what comes next, is said there";
        }
        return silent.isEmpty()
                ? who + ", and nothing keeps it from writing"
                : who + ", and waits to hear that " + names(silent) + " have this table";
    }

    private static String names(List<NodeId> nodes) {
        List<String> named =
                nodes.stream().limit(MOST_NAMED).map(NodeId::toString).toList();
        return String.join(", ", named)
                + (nodes.size() > MOST_NAMED ? " and " + (nodes.size() - MOST_NAMED) + " more" : "");
    }
}
