package dev.muster.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;

import dev.muster.core.partition.InstanceCount.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceCountTest {
    private static final InstanceCount HALF_MAY_FAIL = InstanceCount.surviving(nodes -> (nodes - 1) / 2);
    private static final InstanceCount ANY = InstanceCount.surviving(nodes -> 0);
    private static final ScalingSettings SETTINGS = ScalingSettings.defaults();

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 1", "3, 2", "4, 2", "5, 3", "9, 5"})
    void oneMoreThanMayFailSurvive(int nodes, int instances) {
        assertThat(HALF_MAY_FAIL.minimum(nodes)).isEqualTo(instances);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 2", "3, 3", "9, 3"})
    void twoMayFailWhereThereAreEnoughNodes(int nodes, int instances) {
        assertThat(InstanceCount.survivingUpTo(2).minimum(nodes)).isEqualTo(instances);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 3, 4})
    void refusesToSurviveTheLossOfAll(int failures) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InstanceCount.surviving(nodes -> failures).minimum(3))
                .withMessage("tolerated failures of 3 nodes must be from 0 to 2, was " + failures
                        + "; no partition outlives all nodes, so let the function of the number of nodes return less "
                        + "than that number");
    }

    @ParameterizedTest
    @CsvSource({"3, 1, 1", "3, 2, 2", "3, 3, 3", "3, 9, 3", "1, 9, 1", "3, 0, 0"})
    void exactlySoManyAsFarAsThereAreNodes(int wanted, int nodes, int instances) {
        InstanceCount count = InstanceCount.exactly(wanted);

        assertThat(decide(count, 0, nodes, 0, DemandHistory.NONE)).isEqualTo(instances);
        assertThat(decide(count, instances, nodes, 0, steady(instances, 9, 3))).isEqualTo(instances);
    }

    @ParameterizedTest
    @CsvSource({
        // instances, eligible, hinted, decided
        "0, 5, 0, 3",
        "3, 5, 0, 3",
        "1, 5, 0, 3",
        "4, 5, 0, 4",
        "5, 3, 0, 3",
        "0, 0, 4, 0",
        // A hint counts as far as there are nodes, and asks for no fewer than must be.
        "1, 5, 4, 4",
        "1, 5, 9, 5",
        "1, 5, 2, 3",
        "5, 5, 4, 5",
    })
    void withoutLoadOnlyTheBoundsCount(int instances, int eligible, int hinted, int decided) {
        assertThat(decide(HALF_MAY_FAIL, instances, eligible, hinted, DemandHistory.NONE))
                .isEqualTo(decided);
    }

    @Test
    void theUsersMaximumGoesBeforeAllElse() {
        InstanceCount two = HALF_MAY_FAIL.withMaximum(2);

        assertThat(two.minimum(9)).isEqualTo(2);
        assertThat(decide(two, 4, 9, 7, steady(4, 30, 3))).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> two.withMaximum(0))
                .withMessage("maximum of instances must be at least 1, was 0");
    }

    @ParameterizedTest
    @CsvSource({
        // pressure, samples, instances, decided
        "1.5, 3, 4, 6",
        "1.5, 2, 4, 4",
        "1.01, 3, 4, 5",
        "1.0, 3, 4, 4",
        // No more than twice as many at once.
        "50, 3, 4, 8",
        // Never more than nodes.
        "50, 3, 12, 20",
        // Long calm gives up one, and only if the others are calm after that, too.
        "0.1, 30, 4, 3",
        "0.1, 29, 4, 4",
        "0.52, 30, 4, 3",
        "0.53, 30, 4, 4",
        "0.35, 30, 2, 1",
        "0.36, 30, 2, 2",
        "0.0, 30, 1, 1",
    })
    void sustainedPressureAddsAndLongCalmTakesAway(double pressure, int samples, int instances, int decided) {
        assertThat(decide(ANY, instances, 20, 0, steady(instances, samples, pressure)))
                .isEqualTo(decided);
    }

    @Test
    void calmDoesNotGoBelowWhatMustBe() {
        assertThat(decide(HALF_MAY_FAIL, 3, 5, 0, steady(3, 30, 0))).isEqualTo(3);
        assertThat(decide(ANY, 3, 5, 3, steady(3, 30, 0))).isEqualTo(3);
    }

    @Test
    void samplesAboutAnotherNumberSayNothing() {
        assertThat(decide(ANY, 5, 20, 0, steady(4, 30, 9))).isEqualTo(5);
    }

    @Test
    void aPeakIsNoSustainedPressure() {
        DemandHistory history = steady(2, 10, 0.9).with(waiting(5000), 2);
        assertThat(decide(ANY, 2, 9, 0, history)).isEqualTo(2);

        history = history.with(waiting(5000), 2).with(waiting(90), 2).with(waiting(5000), 2);
        assertThat(decide(ANY, 2, 9, 0, history)).isEqualTo(2);
    }

    @Test
    void decisionsSayWhy() {
        assertThat(reason(HALF_MAY_FAIL, 1, 5, 0, DemandHistory.NONE))
                .isEqualTo("so that it survives the loss of 2 nodes");
        assertThat(reason(ANY, 1, 5, 3, DemandHistory.NONE)).isEqualTo("a user expects to need 3");
        assertThat(reason(ANY, 2, 5, 0, DemandHistory.NONE)).isEqualTo("nothing is known about its load yet");
        assertThat(reason(ANY, 2, 5, 0, steady(2, 3, 1.5)))
                .isEqualTo("its load was at least 1.5 times what it can take for 3 samples");
        assertThat(reason(ANY, 2, 5, 0, steady(2, 40, 0.25)))
                .isEqualTo("one fewer would have to take 50 % of what it can, after 40 samples");
        assertThat(reason(ANY, 2, 5, 0, steady(2, 40, 0.9)))
                .isEqualTo("its load is neither too high nor low enough for one fewer");
        assertThat(reason(ANY, 3, 2, 0, DemandHistory.NONE)).isEqualTo("only so many nodes may host it");
        assertThat(reason(ANY.withMaximum(2), 3, 3, 0, DemandHistory.NONE)).isEqualTo("the user allows no more");
    }

    @Test
    void isAlwaysBetweenTheLeastAndTheMost() {
        qt().withFixedSeed(4711)
                .withExamples(2000)
                .forAll(
                        integers().between(0, 20),
                        integers().between(0, 20),
                        integers().between(0, 20),
                        integers().between(0, 70))
                .checkAssert((instances, eligible, hinted, samples) -> {
                    InstanceCount count = HALF_MAY_FAIL.withMaximum(12);
                    DemandHistory history = steady(instances, samples, samples % 3);
                    assertThat(decide(count, instances, eligible, hinted, history))
                            .isBetween(count.minimum(eligible), Math.min(eligible, 12));
                });
    }

    @Test
    void aNoisySignalAroundTheThresholdDoesNotMakeItFlap() {
        SplittableRandom random = new SplittableRandom(4723);
        for (int round = 0; round < 50; round++) {
            // What four instances can just about take, more or less a quarter from one sample to the next.
            List<Integer> numbers = live(4, 2000, n -> 4.0 / n * random.nextDouble(0.75, 1.25));

            assertThat(turns(numbers)).isZero();
            assertThat(numbers.get(numbers.size() - 1)).isBetween(4, 6);
        }
    }

    @Test
    void emptyMailboxesThatOverflowWithOneFewerAreTriedEverMoreRarely() {
        // Three keep up so well that nothing waits, two do not.
        List<Integer> numbers = live(3, 4000, n -> n >= 3 ? 0 : 3);

        assertThat(turns(numbers)).isBetween(2, 16);
        assertThat(turns(numbers.subList(2000, 4000))).isLessThanOrEqualTo(6);
    }

    @Test
    void followsALoadThatRisesAndFalls() {
        List<Integer> up = live(1, 30, n -> 8.0 / n);
        assertThat(up.get(up.size() - 1)).isEqualTo(8);

        List<Integer> down = live(8, 300, n -> 1.0 / n);
        assertThat(down.get(20)).isEqualTo(8);
        assertThat(down.get(down.size() - 1)).isEqualTo(2);
        assertThat(turns(down)).isZero();
    }

    /** The numbers of instances over time, when each decision is carried out and changes what is measured next. */
    private static List<Integer> live(int start, int samples, IntToDoubleFunction pressureWith) {
        List<Integer> numbers = new ArrayList<>();
        DemandHistory history = DemandHistory.NONE;
        int instances = start;
        for (int i = 0; i < samples; i++) {
            history = history.with(waiting(100 * pressureWith.applyAsDouble(instances)), instances);
            instances = decide(ANY, instances, 50, 0, history);
            numbers.add(instances);
        }
        return numbers;
    }

    /** How often growing was followed by shrinking, or the other way round. */
    private static int turns(List<Integer> numbers) {
        int turns = 0;
        int direction = 0;
        for (int i = 1; i < numbers.size(); i++) {
            int change = Integer.signum(numbers.get(i) - numbers.get(i - 1));
            turns += change != 0 && change == -direction ? 1 : 0;
            direction = change == 0 ? direction : change;
        }
        return turns;
    }

    @Test
    void aSituationHasNoNegativeNumbers() {
        for (int[] wrong : new int[][] {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Situation(wrong[0], wrong[1], wrong[2]))
                    .withMessage("instances, eligible nodes and hint must not be negative, were " + wrong[0] + ", "
                            + wrong[1] + " and " + wrong[2]);
        }
    }

    private static int decide(InstanceCount count, int instances, int eligible, int hinted, DemandHistory history) {
        return count.decide(new Situation(instances, eligible, hinted), history).instances();
    }

    private static String reason(InstanceCount count, int instances, int eligible, int hinted, DemandHistory history) {
        return count.decide(new Situation(instances, eligible, hinted), history).reason();
    }

    private static DemandHistory steady(int instances, int samples, double pressure) {
        DemandHistory history = DemandHistory.NONE;
        for (int i = 0; i < samples; i++) {
            history = history.with(waiting(pressure * SETTINGS.waitingPerInstance()), instances);
        }
        return history;
    }

    private static Demand waiting(double messages) {
        return new Demand(messages, 0, 0, 0);
    }
}
