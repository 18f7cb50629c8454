package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What whoever leads writes into the partition table, once everybody has the same members and the same table: new
 * partitions, the end of others, new hosts for instances that have lost theirs, and moves from hosts that are to give
 * some away.
 *
 * <p>Nothing that matters is kept here. Pending changes are in the table, wishes and reports are repeated by those who
 * have them, and leaving members can be seen; so the next leader goes on where this one stops.
 */
final class PartitionDuties {
    private static final long REST_NANOS = 5_000_000_000L;

    private final NodeId self;
    private final PartitionSettings settings;
    private final ScalingDuties scaling;
    private final Departures departures;
    /** What was asked for; empty for a partition that is to end. */
    private final TreeMap<PartitionPath, Optional<PartitionSpec>> asked = new TreeMap<>();
    /** What old hosts say about their moves. */
    private final TreeMap<PartitionPath, MoveOutcome> outcomes = new TreeMap<>();
    /** Moves that are worth making, in order. */
    private final MoveQueue queue = new MoveQueue();
    /** Whose instances must not begin anew yet. */
    private final LostHosts lost;
    /** Why partitions are as this node wrote them last. */
    private final Decisions decisions = new Decisions();

    /** Until when partitions stay where they are whose last move failed: it would most likely fail again. */
    private final TreeMap<PartitionPath, Long> restUntilNanos = new TreeMap<>();

    /** Where partitions are to go whose hosts must give them away, and there was no room for one more move. */
    private final TreeMap<PartitionPath, NodeId> withoutRoom = new TreeMap<>();

    private final BarredHosts barred = new BarredHosts();
    private boolean hasNewsOfHosts;

    private final EndedHosts ended = new EndedHosts();

    private Members known = Members.of(List.of());
    private PartitionTable settledTable;
    private Members settledMembers;
    private long nextWakeUpNanos = Long.MAX_VALUE;
    /** When the next lost host has been waited for, as of the last look. */
    private long lostOverNanos = Long.MAX_VALUE;

    private long latestNanos;

    /** What became of a move; an empty failure says that it is done. */
    record MoveOutcome(long move, String failure) {}

    PartitionDuties(NodeId self, PartitionSettings settings, Departures departures) {
        this.departures = departures;
        this.self = self;
        this.settings = settings;
        this.scaling = new ScalingDuties(settings);
        this.lost = new LostHosts(settings.downRemovalMargin().toNanos());
    }

    boolean isEmpty() {
        return asked.isEmpty() && outcomes.isEmpty() && queue.isEmpty() && !hasNewsOfHosts;
    }

    /** This node does not lead. Whoever does is told again. */
    void forgetAsked(long nowNanos) {
        asked.clear();
        outcomes.clear();
        queue.clear();
        scaling.forget();
        decisions.forget();
        barred.forget();
        hasNewsOfHosts = false;
        lost.forgetOver(nowNanos);
    }

    MoveQueue queue() {
        return queue;
    }

    /** Why this node, which leads, wrote the row as it is; empty if it did not. */
    Optional<String> reasonOf(PartitionPath path) {
        return decisions.of(path);
    }

    /** The hosts that are gone and might still be at work on it. */
    List<NodeId> awaited(PartitionPath path, long nowNanos) {
        return lost.awaited(path, nowNanos);
    }

    /** The hosts that may still be at the last message of one that has ended. */
    List<NodeId> ending(PartitionPath path) {
        return ended.of(path).stream().filter(known::has).toList();
    }

