package dev.muster.core;

import dev.muster.core.failure.HeartbeatMonitor;
import dev.muster.core.membership.Convergence;
import dev.muster.core.membership.Downing;
import dev.muster.core.membership.JoinAcceptance;
import dev.muster.core.membership.Leader;
import dev.muster.core.membership.LeaderDuties;
import dev.muster.core.membership.SeedJoining;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Why things are as they are, in sentences with names, versions and ages: what blocks, who says so, since when, and
 * what happens next. A function of what the core knows; it changes nothing.
 */
public final class Explanation {
    private final NodeId self;
    private final ClusterState state;
    private final SortedSet<NodeId> exitConfirmed;
    private final LeaderDuties duties;
    private final Predicate<Member> hasTable;
    private final List<NodeId> withoutTable;
    private final SeedJoining joining;
    private final JoinAcceptance acceptance;
    private final Downing downing;
    private final HeartbeatMonitor monitor;
    private final Ages ages;
    private final long nowNanos;

    Explanation(
            NodeId self,
            ClusterState state,
            SortedSet<NodeId> exitConfirmed,
            LeaderDuties duties,
            SeedJoining joining,
            JoinAcceptance acceptance,
            Downing downing,
            HeartbeatMonitor monitor,
            Ages ages,
            Predicate<Member> hasTable,
            List<NodeId> withoutTable,
            long nowNanos) {
        this.self = self;
        this.state = state;
        this.exitConfirmed = exitConfirmed;
        this.duties = duties;
        this.hasTable = hasTable;
        this.withoutTable = withoutTable;
        this.joining = joining;
        this.acceptance = acceptance;
        this.downing = downing;
        this.monitor = monitor;
        this.ages = ages;
        this.nowNanos = nowNanos;
    }

    /** Why not everybody has seen this version, or that everybody has. */
    public List<String> convergence() {
        if (!state.members().has(self)) {
            return List.of("this node is no member of a cluster"
                    + joining.pendingSentence().map(s -> ": " + s).orElse(""));
        }
        List<String> sentences = new ArrayList<>();
        String version = "version " + state.version() + ", " + age(ages.versionSinceNanos()) + " old";
        List<Member> missing = Convergence.missing(state, exitConfirmed);
        List<Member> blockers = Convergence.unreachableBlockers(state, self, exitConfirmed);
        if (missing.isEmpty() && blockers.isEmpty()) {
            sentences.add("converged: all members that count have seen " + version);
            return sentences;
        }
        sentences.add("not converged on " + version);
        if (!missing.isEmpty()) {
            sentences.add("not yet seen by " + names(missing));
        }
        for (Member blocker : blockers) {
            sentences.add("blocked because " + blocker + " is unreachable: " + accusers(blocker.id()));
        }
        downing.pendingSentence(nowNanos).ifPresent(sentences::add);
        return sentences;
    }

    /** Who says that a member cannot be reached, since when, and what this node itself hears of it. */
    public List<String> unreachable(NodeId id) {
        Optional<Member> member = state.members().find(id);
        if (member.isEmpty()) {
            return List.of(noMember(id));
        }
        List<String> sentences = new ArrayList<>();
        ReachabilityStatus status = state.reachabilityOf(id);
        if (status == ReachabilityStatus.REACHABLE) {
            sentences.add(member.get() + " is reachable: no member that is not down says otherwise");
        } else {
            sentences.add(member.get() + " is " + status.displayName().toLowerCase(Locale.ROOT) + ": " + accusers(id));
            sentences.add(
                    status == ReachabilityStatus.TERMINATED
                            ? "it cannot come back with this uid; it will be removed once it is down"
                            : "it is reachable again when all of them hear from it, or are down");
        }
        if (monitor.targets().contains(id)) {
            sentences.add(
                    String.format(Locale.ROOT, "this node watches it: phi is %.2f now", monitor.phiOf(id, nowNanos)));
        }
        downing.pendingSentence(nowNanos).ifPresent(sentences::add);
        return sentences;
    }

    /** Why a member is not up. */
    public List<String> notUp(NodeId id) {
        Optional<Member> member = state.members().find(id);
        if (member.isEmpty()) {
            return List.of(noMember(id));
        }
        MemberStatus status = member.get().status();
        if (status == MemberStatus.UP) {
            return List.of(member.get() + " is up, number " + member.get().upNumber());
        }
        List<String> sentences = new ArrayList<>();
        sentences.add(
                member.get() + (status.isNotYetUp() ? " waits to be moved up by the leader" : " is on its way out"));
        if (status.isNotYetUp()) {
            String tooFew = duties.missingMembers(state);
            if (!tooFew.isEmpty()) {
                sentences.add("nobody becomes up yet: " + tooFew);
            }
            Optional<NodeId> leader = Leader.of(state, self);
            leader.ifPresent(it -> sentences.add("the leader is " + it));
            if (leader.filter(self::equals).isPresent()) {
                sentences.addAll(aboutTable(member.get()));
            }
            sentences.addAll(convergence());
        }
        return sentences;
    }

    /** What the leader, this node, has not heard of the partition table. */
    private List<String> aboutTable(Member newcomer) {
        List<String> sentences = new ArrayList<>();
        if (!hasTable.test(newcomer)) {
            sentences.add("it has not said yet that it has the partition table");
        }
        List<Member> others = state.members().stream()
                .filter(it -> withoutTable.contains(it.id()) && !it.id().equals(newcomer.id()))
                .toList();
        if (newcomer.isMuster() && !others.isEmpty()) {
            sentences.add("others have not said yet that they have the partition table as it is now: " + names(others));
        }
        return sentences;
    }

    private String noMember(NodeId id) {
        if (state.tombstones().has(id)) {
            return id + " was removed; a node with this uid cannot come back, restart it so that it gets a new one";
        }
        if (acceptance.waitingForRoom().contains(id)) {
            return id + " waits until the older incarnation at its address is removed: "
                    + names(state.members().at(id.address()));
        }
        return id + " is no member of this cluster";
    }

    private String accusers(NodeId subject) {
        SortedSet<NodeId> observers =
                state.reachability().accusations(state.trustedObservers()).getOrDefault(subject, new TreeSet<>());
        List<String> parts = new ArrayList<>();
        for (NodeId observer : observers) {
            OptionalLong since = ages.accusedSinceNanos(observer, subject);
            parts.add(observer + (since.isPresent() ? " for " + age(since.getAsLong()) : ""));
        }
        return "so say " + String.join(", ", parts);
    }

    private String age(long sinceNanos) {
        return String.format(Locale.ROOT, "%.1f s", (nowNanos - sinceNanos) / 1e9);
    }

    private static String names(List<Member> members) {
        return String.join(", ", members.stream().map(Member::toString).toList());
    }
}
