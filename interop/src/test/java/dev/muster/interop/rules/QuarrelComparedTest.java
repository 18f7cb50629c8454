package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Members that are in touch accuse each other: what they call indirectly connected, and we a quarrel (decision 6). */
class QuarrelComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);

    @Test
    void withoutMinimalCutTheSameMembersGo() {
        int stopAll = 0;
        for (int i = 0; i < CASES; i++) {
            Quarrel quarrel = Quarrel.withoutSplit(i);
            if (quarrel.involved().isEmpty()) {
                continue;
            }
            SortedSet<NodeId> theirs = quarrel.theirs().down();
            assertThat(quarrel.ours(false)).as("case %s: %s", i, quarrel).isEqualTo(quarrel.involved());
            if (quarrel.count(new TreeSet<>()).theyStopAll() && quarrel.isQuorum()) {
                assertThat(theirs).as("case %s: %s", i, quarrel).isEqualTo(quarrel.side());
                stopAll++;
            } else {
                assertThat(theirs).as("case %s: %s", i, quarrel).isEqualTo(quarrel.involved());
            }
        }
        assertThat(stopAll).as("cases in which they stop everybody").isPositive();
    }

    @Test
    void withMinimalCutSomeOfThoseStay() {
        int fewer = 0;
        for (int i = 0; i < CASES; i++) {
            Quarrel quarrel = Quarrel.withoutSplit(i + 1_000_000);
            SortedSet<NodeId> ours = quarrel.ours(true);
            assertThat(quarrel.involved()).as("case %s: %s", i, quarrel).containsAll(ours);
            for (ReachabilityRow row : quarrel.state().reachability().rows()) {
                assertThat(row.records())
                        .as("case %s: %s, %s go", i, quarrel, ours)
                        .allMatch(it -> ours.contains(row.observer()) || ours.contains(it.subject()));
            }
            fewer += ours.size() < quarrel.theirs().down().size() ? 1 : 0;
        }
        assertThat(fewer).as("cases in which fewer go here").isPositive();
    }

    /** Here a side must win without those whom it cuts, too. */
    @Test
    void inASplitTheSameMembersGoUnlessThoseWhoAreCutTurnTheVote() {
        int turned = 0;
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            Quarrel quarrel = Quarrel.withSplit(i + 2_000_000);
            SortedSet<NodeId> ours = quarrel.ours(false);
            SortedSet<NodeId> kept = new TreeSet<>(quarrel.side());
            kept.removeAll(quarrel.involved());
            boolean winsWithThem = quarrel.wins(new TreeSet<>());
            boolean goesOn = winsWithThem && quarrel.wins(quarrel.involved());
            SortedSet<NodeId> expected = new TreeSet<>(goesOn && !kept.isEmpty() ? quarrel.involved() : quarrel.side());
            if (goesOn) {
                expected.addAll(Splits.others(quarrel.side(), quarrel.members()));
            }
            assertThat(ours).as("case %s: %s", i, quarrel).isEqualTo(expected);
            SideCount count = quarrel.count(new TreeSet<>());
            if (!count.theyStopAll() && goesOn == winsWithThem && !(goesOn && kept.isEmpty())) {
                assertThat(ours)
                        .as("case %s: %s", i, quarrel)
                        .isEqualTo(quarrel.theirs().down());
                same++;
            }
            turned += goesOn == winsWithThem ? 0 : 1;
        }
        assertThat(turned).as("cases in which the vote turns").isPositive();
        assertThat(same).as("cases without any difference").isPositive();
    }

    /** A cluster at rest in which some of this side accuse each other, and in a split also those elsewhere. */
    private record Quarrel(DowningStrategy strategy, Members members, SortedSet<NodeId> side, ClusterState state) {
        static Quarrel withoutSplit(int seed) {
            Splits splits = new Splits(new SplittableRandom(seed));
            Members members = splits.membersAtRest();
            SortedSet<NodeId> all = Splits.others(new TreeSet<>(), members);
            Reachability words = splits.withQuarrels(Reachability.ALL_REACHABLE, all);
            return new Quarrel(splits.strategy(), members, all, Splits.state(members, all, words));
        }

        static Quarrel withSplit(int seed) {
            Splits splits = new Splits(new SplittableRandom(seed));
            Members members = splits.membersAtRest();
            SortedSet<NodeId> side = splits.side(members);
            Reachability words = splits.withQuarrels(splits.accusedBySome(side, members, id -> true), side);
            return new Quarrel(splits.strategy(), members, side, Splits.state(members, side, words));
        }

        SortedSet<NodeId> involved() {
            SortedSet<NodeId> found = new TreeSet<>();
            for (ReachabilityRow row : state.reachability().rows()) {
                row.records().stream().filter(it -> side.contains(it.subject())).forEach(it -> {
                    found.add(row.observer());
                    found.add(it.subject());
                });
            }
            return found;
        }

        SortedSet<NodeId> ours(boolean minimalCut) {
            DowningSettings settings =
                    DowningSettings.defaults().withStrategy(strategy).withMinimalCut(minimalCut);
            return DowningDecision.decide(state, settings, false)
                    .map(DowningDecision::down)
                    .orElseGet(TreeSet::new);
        }

        /** At the first who nobody in touch accuses, if there is one: that one decides. */
        TheirDowning theirs() {
            NodeId self = side.stream()
                    .filter(it -> !state.unreachable().contains(it))
                    .findFirst()
                    .orElse(side.first());
            return new TheirDowning(state, self, strategy);
        }

        boolean isQuorum() {
            return strategy instanceof DowningStrategy.StaticQuorum;
        }

        SideCount count(SortedSet<NodeId> leftOut) {
            return SideCount.of(strategy, here(leftOut), elsewhere());
        }

        /** By their count, and where that is known to differ by ours. */
        boolean wins(SortedSet<NodeId> leftOut) {
            SideCount count = count(leftOut);
            return count.theyStopAll()
                    ? count.goesOnAnyway()
                    : new TheirDowning(here(leftOut), elsewhere(), side.first(), strategy).goesOn();
        }

        private List<Member> here(SortedSet<NodeId> leftOut) {
            return members.stream()
                    .filter(it -> side.contains(it.id()) && !leftOut.contains(it.id()))
                    .toList();
        }

        private List<Member> elsewhere() {
            return members.stream().filter(it -> !side.contains(it.id())).toList();
        }
    }
}