    /** What is to become of a partition and what holds that up, in sentences, if this node leads. */
    List<String> prospects(PartitionTable table, PartitionEntry row, long nowNanos) {
        EligibleNodes hosts = EligibleNodes.of(known, it -> it.isMuster() && !departures.isGoing(it.id()));
        Prospects prospects = new Prospects(table, known, hosts, settings, queue, barred, nowNanos);
        List<String> sentences = new ArrayList<>();
        wanted(row.path(), row.spec()).ifPresent(sentences::add);
        long restNanos = restUntilNanos.getOrDefault(row.path(), nowNanos) - nowNanos;
        NodeId noRoom = withoutRoom.get(row.path());
        if (restNanos > 0) {
            sentences.add("its last move failed, so a host that must give it away tries again in "
                    + Prospects.seconds(restNanos) + " at the earliest");
        } else if (noRoom != null && row.pending().isEmpty()) {
            sentences.add("its host must give it away, next to " + noRoom);
            prospects.hold(row, noRoom).ifPresent(sentences::add);
        }
        sentences.addAll(prospects.queued(row));
        sentences.addAll(prospects.leftOut(row.path(), row.spec().role()));
        prospects.frozen().ifPresent(sentences::add);
        return sentences;
    }

    /** What somebody has asked for that the table does not have yet. */
    Optional<String> wanted(PartitionPath path, PartitionSpec now) {
        Optional<PartitionSpec> wish = asked.getOrDefault(path, Optional.ofNullable(now));
        if (wish.isEmpty() && asked.containsKey(path)) {
            return Optional.of("somebody has asked for its end");
        }
        return wish.filter(it -> !it.equals(now))
                .map(it -> "somebody has asked for " + (now == null ? "it: " : "something else: ")
                        + PartitionReasons.wish(it));
    }

    /** Why not, if not. Whoever is told nothing asks again until it is there. */
    Optional<String> want(PartitionTable table, PartitionPath path, PartitionSpec spec) {
        if (isToEnd(table, path)) {
            return Optional.empty(); // first it ends: with another policy it is not the same partition any more
        }
        if (!willBe(table, path)
                && overlapping(table, path).stream().anyMatch(it -> isToEnd(table, it) && endsLater(table, it))) {
            return Optional.empty(); // what lies in its way ends when it has moved
        }
        Optional<PartitionPath> overlapping = willBe(table, path)
                ? Optional.empty() // what is there already may change, whatever lies beside it
                : overlapping(table, path).stream()
                        .filter(other -> willBe(table, other))
                        .findFirst();
        if (overlapping.isPresent()) {
            return Optional.of("there is the partition " + overlapping.get()
                    + ", and partitions do not lie inside each other; choose a path beside it");
        }
        Optional<PartitionSpec> there =
                asked.containsKey(path) ? asked.get(path) : table.find(path).map(PartitionEntry::spec);
        if (there.isPresent() && !there.get().isAlike(spec)) {
            return Optional.of("the cluster has it as " + there.get() + ", not as " + spec
                    + "; host it alike on all nodes, or end it first");
        }
        asked.put(path, Optional.of(spec));
        lookAgain();
        return Optional.empty();
    }

    /** The instance of a host is gone, which had to end with its partition. */
    void hasEnded(PartitionPath path, NodeId host, long epoch) {
        if (ended.isOver(path, host, epoch)) {
            hasNewsOfHosts = true;
            lookAgain();
        }
    }

    /** A host could not start its instance of it. If that is said without a reason, it can. */
    void cannotStart(PartitionTable table, PartitionPath path, NodeId host, String why, long nowNanos) {
        boolean isNews = why.isEmpty()
                ? barred.remove(path, host)
                : table.find(path).filter(it -> it.isOn(host)).isPresent() && barred.add(path, host, why, nowNanos);
        if (isNews) {
            hasNewsOfHosts = true;
            lookAgain();
        }
    }

    /** Those that are not to get an instance of it now; nobody, if nobody else could. */
    SortedSet<NodeId> barredFrom(PartitionPath path, String role, EligibleNodes nodes) {
        SortedSet<NodeId> bar = barred.of(path, latestNanos);
        BitSet others = nodes.ordinalsWith(role);
        others.andNot(nodes.ordinalsOf(bar));
        return others.isEmpty() ? Collections.emptySortedSet() : bar;
    }

    /** What is in the table, or asked for: some of it may be about to end. */
    private TreeSet<PartitionPath> overlapping(PartitionTable table, PartitionPath path) {
        TreeSet<PartitionPath> all = new TreeSet<>(path.overlapsAmong(asked.navigableKeySet()));
        all.addAll(table.overlapping(path));
        return all;
    }

