package dev.muster.interop.rules;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.StateMerge;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock.Relation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Draws two states that come from one: each side has gone on by itself for a while, in steps that nodes do take. */
final class Pairs {
    private static final int MOST_STEPS = 7;
    private static final long STAMP_MILLIS = 1_700_000_000_000L;

    /** What a node holds and what it receives. It is a member of both. */
    record Pair(ClusterState mine, ClusterState received, NodeId self) {
        Relation relation() {
            return mine.version().relationTo(received.version());
        }
    }

    private final RandomGenerator random;
    private final Cases cases;
    private final List<Member> newcomers = new ArrayList<>();
    private NodeId self;
    private Tombstones oldTombstones = Tombstones.NONE;

    Pairs(RandomGenerator random) {
        this.random = random;
        this.cases = new Cases(random);
    }

    /** The first drawn one that passes. */
    Pair pair(Predicate<Pair> wanted) {
        Pair drawn = pair();
        while (!wanted.test(drawn)) {
            drawn = pair();
        }
        return drawn;
    }

    Pair pair() {
        ClusterState base = cases.state();
        self = base.members().get(random.nextInt(base.members().size())).id();
        oldTombstones = base.tombstones();
        newcomers.clear();
        cases.state(2).members().stream()
                .filter(it -> base.members().at(it.id().address()).isEmpty())
                .map(it -> Member.joining(it.id(), it.roles(), it.appVersion()))
                .forEach(newcomers::add);
        TreeSet<NodeId> authors = new TreeSet<>();
        TreeSet<NodeId> otherAuthors = new TreeSet<>();
        base.members().forEach(it -> (random.nextBoolean() ? authors : otherAuthors).add(it.id()));
        ClusterState mine = steps(base, authors);
        ClusterState received = steps(base, otherAuthors);
        switch (random.nextInt(6)) {
            case 0 -> received = steps(merged(received, mine, otherAuthors), otherAuthors);
            case 1 -> mine = steps(merged(mine, received, authors), authors);
            case 2 -> received = underVersionNear(mine, received);
            default -> {} // neither has heard of the other
        }
        return new Pair(seenBySome(mine), seenBySome(received), self);
    }

    private ClusterState steps(ClusterState state, TreeSet<NodeId> authors) {
        ClusterState next = state;
        for (int i = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(MOST_STEPS); i > 0; i--) {
            List<NodeId> present = authors.stream().filter(next.members()::has).toList();
            next = present.isEmpty() ? next : step(next, present.get(random.nextInt(present.size())));
        }
        return next;
    }

    private ClusterState step(ClusterState state, NodeId author) {
        return switch (random.nextInt(8)) {
            case 0 -> letIn(state, author);
            case 1, 2, 3 -> moveOn(state, author);
            case 4, 5 -> speak(state, author);
            case 6 -> remove(state, author);
            default -> letGo(state, author);
        };
    }

    private ClusterState letIn(ClusterState state, NodeId author) {
        if (newcomers.isEmpty()) {
            return state;
        }
        Member newcomer = newcomers.get(random.nextInt(newcomers.size()));
        boolean isKnown =
                state.members().has(newcomer.id()) || state.tombstones().has(newcomer.id());
        return isKnown ? state : state.withMember(author, newcomer);
    }

    private ClusterState moveOn(ClusterState state, NodeId author) {
        Member member = state.members().get(random.nextInt(state.members().size()));
        List<MemberStatus> possible = Arrays.stream(MemberStatus.values())
                .filter(it -> member.status().mayBecome(it) && it != MemberStatus.REMOVED)
                .toList();
        MemberStatus status = possible.get(random.nextInt(possible.size()));
        boolean goesUp = member.status().isNotYetUp() && status == MemberStatus.UP;
        Member next = goesUp ? member.up(highestNumber(state.members()) + 1) : member.withStatus(status);
        return next.equals(member) ? state : state.withMember(author, next);
    }

    private static int highestNumber(Members members) {
        return members.stream()
                .mapToInt(Member::upNumber)
                .filter(it -> it != Member.NOT_YET_UP)
                .max()
                .orElse(0);
    }

    private ClusterState speak(ClusterState state, NodeId author) {
        NodeId subject =
                state.members().get(random.nextInt(state.members().size())).id();
        ReachabilityStatus word = ReachabilityStatus.values()[random.nextInt(3)];
        var next = state.reachability().marked(author, subject, word);
        return next.equals(state.reachability()) || author.equals(subject)
                ? state
                : state.withReachability(author, next);
    }

    private ClusterState remove(ClusterState state, NodeId author) {
        List<NodeId> gone = state.members().stream()
                .filter(it -> it.status().isOnItsWayOut())
                .map(Member::id)
                .filter(it -> !it.equals(author) && !it.equals(self))
                .toList();
        return gone.isEmpty()
                ? state
                : state.withRemoved(author, state.members(), gone, STAMP_MILLIS + random.nextInt(4));
    }

    /** Only what everybody has seen is let go: the tombstones from before the two sides parted. */
    private ClusterState letGo(ClusterState state, NodeId author) {
        List<NodeId> old =
                oldTombstones.ids().stream().filter(state.tombstones()::has).toList();
        return old.isEmpty() || random.nextBoolean() ? state : state.withoutTombstones(author, old.subList(0, 1));
    }

    /** One side has heard of the other. */
    private ClusterState merged(ClusterState state, ClusterState heard, TreeSet<NodeId> authors) {
        return authors.stream()
                .filter(it -> state.members().has(it) && heard.members().has(it))
                .findFirst()
                .map(it -> StateMerge.merge(state, heard, it).state())
                .orElse(state);
    }

    /** Where somebody takes over or merges by other rules, a version need not tell what its state contains. */
    private ClusterState underVersionNear(ClusterState other, ClusterState state) {
        return ClusterState.of(
                state.members(), state.tombstones(), state.reachability(), cases.near(other.version()), state.seen());
    }

    private ClusterState seenBySome(ClusterState state) {
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < state.members().size(); i++) {
            seen = random.nextBoolean() ? seen.with(i) : seen;
        }
        return ClusterState.of(state.members(), state.tombstones(), state.reachability(), state.version(), seen);
    }
}
