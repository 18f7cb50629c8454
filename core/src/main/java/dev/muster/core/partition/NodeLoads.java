package dev.muster.core.partition;

import java.util.BitSet;

/**
 * What each eligible node carries, kept up to date while a decision is made. Belongs to that decision alone.
 *
 * <p>Weights are summed up as whole numbers. A sum of fractions would depend on the order of its parts, and a plan made
 * on the outcome of another one could see a difference where there is none.
 */
final class NodeLoads {
    private static final double UNITS_OF_THE_HEAVIEST = 1 << 30;

    private final long[] units;
    private final int[] instances;
    private final double[] loads; // follow from the others; the search reads them far more often than it writes
    private final double unit;

    NodeLoads(EligibleNodes nodes, Weights weights) {
        this.units = new long[nodes.size()];
        this.instances = new int[nodes.size()];
        this.loads = new double[nodes.size()];
        this.unit = weights.heaviest() / UNITS_OF_THE_HEAVIEST;
    }

    void add(int node, double weight) {
        units[node] += unitsOf(weight);
        instances[node]++;
        loads[node] = units[node] * unit;
    }

    void remove(int node, double weight) {
        units[node] -= unitsOf(weight);
        instances[node]--;
        loads[node] = units[node] * unit;
    }

    private long unitsOf(double weight) {
        return Math.max(1, Math.round(weight / unit));
    }

    int size() {
        return units.length;
    }

    double of(int node) {
        return loads[node];
    }

    NodeLoad.Carried carriedBy(int node) {
        return new NodeLoad.Carried(instances[node], of(node));
    }

    /** The candidate with the least load, the first of several; -1 when there are no candidates. */
    int least(BitSet candidates) {
        int least = candidates.nextSetBit(0);
        for (int i = least; i >= 0; i = candidates.nextSetBit(i + 1)) {
            if (loads[i] < loads[least]) {
                least = i;
            }
        }
        return least;
    }

    /** The node with the most load among those that are not left out, the first of several; -1 when there is none. */
    int most(BitSet leftOut) {
        int most = -1;
        for (int i = leftOut.nextClearBit(0); i < units.length; i = leftOut.nextClearBit(i + 1)) {
            if (most < 0 || loads[i] > loads[most]) {
                most = i;
            }
        }
        return most;
    }
}
