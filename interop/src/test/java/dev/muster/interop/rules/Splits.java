package dev.muster.interop.rules;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Draws clusters that fell apart, and strategies. */
final class Splits {
    static final String ROLE = "backend";
    private static final int MOST_MEMBERS = 10;
    private final RandomGenerator random;

    Splits(RandomGenerator random) {
        this.random = random;
    }

    DowningStrategy strategy() {
        String role = random.nextInt(3) == 0 ? ROLE : "";
        return switch (random.nextInt(4)) {
            case 0, 1 -> new DowningStrategy.KeepOldest(random.nextBoolean(), role);
            case 2 -> new DowningStrategy.StaticQuorum(1 + random.nextInt(6), role);
            default -> new DowningStrategy.KeepMajority(role);
        };
    }

    /** All are up. */
    Members membersAtRest() {
        return members(MemberStatus.UP);
    }

    /** About half are up, and the others in one of these statuses; a few of those who leave never were up. */
    Members membersUnderWay(MemberStatus... statuses) {
        MemberStatus[] mostlyUp = Arrays.copyOf(statuses, 2 * statuses.length);
        Arrays.fill(mostlyUp, statuses.length, mostlyUp.length, MemberStatus.UP);
        return members(mostlyUp);
    }

    private Members members(MemberStatus... statuses) {
        int size = 2 + random.nextInt(MOST_MEMBERS - 1);
        List<Member> rows = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            NodeId id = new NodeId(new NodeAddress("pekko", "mixed", "n" + n, 7), random.nextLong());
            MemberStatus status = statuses[random.nextInt(statuses.length)];
            boolean neverUp = status.isNotYetUp() || status != MemberStatus.UP && random.nextInt(5) == 0;
            List<String> roles = random.nextBoolean() ? List.of(ROLE, "dc-default") : List.of("dc-default");
            rows.add(new Member(id, status, neverUp ? Member.NOT_YET_UP : 1 + random.nextInt(size), roles, "0.0.0"));
        }
        return Members.of(rows);
    }

    /** Some of them, at least one and not all. */
    SortedSet<NodeId> side(Members members) {
        SortedSet<NodeId> side = new TreeSet<>();
        int share = 1 + random.nextInt(4);
        members.forEach(it -> {
            if (random.nextInt(5) < share) {
                side.add(it.id());
            }
        });
        if (side.size() == members.size()) {
            side.remove(side.first());
        }
        if (side.isEmpty()) {
            side.add(members.get(random.nextInt(members.size())).id());
        }
        return side;
    }

    /** What one side holds when the picture is complete: all have seen it, and everybody else is accused. */
    ClusterState seenFrom(SortedSet<NodeId> side, Members members) {
        return state(members, side, accusedBySome(side, members, id -> true));
    }

    /** Each one elsewhere that passes is accused by some who are here and not down. */
    Reachability accusedBySome(SortedSet<NodeId> side, Members members, Predicate<NodeId> accused) {
        List<NodeId> observers = side.stream()
                .filter(it -> members.statusOf(it) != MemberStatus.DOWN)
                .toList();
        Reachability words = Reachability.ALL_REACHABLE;
        for (Member member : members) {
            if (!side.contains(member.id())
                    && member.status() != MemberStatus.DOWN
                    && accused.test(member.id())
                    && !observers.isEmpty()) {
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    words = words.marked(observers.get(random.nextInt(observers.size())), member.id(), word());
                }
            }
        }
        return words;
    }

    private ReachabilityStatus word() {
        return random.nextInt(6) == 0 ? ReachabilityStatus.TERMINATED : ReachabilityStatus.UNREACHABLE;
    }

    /** These words, and some more between members of one side. */
    Reachability withQuarrels(Reachability words, SortedSet<NodeId> side) {
        List<NodeId> ids = new ArrayList<>(side);
        Reachability next = words;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            NodeId observer = ids.get(random.nextInt(ids.size()));
            NodeId subject = ids.get(random.nextInt(ids.size()));
            next = observer.equals(subject) ? next : next.marked(observer, subject, word());
        }
        return next;
    }

    static ClusterState state(Members members, SortedSet<NodeId> seenBy, Reachability words) {
        SeenSet seen = SeenSet.NOBODY;
        for (NodeId id : seenBy) {
            seen = seen.with(members.ordinalOf(id));
        }
        return ClusterState.of(members, Tombstones.NONE, words, VectorClock.EMPTY, seen);
    }

    static SortedSet<NodeId> others(SortedSet<NodeId> side, Members members) {
        SortedSet<NodeId> others = new TreeSet<>();
        members.forEach(it -> others.add(it.id()));
        others.removeAll(side);
        return others;
    }
}
