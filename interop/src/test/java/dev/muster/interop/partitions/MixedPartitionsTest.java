package dev.muster.interop.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private static String ports(List<Node> nodes) {
        return nodes.stream().map(it -> String.valueOf(it.port())).sorted().collect(Collectors.joining(","));
    }

    private static void awaitTable(Node node, String table) {
        node.await("has the table " + table, state -> {
            node.tell("table");
            return Stream.of(node.hears("table")).anyMatch(("table " + table)::equals);
        });
    }
}