    /** Whether it is there and somebody has asked for its end. */
    private boolean isToEnd(PartitionTable table, PartitionPath path) {
        return table.find(path).isPresent() && !willBe(table, path);
    }

    /** Whether there will be this partition once all is written that was asked for. */
    private boolean willBe(PartitionTable table, PartitionPath path) {
        Optional<PartitionSpec> wish = asked.get(path);
        return wish == null ? table.find(path).isPresent() : wish.isPresent();
    }

    void end(PartitionPath path) {
        asked.put(path, Optional.empty());
        lookAgain();
    }

    /** The old host of a move, and nobody else, says what became of it. */
    void report(PartitionTable table, NodeId from, PartitionPath path, MoveOutcome outcome) {
        boolean isTrue = table.find(path)
                .flatMap(PartitionEntry::pending)
                .filter(it -> it.id() == outcome.move() && it.from().equals(from))
                .isPresent();
        if (isTrue) {
            outcomes.put(path, outcome);
            lookAgain();
        }
    }

    void lookAgain() {
        settledTable = null;
    }

    /** Remembers who has gone, and since when. */
    void follow(ClusterState state, PartitionTable table, long nowNanos) {
        latestNanos = nowNanos;
        ended.follow(table);
        if (state.members() != known) {
            lost.follow(known, state, table, nowNanos);
            for (Member member : known) {
                if (!state.members().has(member.id())) {
                    ended.of(member.id()).forEach(path -> lost.add(path, member.id(), nowNanos));
                }
            }
            known = state.members();
            ended.forgetGone(known);
        }
    }

    /**
     * The rows that are to be written now; none if all is as it should be.
     *
     * @param weights what instances weigh in the long run, for choosing where one begins that is missing
     */
    List<PartitionEntry> perform(
            ClusterState state, PartitionTable table, LoadTable loads, Weights weights, long nowNanos) {
        if (table == settledTable && state.members() == settledMembers && nowNanos < nextWakeUpNanos) {
            return List.of();
        }
        barred.forgetOld(known, nowNanos);
        nextWakeUpNanos = barred.nextOverNanos(nowNanos);
        lost.look(table, known, nowNanos);
        lostOverNanos = lost.nextOverNanos(nowNanos);
        TreeMap<PartitionPath, RowDraft> drafts = drafts(table);
        restUntilNanos.values().removeIf(until -> nowNanos >= until);
        for (RowDraft draft : drafts.values()) {
            draft.servesToTheEnd = draft.instances.stream().anyMatch(it -> servesToTheEnd(draft, it));
            settleMove(draft, nowNanos);
        }
        place(state, drafts, loads, weights, nowNanos);
        nextWakeUpNanos = Math.min(nextWakeUpNanos, scaling.nextWakeUpNanos());
        queue.forgetThoseTo(departures::isGoing);
        queue.forgetPlanned(it -> barred.of(it.path(), nowNanos).contains(it.to()));
        if (isFrozen()) {
            queue.forgetPlanned(any -> true);
        }
        queue.begin(drafts, known, new MoveRoom(drafts.values(), settings.mostParallelMoves()));
        List<PartitionEntry> rows = rows(table, drafts);
        decisions.remember(drafts);
        lost.forgetOver(nowNanos);
        asked.entrySet().removeIf(wish -> wish.getValue().isPresent() || !endsLater(table, wish.getKey()));
        outcomes.clear();
        hasNewsOfHosts = false;
        settledTable = rows.isEmpty() ? table : null;
        settledMembers = state.members();
        return rows;
    }

    /** Nothing is evened out in the middle of an upgrade; what people ask for and what leaves goes on. */
    private boolean isFrozen() {
        return !settings.rebalance()
                .freezing(EligibleNodes.of(known, Member::isMuster))
                .isEmpty();
    }

