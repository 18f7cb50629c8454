package dev.muster.interop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Who says what of whom, after sequences of words, removals and merges. */
class ReachabilityComparedTest {
    private static final int CASES = Integer.getInteger("interop.cases", 2_000);
    private static final int STEPS = 16;

    /**
     * They differ in one thing: here a word that is taken back is gone at once, there a record remains that says
     * reachable, until the observer has taken back all (decision 4).
     */
    @Test
    void rowsAndTheirVersionsAreTheSameButForWordsThatWereTakenBack() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            Observers observers = new Observers(new SplittableRandom(i));
            for (int step = 0; step < STEPS; step++) {
                Observers.Half half = observers.step();
                Object[] named = {i, step, observers.lastStep()};
                assertThat(half.ours()).as("case %s after step %s: %s", named).isEqualTo(Theirs.ours(half.theirs()));
                assertThat(half.ours().isAllReachable())
                        .as("case %s after step %s: %s", named)
                        .isEqualTo(saysNothing(half.theirs()));
                different += half.ours().isAllReachable() == half.theirs().isAllReachable() ? 0 : 1;
            }
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }

    private static boolean saysNothing(org.apache.pekko.cluster.Reachability words) {
        return CollectionConverters.asJava(words.records()).stream()
                .allMatch(it -> Theirs.status(it.status()) == ReachabilityStatus.REACHABLE);
    }

    @Test
    void everySubjectHasTheSameStatus() {
        for (int i = 0; i < CASES; i++) {
            Observers observers = new Observers(new SplittableRandom(i + 1_000_000));
            Observers.Half half = null;
            for (int step = 0; step < STEPS; step++) {
                half = observers.step();
            }
            Reachability ours = half.ours();
            org.apache.pekko.cluster.Reachability theirs = half.theirs();
            SortedSet<NodeId> unreachable = new TreeSet<>();
            for (NodeId subject : observers.nodes()) {
                ReachabilityStatus status = ours.aggregate(subject, observer -> true);
                assertThat(status)
                        .as("case %s: %s on %s", i, ours, subject)
                        .isEqualTo(Theirs.status(theirs.status(Theirs.node(subject))));
                for (NodeId observer : observers.nodes()) {
                    assertThat(ours.statusOf(observer, subject))
                            .as("case %s: %s of %s on %s", i, ours, observer, subject)
                            .isEqualTo(Theirs.status(theirs.status(Theirs.node(observer), Theirs.node(subject))));
                }
                if (status == ReachabilityStatus.UNREACHABLE) {
                    unreachable.add(subject);
                }
            }
            assertThat(unreachable).as("case %s: %s", i, ours).isEqualTo(Theirs.ours(theirs.allUnreachable()));
            assertThat(new TreeSet<>(ours.accusations(observer -> true).keySet()))
                    .as("case %s: %s", i, ours)
                    .isEqualTo(Theirs.ours(theirs.allUnreachableOrTerminated()));
        }
    }

    /**
     * To call somebody reachable who was not accused changes nothing here. There it makes a new version, if the
     * observer has any record at the time. No node of either kind does it (decision 4).
     */
    @Test
    void takingBackWhatWasNeverSaidIsAChangeToThemOnly() {
        int different = 0;
        for (int i = 0; i < CASES; i++) {
            SplittableRandom random = new SplittableRandom(i + 2_000_000);
            Observers observers = new Observers(random);
            Observers.Half half = null;
            for (int step = 0; step < STEPS; step++) {
                half = observers.step();
            }
            NodeId observer = observers.anyIn(half);
            NodeId subject = observers.anyIn(half);
            if (half.ours().statusOf(observer, subject) != ReachabilityStatus.REACHABLE) {
                continue;
            }
            Reachability ours = half.ours().marked(observer, subject, ReachabilityStatus.REACHABLE);
            org.apache.pekko.cluster.Reachability theirs =
                    Theirs.mark(half.theirs(), observer, subject, ReachabilityStatus.REACHABLE);
            assertThat(ours).as("case %s", i).isSameAs(half.ours());
            boolean hasRecords =
                    !half.theirs().recordsFrom(Theirs.node(observer)).isEmpty();
            boolean hasThisRecord =
                    CollectionConverters.asJava(half.theirs().recordsFrom(Theirs.node(observer))).stream()
                            .anyMatch(it -> Theirs.ours(it.subject()).equals(subject));
            long more = hasRecords && !hasThisRecord ? 1 : 0;
            assertThat(Theirs.ours(theirs).versionOf(observer))
                    .as("case %s: %s calls %s reachable in %s", i, observer, subject, half.theirs())
                    .isEqualTo(ours.versionOf(observer) + more);
            assertThat(Theirs.ours(theirs.allUnreachableOrTerminated()))
                    .as("case %s: %s calls %s reachable in %s", i, observer, subject, half.theirs())
                    .isEqualTo(new TreeSet<>(ours.accusations(it -> true).keySet()));
            different += (int) more;
        }
        assertThat(different).as("cases in which the difference shows").isPositive();
    }
}
