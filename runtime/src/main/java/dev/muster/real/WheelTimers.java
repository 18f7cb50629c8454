package dev.muster.real;

import dev.muster.environment.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers on wheels, turned by one thread.
 *
 * <p>Most timers are cancelled before they fire (every answered question had one), so starting and cancelling must be
 * cheap and side by side: there are several wheels, each with its own lock, and a thread always uses the same one.
 * Timers are at most one tick late plus whatever the machine adds, and never early.
 */
final class WheelTimers implements Timers, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WheelTimers.class);

    /** A power of two, as the wheel wants it: about four milliseconds. */
    private static final long TICK_NANOS = 1L << 22;

    private static final int TICKS_PER_WHEEL = 512;

    private final Wheel[] wheels;
    private final Thread thread;
    private volatile boolean closed;

    WheelTimers(String name, int wheelCount) {
        wheels = new Wheel[Integer.highestOneBit(Math.max(1, wheelCount * 2 - 1))];
        long now = System.nanoTime();
        for (int i = 0; i < wheels.length; i++) {
            wheels[i] = new Wheel(now);
        }
        thread = MusterThreads.named(name + "-timers").newThread(this::turn);
    }

    void start() {
        thread.start();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        long now = System.nanoTime();
        long delay = Math.max(0, delayNanos);
        // About three centuries from now is as good as never, and must not overflow.
        long deadline = delay > Long.MAX_VALUE / 4 ? now + Long.MAX_VALUE / 4 : now + delay;
        int wheel = (int) (Thread.currentThread().getId() & (wheels.length - 1));
        return wheels[wheel].schedule(deadline, task);
    }

    private void turn() {
        List<Entry> due = new ArrayList<>();
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            for (Wheel wheel : wheels) {
                wheel.collectDue(now, due);
            }
            for (Entry entry : due) {
                fire(entry.task);
            }
            due.clear();
        }
    }

    private static void fire(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            LOG.error("a timer's task failed", failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** One wheel and who waits on it. */
    private static final class Wheel {

        private final DeadlineTimerWheel wheel;
        private final Long2ObjectHashMap<Entry> entries = new Long2ObjectHashMap<>();

        Wheel(long nowNanos) {
            wheel = new DeadlineTimerWheel(TimeUnit.NANOSECONDS, nowNanos, TICK_NANOS, TICKS_PER_WHEEL);
        }

        synchronized Entry schedule(long deadlineNanos, Runnable task) {
            long id = wheel.scheduleTimer(deadlineNanos);
            Entry entry = new Entry(this, id, task);
            entries.put(id, entry);
            return entry;
        }

        synchronized boolean cancel(Entry entry) {
            // Ids are used again, so the entry has to be the one that waits under its id now.
            if (entries.get(entry.id) != entry) {
                return false;
            }
            entries.remove(entry.id);
            return wheel.cancelTimer(entry.id);
        }

        synchronized void collectDue(long nowNanos, List<Entry> due) {
            if (wheel.timerCount() == 0) {
                // Nothing to find on the way: let the wheel catch up at once.
                wheel.currentTickTime(nowNanos);
                return;
            }
            int before;
            do {
                before = due.size();
                wheel.poll(
                        nowNanos,
                        (unit, now, id) -> {
                            due.add(entries.remove(id));
                            return true;
                        },
                        Integer.MAX_VALUE);
            } while (due.size() > before || wheel.currentTickTime() + TICK_NANOS <= nowNanos);
        }
    }

    private static final class Entry implements Timer {
        private final Wheel wheel;
        private final long id;
        private final Runnable task;

        Entry(Wheel wheel, long id, Runnable task) {
            this.wheel = wheel;
            this.id = id;
            this.task = task;
        }

        @Override
        public boolean cancel() {
            return wheel.cancel(this);
        }
    }
}
