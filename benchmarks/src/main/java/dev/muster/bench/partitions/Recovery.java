package dev.muster.bench.partitions;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When each partition of a host that was killed has answered from elsewhere for the first time. */
final class Recovery {
    private final long killed;
    private final long killedAtNanos;
    private final Set<Integer> waiting = new HashSet<>();
    private final Map<Integer, Long> answeredNanos = new HashMap<>();

    /**
     * @param hosts which process hosts each partition
     * @param killed the process that is no more
     */
    Recovery(Map<Integer, Long> hosts, long killed, long killedAtNanos) {
        this.killed = killed;
        this.killedAtNanos = killedAtNanos;
        hosts.forEach((partition, host) -> {
            if (host == killed) {
                waiting.add(partition);
            }
        });
    }

    /** These have come. What the killed one had said before may still be among them. */
    void take(List<Received> answers) {
        for (Received received : answers) {
            Answer answer = received.answer();
            boolean isNew = received.atNanos() > killedAtNanos && answer.host() != killed;
            if (isNew && waiting.remove(answer.partition())) {
                answeredNanos.put(answer.partition(), received.atNanos() - killedAtNanos);
            }
        }
    }

    boolean isOver() {
        return waiting.isEmpty();
    }

    /** How many partitions were on the killed one, and have answered since. */
    int answered() {
        return answeredNanos.size();
    }

    /** How long after the kill so many of a hundred of these had answered. */
    long nanosAt(double percentile) {
        return Percentile.of(answeredNanos.values(), percentile);
    }
}