    /** All partitions that there are to be, as they are now. */
    private TreeMap<PartitionPath, RowDraft> drafts(PartitionTable table) {
        TreeMap<PartitionPath, RowDraft> drafts = new TreeMap<>();
        for (PartitionEntry entry : table.entries().values()) {
            if (!entry.isDeleted()) {
                drafts.put(entry.path(), RowDraft.of(entry));
            }
        }
        asked.forEach((path, spec) -> {
            if (spec.isEmpty()) {
                if (endsLater(table, path)) {
                    drafts.get(path).isToEnd = true;
                } else {
                    drafts.remove(path);
                }
            } else {
                drafts.computeIfAbsent(path, RowDraft::empty).spec = spec.get();
            }
        });
        return drafts;
    }

    /** In the middle of a move nobody but its two hosts could say at which of them the last message is handled. */
    private static boolean endsLater(PartitionTable table, PartitionPath path) {
        return table.find(path)
                .filter(row -> row.pending().isPresent() && row.spec().policy().isExclusive())
                .isPresent();
    }

    // ---- Moves that are under way.

    private void settleMove(RowDraft draft, long nowNanos) {
        PartitionMove move = draft.pending().orElse(null);
        if (move == null) {
            return;
        }
        MoveOutcome outcome = outcomes.get(draft.path);
        boolean isReported = outcome != null && outcome.move() == move.id();
        boolean hasFailed = isReported && !outcome.failure().isEmpty();
        boolean isGone = !known.has(move.to());
        if (isGone && !hasFailed && mayBeAtWork(draft, move.to(), nowNanos)) {
            return; // the old host may have handed over to it, and has not said that it has not
        }
        boolean isOver = isGone || hasFailed;
        if (isOver && draft.servesToTheEnd || !isOver && isReported && servesToTheEnd(draft, move.to())) {
            return; // nobody is written down as a host who is about to go
        }
        if (isOver) {
            draft.move = Optional.empty();
            draft.isCalledOff = true;
            draft.reason = "its move from " + move.from() + " to " + move.to() + " was called off: "
                    + (isGone ? "the new host has gone" : outcome.failure());
            if (!isGone) {
                restUntilNanos.put(draft.path, nowNanos + REST_NANOS);
                barred.add(draft.path, move.to(), outcome.failure(), nowNanos);
            }
        } else if (isReported) {
            draft.replace(move.from(), move.to());
            draft.move = Optional.of(move.done());
            barred.remove(draft.path, move.to()); // people may send it there all the same, and it has started
        } else if (!known.has(move.from()) && !isAwaited(draft, move.from(), nowNanos)) {
            // The new host has whatever it was given before the old one went, and goes on with that.
            draft.replace(move.from(), move.to());
            draft.move = Optional.empty();
            draft.reason = move.from() + " has gone while it handed over to " + move.to();
        }
    }

    // ---- Who is where.

    private void place(
            ClusterState state,
            TreeMap<PartitionPath, RowDraft> drafts,
            LoadTable loads,
            Weights weights,
            long nowNanos) {
        TreeMap<PartitionPath, List<NodeId>> present = new TreeMap<>();
        TreeMap<PartitionPath, ScalingRange> ranges = new TreeMap<>();
        drafts.forEach((path, draft) -> {
            present.put(path, draft.instances.isEmpty() ? ended.of(path) : draft.instancesAfterMove());
            PartitionSpec spec = draft.spec;
            if (spec.isScaled()) {
                ranges.put(path, new ScalingRange(spec.instances(), spec.most(), spec.hint(), spec.role()));
            }
        });
        Placement now = Placement.of(present);
        EligibleNodes nodes = EligibleNodes.of(state.members(), it -> it.isMuster() && !departures.isGoing(it.id()));
        SortedMap<PartitionPath, InstanceDecision> decided = scaling.decide(ranges, now, nodes, loads, nowNanos);
        List<PartitionNeed> needs = new ArrayList<>();
        drafts.forEach((path, draft) -> {
            if (hasNowhereToGo(draft, nodes)) {
                dropTheGone(draft);
            } else if (!mustStay(draft)) {
                int wanted = wantedOf(draft, decided.get(path));
                String role = draft.spec.role();
                SortedSet<NodeId> barred = barredFrom(path, role, nodes);
                int count = isEndingElsewhere(draft, nodes, barred) ? 0 : possibleOf(draft, wanted, nowNanos);
                needs.add(new PartitionNeed(path, count, role, barred));
            }
        });
        Placement next = RingPlacement.place(Layout.of(needs, now, nodes).withWeights(weights));
        MoveRoom room = new MoveRoom(drafts.values(), settings.mostParallelMoves());
        withoutRoom.clear();
        drafts.forEach((path, draft) -> {
            // What moves is placed when it has arrived, unless its host is lost in the meantime.
            if (next.has(path) && draft.pending().isEmpty()) {
                List<NodeId> before = draft.instances;
                follow(draft, next.hostsOf(path), room);
                draft.explain(before, known, decided.get(path));
            }
        });
    }

