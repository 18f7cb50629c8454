package dev.muster.core.partition;

import dev.muster.core.state.PartitionPath;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that a decision about places looks at: which partitions there should be, where they are, who may host them, and
 * what they weigh. Same layout, same decision, on every node.
 *
 * @param placement where instances are; a move that is under way counts as done, or it would be planned a second time
 */
public record Layout(
        SortedMap<PartitionPath, PartitionNeed> needs, Placement placement, EligibleNodes nodes, Weights weights) {

    public Layout {
        needs = Collections.unmodifiableSortedMap(new TreeMap<>(needs));
        Objects.requireNonNull(placement, "placement");
        Objects.requireNonNull(nodes, "nodes");
        Objects.requireNonNull(weights, "weights");
    }

    public static Layout of(Collection<PartitionNeed> needs, Placement placement, EligibleNodes nodes) {
        TreeMap<PartitionPath, PartitionNeed> byPath = new TreeMap<>();
        for (PartitionNeed need : needs) {
            if (byPath.put(need.path(), need) != null) {
                throw new IllegalArgumentException("two needs of " + need.path() + "; state each partition once");
            }
        }
        return new Layout(byPath, placement, nodes, Weights.EVEN);
    }

    public Layout withPlacement(Placement next) {
        return new Layout(needs, next, nodes, weights);
    }

    public Layout withNodes(EligibleNodes next) {
        return new Layout(needs, placement, next, weights);
    }

    public Layout withWeights(Weights next) {
        return new Layout(needs, placement, nodes, next);
    }
}
