package dev.muster.core.handoff;

import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The last moves that brought the partition to a node, or were to. Their old hosts may not know yet that they are over,
 * and have to learn how much of what they handed over was taken.
 */
final class EndedMoves {
    static final int MOST = 16;

    private final TreeMap<Long, Long> takenByMove = new TreeMap<>();
    private long latest;

    void add(long move, long taken) {
        takenByMove.put(move, taken);
        latest = Math.max(latest, move);
        while (takenByMove.size() > MOST) {
            takenByMove.pollFirstEntry();
        }
    }

    /** How many items of this move were taken; empty if it has not ended here. */
    OptionalLong takenOf(long move) {
        Long taken = takenByMove.get(move);
        return taken == null ? OptionalLong.empty() : OptionalLong.of(taken);
    }

    /** The latest of all; 0 if there was none. */
    long latest() {
        return latest;
    }
}
