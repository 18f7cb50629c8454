package dev.muster.remote;

import dev.muster.wire.ControlMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets something wait until all that was sent to a peer before has been handed to its actors there. Streams do not wait
 * for each other, so this is how news on one of them stays behind messages on another.
 */
final class Flushes {
    static final String PREFIX = "/temp/flush-";

    private static final long LONGEST_NANOS = 3_000_000_000L;

    private final Remoting remoting;
    private final AtomicLong next = new AtomicLong(1);
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(Association by, AtomicInteger acksMissing, Runnable then) {}

    Flushes(Remoting remoting) {
        this.remoting = remoting;
    }

    /** Runs {@code then} after the flush, or after a few seconds without an answer. */
    void afterFlush(Association association, Runnable then) {
        List<OutboundLane> lanes = association.userLanes();
        if (lanes.isEmpty()) {
            then.run();
            return;
        }
        String name = PREFIX + next.getAndIncrement();
        waiting.put(name, new Waiting(association, new AtomicInteger(lanes.size()), then));
        byte[] sender = remoting.refs().here(name).getBytes(StandardCharsets.US_ASCII);
        byte[] recipient = (association.peer() + RemoteWatching.WATCHER).getBytes(StandardCharsets.US_ASCII);
        for (OutboundLane lane : lanes) {
            association.sendOn(lane, sender, recipient, new ControlMessage.Flush());
        }
        remoting.later(LONGEST_NANOS, () -> finish(name));
    }

    void onAck(Association from, String localPath) {
        Waiting flush = waiting.get(localPath);
        if (flush != null && flush.by() == from && flush.acksMissing().decrementAndGet() <= 0) {
            finish(localPath);
        }
    }

    private void finish(String name) {
        Waiting flush = waiting.remove(name);
        if (flush != null) {
            flush.then().run();
        }
    }
}
