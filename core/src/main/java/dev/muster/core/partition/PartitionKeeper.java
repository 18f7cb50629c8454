package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A node's part in the partition table: it asks for what its users want, keeps the table, writes it while it leads, and
 * tells those who host partitions here what has changed.
 */
public final class PartitionKeeper {
    private final NodeId self;
    private final TableGossip gossip;
    private final PartitionDuties duties;
    private final PartitionWishes wishes = new PartitionWishes();
    private final MoveWishes moveWishes = new MoveWishes();
    private final MoveReports reports = new MoveReports();
    private final EndReports endReports = new EndReports();
    private final Rebalancer rebalancer;
    private final Drains drains;
    private final Departures departures;
    private final Overlaps overlaps = new Overlaps();
    private final LoadGossip load;
    private final DampedWeights weights;
    private final Optional<Duration> rebalanceInterval;
    private final TableFollower follower;
    private long dutiesDueNanos = Long.MAX_VALUE;
    private long drainDueNanos = Long.MAX_VALUE;
    private long nextRebalanceNanos = Long.MAX_VALUE;
    private boolean knowsLeader = true;
    /** Of which the leader was told that they cannot be started here. */
    private final TreeSet<PartitionPath> couldNotStart = new TreeSet<>();
    /** Of which it is to be told that they now can. */
    private final TreeSet<PartitionPath> canStart = new TreeSet<>();

    public PartitionKeeper(NodeId self, PartitionSettings settings, RandomGenerator random) {
        this.self = self;
        this.gossip = new TableGossip(self, random);
        this.follower = new TableFollower(self);
        this.departures = new Departures(self, settings);
        this.duties = new PartitionDuties(self, settings, departures);
        this.rebalancer = new Rebalancer(settings.rebalance());
        this.drains = new Drains(settings);
        this.load = new LoadGossip(self, settings, random);
        this.weights = new DampedWeights(settings.load());
        this.rebalanceInterval = settings.rebalance().interval();
    }

    public PartitionTable table() {
        return gossip.table();
    }

    /** A newcomer has just been let in by this node. */
    public void greet(Member newcomer, Effects effects) {
        gossip.greet(newcomer, effects);
    }

    /** Whether a member is known to have had the table, if there is one. */
    public boolean isInformed(Member member) {
        return gossip.isInformed(member);
    }

    /** Those of whom it is not known that they have the table as it is now, if there is one. */
    public List<NodeId> withoutTable(ClusterState state) {
        return gossip.table().isEmpty() ? List.of() : gossip.silent(state);
    }

    /**
     * Whether a member may come up, asked while membership has converged: whoever is up may send by the table. Moves
     * may have ended before their old hosts knew of the newcomer, and so without its word that it knows the new host.
     * From now on all wait for it, and it has what was written before, as has everybody of whom it may hear.
     */
    public boolean mayComeUp(ClusterState state, Member newcomer) {
        return gossip.table().isEmpty() || !newcomer.isMuster() || gossip.isSettled(state);
    }

    /** Whether all that have a table have this one, and this node has heard so since it leads. */
    public boolean isSettled(ClusterState state) {
        return gossip.isSettled(state);
    }

    /** Whether all that have a table have this one, as far as this node has heard from them. */
    public boolean hasConverged(ClusterState state) {
        return gossip.hasConverged(state);
    }

    /** The same, or that the leader has heard it: to be shown, and not to be acted on. */
    public boolean isKnownToAll(ClusterState state) {
        return gossip.isKnownToAll(state);
    }

    public void want(PartitionPath path, PartitionSpec spec, long nowNanos) {
        wishes.want(path, spec, nowNanos);
        if (couldNotStart.remove(path)) {
            canStart.add(path); // it was made known here only now, perhaps
        }
    }

    public void end(PartitionPath path, long nowNanos) {
        wishes.end(path, nowNanos);
    }

    /** A gate of this node says what became of a move that begins here; an empty failure says that it is done. */
    public void report(PartitionPath path, long move, String failure, long nowNanos) {
        reports.add(path, new PartitionDuties.MoveOutcome(move, failure), nowNanos);
    }

    /** A gate of this node says that its instance is gone, which had to end with its partition. */
    public void hasEnded(PartitionPath path, long epoch) {
        endReports.add(path, epoch);
    }

