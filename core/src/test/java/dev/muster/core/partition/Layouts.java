package dev.muster.core.partition;

import static dev.muster.core.Nodes.address;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Clusters and partitions in the fewest words. Node 7 has the host n0007 and the uid 7: member order is number order.
 */
final class Layouts {
    private Layouts() {}

    static NodeId node(int number) {
        return new NodeId(address(String.format("n%04d", number)), number);
    }

    static List<NodeId> nodes(int... numbers) {
        return IntStream.of(numbers).mapToObj(Layouts::node).toList();
    }

    static Member up(int number, String... roles) {
        return new Member(node(number), MemberStatus.UP, number + 1, List.of(roles), "1.0");
    }

    /** The nodes with these numbers, all up. */
    static EligibleNodes cluster(IntStream numbers) {
        return EligibleNodes.of(Members.of(numbers.mapToObj(Layouts::up).toList()));
    }

    static EligibleNodes cluster(int... numbers) {
        return cluster(IntStream.of(numbers));
    }

    static EligibleNodes clusterOf(int size) {
        return cluster(IntStream.rangeClosed(1, size));
    }

    static PartitionPath path(String text) {
        return new PartitionPath(text);
    }

    static PartitionNeed need(String path, int instances) {
        return new PartitionNeed(path(path), instances);
    }

    /** So many partitions {@code p/0}, {@code p/1} and so on, each with the same number of instances. */
    static List<PartitionNeed> needs(int partitions, int instances) {
        return IntStream.range(0, partitions)
                .mapToObj(i -> need("p/" + i, instances))
                .toList();
    }

    /** Nobody placed yet. */
    static Layout empty(EligibleNodes nodes, PartitionNeed... needs) {
        return Layout.of(Arrays.asList(needs), Placement.EMPTY, nodes);
    }

    /** Nodes of a text such as {@code "A: 1 2 3, B: 2"}, a partition for each name with as many instances as it has. */
    static Placement placement(String text) {
        TreeMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();
        for (String row : text.split(", ")) {
            String[] parts = row.split(":");
            hosts.put(path(parts[0]), numbers(parts.length < 2 ? "" : parts[1]));
        }
        return Placement.of(hosts);
    }

    private static List<NodeId> numbers(String text) {
        return Arrays.stream(text.split(" "))
                .filter(number -> !number.isEmpty())
                .map(number -> node(Integer.parseInt(number)))
                .toList();
    }

    /** The opposite: what a placement looks like with the numbers of its nodes. */
    static String shown(Placement placement) {
        List<String> rows = new ArrayList<>();
        for (PartitionPath path : placement.paths()) {
            StringBuilder row = new StringBuilder(path + ":");
            placement.hostsOf(path).forEach(host -> row.append(' ').append(host.uid()));
            rows.add(row.toString());
        }
        return String.join(", ", rows);
    }

    /** A layout in which every partition needs as many instances as it has. */
    static Layout asPlaced(Placement placement, EligibleNodes nodes) {
        List<PartitionNeed> needs = new ArrayList<>();
        for (PartitionPath path : placement.paths()) {
            needs.add(new PartitionNeed(path, placement.hostsOf(path).size()));
        }
        return Layout.of(needs, placement, nodes);
    }
}
