package dev.muster.simulator.check;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;

/**
 * A message of users to a partition.
 *
 * @param number which one it is of all that were sent in this run
 * @param sender the node on which it was written
 * @param actor who on that node wrote it
 * @param sequence which one it is of those that this actor wrote to this partition
 */
public record Letter(
        long number, NodeId sender, int actor, PartitionPath path, long sequence, int bytes, long sentAtNanos) {

    @Override
    public String toString() {
        return "letter " + number + " (" + sequence + " of actor " + actor + " on " + sender + " to " + path + ")";
    }
}