    /** A gate of this node says that it should host an instance, and cannot. It says so again when it fails again. */
    public void cannotStart(ClusterState state, PartitionPath path, String why, long nowNanos, Effects effects) {
        couldNotStart.add(path);
        TableMembers.leader(state, self)
                .ifPresent(leader ->
                        tell(state, leader, new TableMessage.CannotStart(leader, path, why), nowNanos, effects));
    }

    private void tell(ClusterState state, NodeId leader, TableMessage word, long nowNanos, Effects effects) {
        if (leader.equals(self)) {
            onWish(state, self, word, nowNanos, effects);
        } else {
            effects.send(leader.address(), word);
        }
    }

    /** Somebody wants an instance to be on that node. Why not, if not, as far as is known here. */
    public Optional<String> migrate(ClusterState state, Command.Migrate wish, long nowNanos) {
        Optional<String> objection = migrationPlan(state, wish).objection();
        if (objection.isEmpty()) {
            moveWishes.move(wish, nowNanos);
        }
        return objection;
    }

    public void rebalance(long nowNanos) {
        moveWishes.rebalance(nowNanos);
    }

    /** What a rebalancing would do now, as far as is known here. */
    public RebalancePlan rebalancePlan(ClusterState state) {
        RebalancePlan plan = rebalancer.plan(layout(state));
        return knowsFewLoads(state)
                ? plan.withSummary(plan.summary() + "; in so large a cluster this node has heard how busy only some "
                        + "members are, so the plan of the leader of the table may be another")
                : plan;
    }

    /** Beyond a few members only who leads hears of all how busy they are. */
    private boolean knowsFewLoads(ClusterState state) {
        return !load.table().isEmpty()
                && state.members().stream().filter(TableMembers::counts).count() > LoadGossip.MOST_GOSSIPING
                && TableMembers.leader(state, self).filter(self::equals).isEmpty();
    }

    /** What moving an instance of a path would do. Unless told else it comes from the host that is first in the row. */
    public RebalancePlan migrationPlan(ClusterState state, Command.Migrate wish) {
        PartitionPath path = wish.path();
        PartitionEntry row = gossip.table().find(path).orElse(null);
        if (row == null) {
            return refused("there is no partition " + path + "; the table has "
                    + gossip.table().size());
        }
        List<Member> there = state.members().at(wish.to());
        if (there.isEmpty()) {
            return refused("there is no member at " + wish.to());
        }
        if (row.pending().isPresent()) {
            return refused(path + " is on the move already: " + row.pending().get());
        }
        List<NodeId> hosts = row.instances();
        if (hosts.isEmpty()) {
            return refused(path + " has no instance now");
        }
        NodeId target = there.get(there.size() - 1).id();
        return hosts.stream()
                .filter(host -> wish.from().isEmpty() || wish.from().get().equals(host.address()))
                .findFirst()
                .map(from -> rebalancer.migrate(layout(state), List.of(new Migration(path, from, target))))
                .orElseGet(() -> refused(wish.from().orElseThrow() + " hosts no instance of " + path + "; name one of "
                        + hosts.stream().map(NodeId::address).toList()));
    }

    private static RebalancePlan refused(String why) {
        return new RebalancePlan(List.of(), List.of(), why, List.of());
    }

    /** Now and then whoever leads looks whether something is worth moving; not while something is. */
    private void rebalanceIfDue(ClusterState state, long nowNanos) {
        if (rebalanceInterval.isEmpty()) {
            return;
        }
        boolean isFirstLook = nextRebalanceNanos == Long.MAX_VALUE;
        if (!isFirstLook && nowNanos < nextRebalanceNanos) {
            return;
        }
        nextRebalanceNanos = nowNanos + rebalanceInterval.get().toNanos();
        boolean isCalm = duties.queue().isEmpty()
                && gossip.table().entries().values().stream()
                        .allMatch(it -> it.pending().isEmpty());
        if (!isFirstLook && isCalm) {
            List<Move> moves = rebalancePlan(state).moves();
            if (!moves.isEmpty()) {
                duties.queue().plan(moves);
                duties.lookAgain();
            }
        }
    }

    /** What there is, with moves that are under way as if they were done. */
    private Layout layout(ClusterState state) {
        List<PartitionNeed> needs = new ArrayList<>();
        EligibleNodes nodes = EligibleNodes.of(state.members(), it -> it.isMuster() && !departures.isGoing(it.id()));
        for (PartitionEntry entry : gossip.table().entries().values()) {
            if (!entry.isDeleted()) {
                String role = entry.spec().role();
                needs.add(new PartitionNeed(
                        entry.path(), entry.spec().instances(), role, duties.barredFrom(entry.path(), role, nodes)));
            }
        }
        return Layout.of(needs, placement(), nodes).withWeights(weights.weights());
    }

