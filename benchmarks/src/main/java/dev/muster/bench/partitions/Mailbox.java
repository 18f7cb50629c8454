package dev.muster.bench.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps what comes to the node in this process, with the time at which it came. */
final class Mailbox implements PartitionNode.Watcher {

    private final List<Received> answers = new ArrayList<>();
    private long numbered;
    private final Map<String, Long> unreachableAt = new ConcurrentHashMap<>();
    private final Map<String, Long> removedAt = new ConcurrentHashMap<>();

    @Override
    public void answered(byte[] bytes) {
        long now = System.nanoTime();
        Received received = new Received(Answer.of(bytes), now);
        synchronized (answers) {
            answers.add(received);
            numbered += received.answer().number() > 0 ? 1 : 0;
        }
    }

    @Override
    public void unreachable(String address) {
        unreachableAt.putIfAbsent(address, System.nanoTime());
    }

    @Override
    public void removed(String address) {
        removedAt.putIfAbsent(address, System.nanoTime());
    }

    List<Received> answers() {
        synchronized (answers) {
            return List.copyOf(answers);
        }
    }

    /** All but so many, which came first. */
    List<Received> answersAfter(int first) {
        synchronized (answers) {
            return List.copyOf(answers.subList(first, answers.size()));
        }
    }

    /** How many were to questions with a number. */
    long numbered() {
        synchronized (answers) {
            return numbered;
        }
    }

    /** When this node heard that the one at this address was unreachable; null if it did not. */
    Long unreachableAt(String address) {
        return unreachableAt.get(address);
    }

    Long removedAt(String address) {
        return removedAt.get(address);
    }
}