    /** What load has decided before stays so until it decides otherwise. */
    private int wantedOf(RowDraft draft, InstanceDecision decision) {
        PartitionSpec spec = draft.spec;
        int present = Math.max(draft.instances.size(), alive(draft) + lost.lostOf(draft.path));
        int wanted = decision == null ? present : decision.instances();
        return Math.max(spec.instances(), Math.min(spec.most(), wanted));
    }

    /** An instance whose host may still be at work keeps its place, so that nobody takes that; all others may begin. */
    private int possibleOf(RowDraft draft, int wanted, long nowNanos) {
        if (!draft.spec.policy().isExclusive()) {
            return wanted;
        }
        int alive = alive(draft);
        int awaited = lost.awaited(draft.path, nowNanos).size();
        // Whose hosts nobody here knows any more might have been with any that is gone.
        boolean mayBeAnywhere = alive == 0 && lost.lostOf(draft.path) == 0 && lost.isAnyAwaited(draft.isNew, nowNanos);
        if (awaited > 0 || mayBeAnywhere) {
            nextWakeUpNanos = Math.min(nextWakeUpNanos, lostOverNanos);
        }
        return mayBeAnywhere ? 0 : Math.max(Math.min(wanted, alive), wanted - awaited);
    }

    /** Whether it was ended, and wanted again, and the one before may be at work where the next one cannot begin. */
    private boolean isEndingElsewhere(RowDraft draft, EligibleNodes nodes, SortedSet<NodeId> barred) {
        return draft.instances.isEmpty()
                && draft.spec.policy().isExclusive()
                && ending(draft.path).stream()
                        .anyMatch(host -> barred.contains(host)
                                || nodes.whyNot(host, draft.spec.role()).isPresent());
    }

    private int alive(RowDraft draft) {
        return (int) draft.instances.stream().filter(known::has).count();
    }

    private void follow(RowDraft draft, List<NodeId> wanted, MoveRoom room) {
        List<NodeId> going = new ArrayList<>(draft.instances);
        going.removeAll(wanted);
        List<NodeId> coming = new ArrayList<>(wanted);
        coming.removeAll(draft.instances);
        // A host that lives hands over what somebody else takes; of one that is lost it begins anew elsewhere.
        List<NodeId> handing = going.stream().filter(this::canHandOver).toList();
        List<NodeId> stay = new ArrayList<>();
        int newcomers = coming.size();
        for (NodeId from : handing) {
            if (newcomers == 0) {
                break; // it is one too many
            }
            newcomers--;
            stay.add(from);
            NodeId to = coming.remove(coming.size() - 1);
            if (!draft.mayBegin() || isResting(draft.path)) {
                continue;
            }
            if (room.take(to)) {
                draft.begin(from, to, whyItGives(draft.path, from));
            } else {
                withoutRoom.put(draft.path, to);
            }
        }
        List<NodeId> instances = new ArrayList<>();
        for (NodeId host : draft.instances) {
            if (wanted.contains(host) || stay.contains(host)) {
                instances.add(host);
            }
        }
        instances.addAll(coming);
        draft.instances = instances;
        // One by one: a row has one pending change at most.
    }

    private String whyItGives(PartitionPath path, NodeId from) {
        String otherwise = barred.whyNot(path, from)
                .map(why -> " could not start it: " + why)
                .orElse(" may not host it any more");
        return from + (leaves(from) ? " leaves" : otherwise);
    }