    private Placement placement() {
        TreeMap<PartitionPath, List<NodeId>> present = new TreeMap<>();
        for (PartitionEntry entry : gossip.table().entries().values()) {
            if (!entry.isDeleted()) {
                present.put(entry.path(), RowDraft.of(entry).instancesAfterMove());
            }
        }
        return Placement.of(present);
    }

    /** Learns what instances weigh, if this node hears of all: so that any member can say what the leader would do. */
    private void weigh(boolean leads, long nowNanos) {
        if (!leads && !load.isGossiping()) {
            weights.forget();
        } else if (weights.isDue(load.table(), nowNanos)) {
            weights.learn(load.table(), placement(), nowNanos);
        }
    }

    /** How busy this process is. */
    public void measured(double cpuLoad, double gcShare, SortedMap<PartitionPath, Long> mailboxes) {
        load.measured(cpuLoad, gcShare, mailboxes);
    }

    /** Somebody said how busy nodes are, a member that has a table. */
    public void onLoad(ClusterState state, NodeId from, LoadMessage message, Effects effects) {
        load.onMessage(state, from, message, effects);
    }

    /** What is known here of how busy nodes are. */
    public LoadTable loads() {
        return load.table();
    }

    /** Why a partition is where it is, in sentences. */
    public List<String> explain(ClusterState state, boolean isConverged, PartitionPath path, long nowNanos) {
        return new PartitionReasons(
                        self, state, gossip.table(), isConverged, gossip.silent(state), duties, moveWishes, nowNanos)
                .of(path);
    }

    /** Why this node decided last about partitions that are on the move, if it leads. */
    public SortedMap<PartitionPath, String> reasonsOfMoves() {
        TreeMap<PartitionPath, String> reasons = new TreeMap<>();
        for (PartitionEntry entry : gossip.table().entries().values()) {
            if (entry.pending().isPresent()) {
                duties.reasonOf(entry.path()).ifPresent(reason -> reasons.put(entry.path(), reason));
            }
        }
        return reasons;
    }

    /** Moves that wait for their turn, if this node leads. */
    public Collection<Move> waitingMoves() {
        return duties.queue().waiting();
    }

    /** Whether a member that leaves may go on: it has nothing left and knows it, or its time is up. */
    public boolean mayGo(ClusterState state, NodeId leaving, long nowNanos) {
        PartitionTable table = gossip.table();
        return table.isEmpty()
                || drains.isTimeUp(leaving, nowNanos)
                || drains.isDrained(
                                leaving,
                                leftOn(state, leaving).isEmpty(),
                                gossip.changes(),
                                gossip.knownChanges(leaving))
                        && (!leaving.equals(self) || isPassedOn(state));
    }

    /** Whether others have what this node has written, if it leads: it may be gone when somebody misses a last row. */
    private boolean isPassedOn(ClusterState state) {
        return gossip.isSettled(state)
                || TableMembers.leader(state, self).filter(self::equals).isEmpty();
    }

    /** What a member hosts that others could, whatever its time. */
    public List<PartitionPath> leftOn(ClusterState state, NodeId host) {
        return Drains.leftOn(host, state, gossip.table(), departures::isGoing);
    }

    /**
     * Whether a member that is to leave must hand over before it says so: whoever leads this cluster need not wait for
     * it afterwards.
     */
    public boolean handsOverFirst(ClusterState state, NodeId who) {
        return Departures.isMixed(state)
                && state.members().statusOf(who) == MemberStatus.UP
                && !leftOn(state, who).isEmpty();
    }

    /** Lets a member hand over and leave then: this one, or another one that is told. */
    public void depart(NodeId who, long nowNanos) {
        departures.begin(who, nowNanos);
        duties.lookAgain();
    }

    /** Whether this node hands over in order to leave, and has not said yet that it does. */
    public boolean departs() {
        return departures.isGoing(self);
    }

    /** Who is to be said to leave now, having handed over or had its time. */
    public List<NodeId> departing(ClusterState state, long nowNanos) {
        return departures.isEmpty()
                ? List.of()
                : departures.due(state, leftOn(state, self).isEmpty() && isPassedOn(state), nowNanos);
    }

