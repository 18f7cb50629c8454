package dev.muster.actor.engine;

import dev.muster.environment.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** Logs at most so many lines in an interval, and says afterwards how many it left out. */
final class RareLog {

    private final Logger log;
    private final Clock clock;
    private final int limit;
    private final long intervalNanos;
    private final AtomicLong intervalStart;
    private final AtomicInteger inInterval = new AtomicInteger();

    RareLog(Logger log, Clock clock, int limit, long intervalNanos) {
        this.log = log;
        this.clock = clock;
        this.limit = limit;
        this.intervalNanos = intervalNanos;
        this.intervalStart = new AtomicLong(clock.nanoTime());
    }

    void info(Supplier<String> line) {
        if (limit == 0 || !log.isInfoEnabled()) {
            return;
        }
        long now = clock.nanoTime();
        long start = intervalStart.get();
        if (now - start >= intervalNanos && intervalStart.compareAndSet(start, now)) {
            int before = inInterval.getAndSet(0);
            if (before > limit) {
                log.info("left out {} more lines like these", before - limit);
            }
        }
        int count = inInterval.incrementAndGet();
        if (count < 0) {
            inInterval.set(Integer.MAX_VALUE / 2);
        }
        if (count <= limit && count > 0) {
            log.info("{}{}", line.get(), count == limit ? "; no more of these will be logged for a while" : "");
        }
    }

    /** Messages may be large or secret, so the log names only their type. */
    static String typeOf(Object message) {
        return message.getClass().getName();
    }
}
