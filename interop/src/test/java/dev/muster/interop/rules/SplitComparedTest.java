package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningDecision;
import dev.muster.core.membership.DowningSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A cluster at rest, in which all are up, falls apart into clean halves. Decision 6 lists what is different. */
class SplitComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final String CASE = "case %s: %s on the side of %s in %s";

    @Test
    void theSameMembersGoButWhereTheyStopEverybody() {
        int stopAll = 0;
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            Splits splits = new Splits(new SplittableRandom(i));
            Members members = splits.membersAtRest();
            SortedSet<NodeId> side = splits.side(members);
            DowningStrategy strategy = splits.strategy();
            ClusterState state = splits.seenFrom(side, members);
            Object[] named = {i, strategy, side, state};

            SortedSet<NodeId> ours = down(state, strategy);
            TheirDowning theirs = new TheirDowning(state, side.first(), strategy);
            SideCount count = count(strategy, side, members);
            if (count.theyStopAll()) {
                assertThat(theirs.down()).as(CASE, named).isEqualTo(Splits.others(new TreeSet<>(), members));
                assertThat(ours).as(CASE, named).isEqualTo(count.goesOnAnyway() ? theirs.downOfTheOthers() : side);
                stopAll++;
            } else {
                assertThat(ours).as(CASE, named).isEqualTo(theirs.down());
                same++;
            }
        }
        assertThat(stopAll).as("cases in which they stop everybody").isPositive();
        assertThat(same).as("cases without any difference").isGreaterThan(CASES / 2);
    }

    @Test
    void downAllStopsTheSame() {
        DowningStrategy strategy = new DowningStrategy.DownAll();
        for (int i = 0; i < CASES; i++) {
            Splits splits = new Splits(new SplittableRandom(i + 2_000_000));
            Members members = splits.membersAtRest();
            SortedSet<NodeId> side = splits.side(members);
            ClusterState state = splits.seenFrom(side, members);
            assertThat(down(state, strategy))
                    .as("case %s: %s", i, state)
                    .isEqualTo(new TheirDowning(state, side.first(), strategy).down());
        }
    }

    private static SideCount count(DowningStrategy strategy, SortedSet<NodeId> side, Members members) {
        return SideCount.of(
                strategy,
                members.stream().filter(it -> side.contains(it.id())).toList(),
                members.stream().filter(it -> !side.contains(it.id())).toList());
    }

    private static SortedSet<NodeId> down(ClusterState state, DowningStrategy strategy) {
        DowningSettings settings = DowningSettings.defaults().withStrategy(strategy);
        return DowningDecision.decide(state, settings, false)
                .map(DowningDecision::down)
                .orElseGet(TreeSet::new);
    }
}