    /** Somebody said something about the table, a member that has one. */
    public void onMessage(ClusterState state, NodeId from, TableMessage message, long nowNanos, Effects effects) {
        if (message instanceof TableMessage.TableStatus status) {
            gossip.onStatus(from, status, effects);
            gossip.learnAgreement(state, status, effects);
        } else if (message instanceof TableMessage.TableParts parts) {
            gossip.onParts(from, parts, effects);
        } else if (message instanceof TableMessage.TableRows rows) {
            gossip.onRows(state, from, rows, nowNanos, effects);
        } else if (message instanceof TableMessage.PleaseLeave) {
            depart(self, nowNanos);
        } else if (message instanceof TableMessage.Draining) {
            if (departures.heard(from, nowNanos)) {
                duties.lookAgain();
            }
        } else if (message instanceof TableMessage.RefusedPartition refused) {
            onRefusal(refused, effects);
        } else {
            onWish(state, from, message, nowNanos, effects);
        }
    }

    private void onWish(ClusterState state, NodeId from, TableMessage wish, long nowNanos, Effects effects) {
        if (TableMembers.leader(state, self).filter(self::equals).isEmpty()) {
            return; // whoever leads is asked again, and must not be contradicted
        }
        if (wish instanceof TableMessage.MoveReport report) {
            duties.report(
                    gossip.table(),
                    from,
                    report.path(),
                    new PartitionDuties.MoveOutcome(report.move(), report.failure()));
        } else if (wish instanceof TableMessage.InstanceEnded end) {
            duties.hasEnded(end.path(), from, end.epoch());
        } else if (wish instanceof TableMessage.CannotStart report) {
            duties.cannotStart(gossip.table(), report.path(), from, report.reason(), nowNanos);
        } else if (wish instanceof TableMessage.WantMove move) {
            onWantMove(state, from, move, nowNanos, effects);
        } else if (wish instanceof TableMessage.WantRebalance rebalance) {
            onWantRebalance(state, from, rebalance);
        } else if (wish instanceof TableMessage.EndPartition end) {
            duties.end(end.path());
        } else if (wish instanceof TableMessage.WantPartition want) {
            duties.want(gossip.table(), want.path(), want.spec())
                    .ifPresent(reason -> refuse(from, want.path(), reason, effects));
        }
    }

    /** What the leader before has begun counts as done, so whoever leads next plans only what is left. */
    private void onWantRebalance(ClusterState state, NodeId from, TableMessage.WantRebalance wish) {
        if (duties.queue().isNewWish(from, wish.number())) {
            duties.queue().plan(rebalancePlan(state).moves());
            duties.lookAgain();
        }
    }

    /** The leader may know better than who asked it, who is told so. Who waits already goes on waiting. */
    private void onWantMove(
            ClusterState state, NodeId from, TableMessage.WantMove wish, long nowNanos, Effects effects) {
        PartitionPath path = wish.path();
        PartitionEntry row = gossip.table().find(path).orElse(null);
        if (row == null || row.epoch() != wish.epoch()) {
            return; // it is about to see another row
        }
        duties.queue().heardAgain(from, path, nowNanos);
        if (row.pending().isPresent() || row.instances().isEmpty() || isQueued(from, wish)) {
            return; // its turn comes
        }
        Command.Migrate migrate = new Command.Migrate(path, wish.host(), wish.source());
        RebalancePlan plan = migrationPlan(state, migrate);
        Optional<String> objection = queuedByAnother(from, path).or(plan::objection);
        if (objection.isEmpty()) {
            duties.queue().ask(from, plan.moves().get(0), nowNanos);
            duties.lookAgain();
        } else if (from.equals(self)) {
            moveWishes.forget(path);
            effects.publish(new ClusterEvent.CommandRefused(migrate, objection.get()));
        } else {
            effects.send(from.address(), new TableMessage.RefusedPartition(from, path, objection.get()));
        }
    }

    private boolean isQueued(NodeId by, TableMessage.WantMove wish) {
        MoveQueue queue = duties.queue();
        return queue.askedBy(wish.path()).filter(by::equals).isPresent()
                && queue.askedFor(wish.path())
                        .filter(move -> move.to().address().equals(wish.host()))
                        .filter(move -> wish.source().isEmpty()
                                || wish.source().get().equals(move.from().address()))
                        .isPresent();
    }

