package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.cluster;
import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.empty;
import static dev.muster.core.partition.Layouts.need;
import static dev.muster.core.partition.Layouts.needs;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static dev.muster.core.partition.Layouts.shown;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingPlacementTest {

    @Test
    void theExampleOfTheSpecificationComesOut() {
        EligibleNodes ten = cluster(10, 20, 30, 40, 50, 60, 70, 80, 90, 100);
        Layout layout = empty(ten, need("A", 4), need("B", 3), need("C", 5));

        Placement placed = RingPlacement.place(layout);

        assertThat(ordinals(placed, ten)).isEqualTo("A[1, 2, 3, 4] B[5, 6, 7] C[8, 9, 10, 1, 2]");
    }

    @Test
    void whenFiveNodesJoinNothingMovesButTheOrdinalsAreOthers() {
        EligibleNodes ten = cluster(10, 20, 30, 40, 50, 60, 70, 80, 90, 100);
        Layout layout = empty(ten, need("A", 4), need("B", 3), need("C", 5));
        Placement before = RingPlacement.place(layout);
        // They come after the old nodes 2, 4, 5, 7 and 8.
        EligibleNodes fifteen = cluster(10, 20, 25, 30, 40, 45, 50, 55, 60, 70, 75, 80, 85, 90, 100);

        Placement after = RingPlacement.place(layout.withPlacement(before).withNodes(fifteen));

        assertThat(after).isEqualTo(before);
        assertThat(ordinals(after, fifteen)).isEqualTo("A[1, 2, 4, 5] B[7, 9, 10] C[12, 14, 15, 1, 2]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The next round begins when all seats are taken, and goes on where the last one ended.
                "3 | A 2, B 2, C 2, D 1      |                        | A: 1 2, B: 3 1, C: 2 3, D: 1",
                // More instances than nodes: as many as there are nodes.
                "3 | A 5                     |                        | A: 1 2 3",
                "0 | A 2                     |                        | A:",
                "3 | A 0                     |                        | A:",
                // Who is placed stays, even where it is uneven.
                "3 | A 1, B 1, C 1           | A: 1, B: 1, C: 1       | A: 1, B: 1, C: 1",
                // Newcomers go where there is least.
                "3 | A 1, B 1, C 1           | A: 1, B: 2             | A: 1, B: 2, C: 3",
                "3 | A 2, B 2                | A: 1 2, B: 1           | A: 1 2, B: 1 3",
                // Node 9 is gone, and what it had goes to the least loaded of the others, distinct from the rest.
                "3 | A 2, B 2, C 1           | A: 9 1, B: 1 9, C: 2   | A: 1 3, B: 1 2, C: 2",
                "3 | A 3, B 3                | A: 9 1 2, B: 1 2 9     | A: 1 2 3, B: 1 2 3",
                // Surplus goes from whoever carries most, of several the last.
                "3 | A 1, B 2, C 1           | A: 1 2, B: 1 3, C: 1   | A: 2, B: 1 3, C: 1",
                "3 | A 1                     | A: 3 1 2               | A: 3",
                // What is not needed any more is gone.
                "3 | A 1                     | A: 2, B: 1             | A: 2",
            })
    void placesWhatIsMissingAndRemovesWhatIsSurplus(int size, String wanted, String before, String after) {
        List<PartitionNeed> needs = new ArrayList<>();
        for (String row : wanted.split(", ")) {
            needs.add(need(row.split(" ")[0], Integer.parseInt(row.split(" ")[1])));
        }
        Placement existing = before == null ? Placement.EMPTY : placement(before);

        Placement placed = RingPlacement.place(Layout.of(needs, existing, clusterOf(size)));

        assertThat(shown(placed)).isEqualTo(after);
    }

    @Test
    void onlyNodesWithTheRoleAreTaken() {
        EligibleNodes nodes =
                EligibleNodes.of(Members.of(List.of(up(1, "web"), up(2, "db"), up(3, "web", "db"), up(4, "web"))));
        Layout layout = empty(
                nodes,
                new PartitionNeed(path("A"), 2, "db"),
                new PartitionNeed(path("B"), 3, "web"),
                new PartitionNeed(path("C"), 2, "cache"),
                need("D", 1));

        assertThat(shown(RingPlacement.place(layout))).isEqualTo("A: 2 3, B: 1 4 3, C:, D: 1");
    }

    @Test
    void whoLostTheRoleDoesNotStay() {
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(1), up(2, "db"))));
        Layout layout = Layout.of(List.of(new PartitionNeed(path("A"), 1, "db")), placement("A: 1"), nodes);

        assertThat(shown(RingPlacement.place(layout))).isEqualTo("A: 2");
    }

    @Test
    void heavyPartitionsAreSpreadFirst() {
        TreeMap<PartitionPath, Double> weights = new TreeMap<>();
        weights.put(path("A"), 1.0);
        weights.put(path("B"), 1.0);
        weights.put(path("C"), 2.0);
        Layout layout =
                empty(clusterOf(2), need("A", 1), need("B", 1), need("C", 1)).withWeights(Weights.of(weights));

        assertThat(shown(RingPlacement.place(layout))).isEqualTo("A: 2, B: 2, C: 1");
    }

    @Test
    void whatIsNewGoesWhereThereIsLittleWork() {
        Layout layout = Layout.of(
                        List.of(need("A", 1), need("B", 1), need("C", 1), need("D", 1), need("E", 1)),
                        placement("A: 1, B: 2, C: 2"),
                        clusterOf(2))
                .withWeights(weights("A", 4, "B", 1, "C", 1));

        assertThat(shown(RingPlacement.place(layout))).isEqualTo("A: 1, B: 2, C: 2, D: 2, E: 1");
    }

    @Test
    void surplusGoesFromWhereThereIsMuchWork() {
        Layout layout = Layout.of(
                        List.of(need("A", 1), need("B", 1), need("C", 1), need("D", 1)),
                        placement("A: 1 2, B: 1, C: 2, D: 2"),
                        clusterOf(2))
                .withWeights(weights("A", 1, "B", 4, "C", 1, "D", 1));

        assertThat(shown(RingPlacement.place(layout))).isEqualTo("A: 2, B: 1, C: 2, D: 2");
    }

    /** Processors are busy by a percent or two even where nobody has anything to do. */
    @Test
    void theExampleComesOutAlsoWhereAllIdleAndHaveBeenMeasured() {
        SplittableRandom random = new SplittableRandom(4723);
        EligibleNodes ten = cluster(10, 20, 30, 40, 50, 60, 70, 80, 90, 100);
        for (int round = 0; round < 100; round++) {
            Layout layout = empty(ten, need("A", 4));
            layout = layout.withPlacement(RingPlacement.place(layout));
            Weights measured = weights("A", 0.5 + random.nextDouble(0.03), "B", 0.5 + random.nextDouble(0.03));
            layout = Layout.of(List.of(need("A", 4), need("B", 3)), layout.placement(), ten)
                    .withWeights(measured);
            layout = layout.withPlacement(RingPlacement.place(layout));
            layout = Layout.of(List.of(need("A", 4), need("B", 3), need("C", 5)), layout.placement(), ten)
                    .withWeights(measured);
            assertThat(ordinals(RingPlacement.place(layout), ten))
                    .isEqualTo("A[1, 2, 3, 4] B[5, 6, 7] C[8, 9, 10, 1, 2]");
            Layout fewer = Layout.of(List.of(need("A", 3), need("B", 3)), layout.placement(), ten)
                    .withWeights(measured);
            assertThat(ordinals(RingPlacement.place(fewer), ten)).isEqualTo("A[1, 2, 3] B[5, 6, 7]");
        }
    }

    private static Weights weights(Object... pathsAndWeights) {
        TreeMap<PartitionPath, Double> weights = new TreeMap<>();
        for (int i = 0; i < pathsAndWeights.length; i += 2) {
            weights.put(path((String) pathsAndWeights[i]), ((Number) pathsAndWeights[i + 1]).doubleValue());
        }
        return Weights.of(weights);
    }

    @Test
    void tenThousandPartitionsOnTwoHundredNodesArePlaced() {
        EligibleNodes all = clusterOf(200);
        List<PartitionNeed> needs = needs(10_000, 3);
        Layout fresh = Layout.of(needs, Placement.EMPTY, all);
        Placement placed = RingPlacement.place(fresh);
        EligibleNodes left = cluster(IntStream.rangeClosed(1, 200).filter(i -> i % 5 != 0));
        Placement replaced = RingPlacement.place(fresh.withPlacement(placed).withNodes(left));

        assertThat(countsPerNode(placed, all)).containsOnly(150);
        IntSummaryStatistics counts =
                Arrays.stream(countsPerNode(replaced, left)).summaryStatistics();
        assertThat(counts.getMax() - counts.getMin()).isLessThanOrEqualTo(1);
        assertThat(placed.changesTo(replaced)).hasSize(40 * 150);
    }

    @Test
    void whateverHappensPlacementIsSoundAndSettled() {
        SplittableRandom random = new SplittableRandom(4717);
        for (int round = 0; round < 300; round++) {
            EligibleNodes before = randomCluster(random);
            EligibleNodes after = randomCluster(random);
            List<PartitionNeed> needs = randomNeeds(random);
            Placement old = RingPlacement.place(Layout.of(randomNeeds(random), Placement.EMPTY, before));
            Layout layout = Layout.of(needs, old, after);

            Placement placed = RingPlacement.place(layout);

            assertSound(layout, placed);
            assertNobodyMovedWithoutNeed(layout, placed);
            assertThat(RingPlacement.place(layout.withPlacement(placed))).isEqualTo(placed);
            assertThat(RingPlacement.place(layout)).isEqualTo(placed);
        }
    }

    private static EligibleNodes randomCluster(SplittableRandom random) {
        return EligibleNodes.of(Members.of(IntStream.range(0, 12)
                .filter(i -> random.nextInt(3) > 0)
                .mapToObj(i -> i % 3 == 0 ? up(i, "x") : up(i))
                .toList()));
    }

    private static List<PartitionNeed> randomNeeds(SplittableRandom random) {
        return IntStream.range(0, 15)
                .filter(i -> random.nextInt(4) > 0)
                .mapToObj(i -> new PartitionNeed(path("p/" + i), random.nextInt(5), i % 4 == 0 ? "x" : ""))
                .toList();
    }

    /** Rule P2: as many as needed or possible, on distinct nodes, all of them eligible. */
    private static void assertSound(Layout layout, Placement placed) {
        assertThat(placed.paths()).containsExactlyElementsOf(layout.needs().keySet());
        layout.needs().forEach((path, need) -> {
            List<NodeId> hosts = placed.hostsOf(path);
            assertThat(hosts)
                    .hasSize(Math.min(need.instances(), layout.nodes().sizeOf(need.role())))
                    .doesNotHaveDuplicates()
                    .allSatisfy(host ->
                            assertThat(layout.nodes().whyNot(host, need.role())).isEmpty());
        });
    }

    private static void assertNobodyMovedWithoutNeed(Layout layout, Placement placed) {
        layout.needs().forEach((path, need) -> {
            List<NodeId> couldStay = layout.placement().hostsOf(path).stream()
                    .filter(host -> layout.nodes().whyNot(host, need.role()).isEmpty())
                    .toList();
            List<NodeId> stayed =
                    couldStay.stream().filter(placed.hostsOf(path)::contains).toList();
            assertThat(stayed).hasSize(Math.min(couldStay.size(), need.instances()));
            assertThat(placed.hostsOf(path).subList(0, stayed.size())).isEqualTo(stayed);
        });
    }

    /** The table as the specification prints it, counting nodes from 1. */
    private static String ordinals(Placement placement, EligibleNodes nodes) {
        List<String> rows = new ArrayList<>();
        for (PartitionPath path : placement.paths()) {
            rows.add(path
                    + placement.hostsOf(path).stream()
                            .map(host -> nodes.ordinalOf(host) + 1)
                            .toList()
                            .toString());
        }
        return String.join(" ", rows);
    }

    private static int[] countsPerNode(Placement placement, EligibleNodes nodes) {
        int[] counts = new int[nodes.size()];
        for (PartitionPath path : placement.paths()) {
            placement.hostsOf(path).forEach(host -> counts[nodes.ordinalOf(host)]++);
        }
        return counts;
    }
}
