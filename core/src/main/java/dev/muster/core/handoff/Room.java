package dev.muster.core.handoff;

/**
 * Room on one node for messages that wait at all its gates together. Moves of many partitions at once must not take
 * more memory than the node has, however little each of them takes.
 *
 * <p>Gates of one node may be at work on several threads, so this one may be asked by several at once.
 */
public final class Room {
    /** So many partitions may have as much waiting as is allowed for one. */
    static final int FULL_GATES = 4;

    private final HandoffSettings settings;
    private long count;
    private long bytes;

    public Room(HandoffSettings settings) {
        this.settings = settings;
    }

    /** Whether there is room for one more; if so, it is taken. */
    synchronized boolean enter(long weight) {
        boolean isFull = count >= settings.mostWaitingOnNode() || bytes + weight > settings.mostBytesOnNode();
        if (!isFull) {
            enterAnyway(weight);
        }
        return !isFull;
    }

    /** For one that waited before elsewhere, and is not refused. */
    synchronized void enterAnyway(long weight) {
        count++;
        bytes += weight;
    }

    synchronized void leave(long weight) {
        count--;
        bytes -= weight;
    }
}