    /** If the later wish counted, two nodes that repeat theirs would take turns. */
    private Optional<String> queuedByAnother(NodeId from, PartitionPath path) {
        return duties.queue()
                .askedBy(path)
                .filter(by -> !by.equals(from))
                .flatMap(by -> duties.queue()
                        .askedFor(path)
                        .map(move -> path + " waits for its move to " + move.to() + " already, for which " + by
                                + " was asked"));
    }

    /** If both a move and the partition itself are wished for, the partition is asked for again, and refused again. */
    private void onRefusal(TableMessage.RefusedPartition refused, Effects effects) {
        Optional<Command.Migrate> move = moveWishes.forget(refused.path());
        if (move.isPresent()) {
            effects.publish(new ClusterEvent.CommandRefused(move.get(), refused.reason()));
        } else if (wishes.forget(refused.path())) {
            effects.publish(new ClusterEvent.PartitionRefused(refused.path(), refused.reason()));
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
            gossip.lead(false, false, nowNanos);
            return;
        }
        if (departures.tick(state, nowNanos, effects)) {
            duties.lookAgain();
        }
        moveWishes.settle(gossip.table(), state.members(), nowNanos).forEach(effects::publish);
        Optional<NodeId> leader = TableMembers.leader(state, self);
        knowsLeader = leader.isPresent();
        leader.ifPresent(it -> ask(state, it, nowNanos, effects));
        gossip.follow(state, nowNanos);
        duties.follow(state, gossip.table(), nowNanos);
        drains.follow(state, nowNanos);
        boolean leads = leader.filter(self::equals).isPresent();
        boolean mayLead = leads && isConverged.test(state);
        gossip.lead(leads, mayLead, nowNanos);
        if (!leads) {
            duties.forgetAsked(nowNanos); // whoever leads now is asked again
            nextRebalanceNanos = Long.MAX_VALUE;
        } else {
            duties.queue().forgetUnheard(nowNanos);
            if (!duties.isEmpty()) {
                gossip.wantsConvergence(state, nowNanos);
            }
        }
        weigh(leads, nowNanos);
        boolean mayWrite = mayLead && gossip.hasConverged(state);
        if (mayWrite) {
            overlaps.look(gossip.table(), effects);
            rebalanceIfDue(state, nowNanos);
            List<PartitionEntry> rows =
                    duties.perform(state, gossip.table(), load.table(), weights.weights(), nowNanos);
            if (!rows.isEmpty()) {
                follower.follow(state, gossip.table(), effects); // what has come just now may be written over at once
                gossip.write(state, rows, nowNanos, effects);
            }
        }
        // Who may not write now may when somebody says something, not when time has passed.
        dutiesDueNanos = mayWrite ? Math.min(duties.nextWakeUpNanos(), nextRebalanceNanos) : Long.MAX_VALUE;
        drainDueNanos = drains.nextWakeUpNanos(nowNanos);
        load.tick(state, nowNanos, effects);
        gossip.tick(state, nowNanos, effects);
        follower.follow(state, gossip.table(), effects);
    }

    private void ask(ClusterState state, NodeId leader, long nowNanos, Effects effects) {
        List<TableMessage> all = new ArrayList<>(wishes.due(gossip.table(), leader, nowNanos));
        all.addAll(reports.due(gossip.table(), leader, nowNanos));
        all.addAll(endReports.due(gossip.table(), leader, nowNanos));
        all.addAll(moveWishes.due(gossip.table(), leader, nowNanos));
        canStart.forEach(path -> all.add(new TableMessage.CannotStart(leader, path, "")));
        canStart.clear();
        all.forEach(wish -> tell(state, leader, wish, nowNanos, effects));
    }

    /** Whether nobody here uses partitions; then there is nothing to wake up for either. */
    private boolean isUnused() {
        return gossip.table().isEmpty() && wishes.isEmpty() && duties.isEmpty();
    }

    public long nextWakeUpNanos() {
        if (isUnused()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(gossip.nextWakeUpNanos(), dutiesDueNanos);
        if (knowsLeader) {
            next = Math.min(next, wishes.isEmpty() ? Long.MAX_VALUE : wishes.nextWakeUpNanos());
            next = Math.min(next, Math.min(reports.nextWakeUpNanos(), endReports.nextWakeUpNanos()));
            next = Math.min(next, moveWishes.nextTellNanos());
        }
        next = Math.min(next, Math.min(load.nextWakeUpNanos(), departures.nextWakeUpNanos()));
        return Math.min(next, Math.min(drainDueNanos, moveWishes.nextOverNanos()));
    }
}