    private boolean leaves(NodeId host) {
        return known.statusOf(host) == MemberStatus.LEAVING || departures.isGoing(host);
    }

    private boolean isResting(PartitionPath path) {
        Long until = restUntilNanos.get(path);
        if (until != null) {
            nextWakeUpNanos = Math.min(nextWakeUpNanos, until);
        }
        return until != null;
    }

    private boolean canHandOver(NodeId host) {
        MemberStatus status = known.statusOf(host);
        return status == MemberStatus.UP || status == MemberStatus.LEAVING;
    }

    private List<PartitionEntry> rows(PartitionTable table, TreeMap<PartitionPath, RowDraft> drafts) {
        List<PartitionEntry> rows = new ArrayList<>();
        long epoch = table.revision() + 1;
        if (epoch > PartitionEntry.HIGHEST_EPOCH) {
            return rows;
        }
        drafts.forEach((path, draft) -> {
            if (!draft.isLike(table.row(path))) {
                rows.add(draft.written(epoch, self));
            }
        });
        for (PartitionEntry entry : table.entries().values()) {
            if (!entry.isDeleted() && !drafts.containsKey(entry.path())) {
                rows.add(new PartitionEntry(entry.path(), epoch, self, entry.spec(), List.of(), true));
            }
        }
        return rows;
    }

    /**
     * One that must be alone stays on a host that is going until that has gone: two would be at work otherwise. And
     * when everybody is about to shut down, all serve until they do.
     */
    private boolean mustStay(RowDraft draft) {
        boolean isExclusive = draft.spec.policy().isExclusive();
        return draft.servesToTheEnd
                || draft.instances.stream()
                        .map(known::statusOf)
                        .anyMatch(it -> it == MemberStatus.PREPARING_FOR_SHUTDOWN
                                || it == MemberStatus.READY_FOR_SHUTDOWN
                                || isExclusive && it.isOnItsWayOut());
    }

    /**
     * Whether a host that had no time left to hand over has the only instance. It goes on until the host does: one that
     * began elsewhere before would be at work beside it.
     */
    private boolean servesToTheEnd(RowDraft draft, NodeId host) {
        return !draft.spec.policy().isExclusive()
                && draft.spec.instances() == 1
                && draft.instances.size() == 1
                && known.statusOf(host) == MemberStatus.EXITING;
    }

    /** Who leaves goes on until it does, where nobody is up to take over: somebody may be about to come up. */
    private boolean hasNowhereToGo(RowDraft draft, EligibleNodes nodes) {
        return nodes.sizeOf(draft.spec.role()) == 0 && draft.instances.stream().anyMatch(this::leaves);
    }

    /** What moves is seen to when it has arrived. Who leaves serves, so nobody has to who shuts down already. */
    private void dropTheGone(RowDraft draft) {
        if (draft.pending().isPresent() || draft.instances.stream().allMatch(known::has)) {
            return;
        }
        boolean isExclusive = draft.spec.policy().isExclusive();
        List<NodeId> before = draft.instances;
        draft.instances = before.stream()
                .filter(known::has)
                .filter(it -> isExclusive || known.statusOf(it) != MemberStatus.EXITING)
                .toList();
        draft.explain(before, known, null);
    }

    /** Whether a host is gone for less than the margin, and what it may be at must be alone. */
    private boolean mayBeAtWork(RowDraft draft, NodeId gone, long nowNanos) {
        boolean mayBe = draft.spec.policy().isExclusive() && lost.isGoneForLessThanTheMargin(gone, nowNanos);
        if (mayBe) {
            nextWakeUpNanos = Math.min(nextWakeUpNanos, lostOverNanos);
        }
        return mayBe;
    }

    private boolean isAwaited(RowDraft draft, NodeId host, long nowNanos) {
        boolean isAwaited = lost.awaited(draft.path, nowNanos).contains(host);
        if (isAwaited) {
            nextWakeUpNanos = Math.min(nextWakeUpNanos, lostOverNanos);
        }
        return isAwaited;
    }

    long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }
}
