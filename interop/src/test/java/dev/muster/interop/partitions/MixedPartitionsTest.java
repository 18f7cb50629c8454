package dev.muster.interop.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table lives on members of Muster, whoever leads the cluster; the others neither see it nor mind. */
@Tag("interop")
class MixedPartitionsTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void onlyNodesOfMusterHostAndKnowPartitions(Kind leading) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(leading, leading.other(), Kind.MUSTER, Kind.PEKKO, Kind.MUSTER);
            List<Node> musters =
                    nodes.stream().filter(it -> it.kind() == Kind.MUSTER).toList();

            // More than there are nodes of Muster, so that others would get some if they could.
            musters.forEach(node -> node.tell("host billing 5"));
            musters.forEach(node -> awaitTable(node, "billing@" + ports(musters)));
            for (int i = 0; i < 2 * musters.size(); i++) {
                musters.get(0).tell("ask-partition billing number-" + i);
                assertThat(musters.get(0).hears("answer")).isEqualTo("answer number-" + i);
            }

            Node killed = musters.get(musters.size() - 1);
            killed.kill();
            cluster.forget(killed);
            cluster.awaitAllUp();
            List<Node> left = musters.subList(0, musters.size() - 1);
            left.forEach(node -> awaitTable(node, "billing@" + ports(left)));

            assertThat(nodes.stream().filter(it -> it.kind() == Kind.PEKKO).flatMap(it -> it.log().stream()))
                    .as("what nodes of Pekko say about it")
                    .noneMatch(line -> line.contains("ERROR")
                            || line.contains("deserialize")
                            || line.contains("billing")
                            || line.contains("serializer"));
        }
    }

    /**
     * A leader that is not Muster waits for nobody's partitions, so a host hands over before it says that it leaves.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aHostThatLeavesLosesNothingWhoeverLeads(Kind leading) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(leading, Kind.MUSTER, Kind.MUSTER, Kind.MUSTER, leading.other());
            List<Node> musters =
                    nodes.stream().filter(it -> it.kind() == Kind.MUSTER).toList();
            for (Node node : musters) {
                node.tell("host-alone ledger");
                node.tell("host spread 2");
            }
            musters.forEach(node -> awaitTable(node, "ledger@\\d+ spread@\\d+,\\d+"));
            Node leaving = musters.stream()
                    .filter(node -> tableOf(node).startsWith("table ledger@" + node.port() + " "))
                    .findFirst()
                    .orElseThrow();
            List<Node> staying =
                    musters.stream().filter(node -> node != leaving).toList();
            staying.get(0).tell("flow-partition ledger");
            staying.get(1).tell("flow-partition spread");

            leaving.tell("leave " + leaving.address());
            leaving.hears("removed");
            cluster.forget(leaving);
            cluster.awaitAllUp();

            assertThat(leaving.log().stream()
                            .filter(line -> line.contains("has handed over all")
                                    || line.contains(leaving.port() + " is leaving")))
                    .hasSizeGreaterThan(1)
                    .first()
                    .asString()
                    .contains("has handed over all");
            assertThat(tableOf(staying.get(0))).doesNotContain(String.valueOf(leaving.port()));
            staying.forEach(node -> node.tell("flow-end"));
            assertThat(staying.get(0).hears("flowed")).matches("flowed \\d{2,} missing 0 reordered 0");
            assertThat(staying.get(1).hears("flowed")).matches("flowed \\d{2,} missing 0 reordered \\d+");
        }
    }

    private static String ports(List<Node> nodes) {
        return nodes.stream().map(it -> String.valueOf(it.port())).sorted().collect(Collectors.joining(","));
    }

    private static void awaitTable(Node node, String table) {
        node.await("has the table " + table, state -> tableOf(node).matches("table " + table));
    }

    private static String tableOf(Node node) {
        node.tell("table");
        return node.hears("table");
    }
}
