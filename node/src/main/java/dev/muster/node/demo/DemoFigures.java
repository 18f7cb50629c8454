package dev.muster.node.demo;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the load of one node has come to. Written by one actor, read by anybody. */
final class DemoFigures {
    static final String SENT = "demo.sent";
    static final String ANSWERED = "demo.answered";
    static final String LOST = "demo.lost";
    static final String OUT_OF_ORDER = "demo.out-of-order";
    static final String CLOCK = "demo.clock";
    static final String CLOCK_SET_BACK = "demo.clock-set-back";

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong outOfOrder = new AtomicLong();
    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong clockSetBack = new AtomicLong();

    void sent() {
        sent.incrementAndGet();
    }

    void counted(boolean inOrder) {
        answered.incrementAndGet();
        if (!inOrder) {
            outOfOrder.incrementAndGet();
        }
    }

    /** One client asks one tick after the other, so it sees the clock go forward, unless its state was lost. */
    void ticked(long ticks) {
        answered.incrementAndGet();
        if (clock.getAndSet(ticks) >= ticks) {
            clockSetBack.incrementAndGet();
        }
    }

    void lost() {
        lost.incrementAndGet();
    }

    SortedMap<String, Long> read() {
        SortedMap<String, Long> figures = new TreeMap<>();
        figures.put(SENT, sent.get());
        figures.put(ANSWERED, answered.get());
        figures.put(LOST, lost.get());
        figures.put(OUT_OF_ORDER, outOfOrder.get());
        figures.put(CLOCK, clock.get());
        figures.put(CLOCK_SET_BACK, clockSetBack.get());
        return figures;
    }
}
