package dev.muster.real;

import dev.muster.environment.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timers on wheels, turned by one thread.
 *
 * <p>Most timers are cancelled before they fire (every answered question had one), so starting and cancelling must be
 * cheap and side by side: there are several wheels, each with its own lock, and a thread always uses the same one. A
 * timer hangs on the spoke of the tick that it is due in, together with those of earlier and later rounds, in a list
 * that it can be taken out of; however many are due at one moment, each costs the same.
 *
 * <p>Timers are at most one tick late plus whatever the machine adds, and never early.
 */
final class WheelTimers implements Timers, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WheelTimers.class);

    /** About four milliseconds. */
    private static final int TICK_BITS = 22;

    private static final long TICK_NANOS = 1L << TICK_BITS;

    /** A power of two. */
    private static final int SPOKES = 512;

    private final Wheel[] wheels;
    private final Thread thread;
    private final Consumer<Throwable> fatal;
    private volatile boolean closed;

    WheelTimers(String name, int wheelCount) {
        this(name, wheelCount, new FatalErrors());
    }

    /** @param fatal told when timers can no longer be relied on */
    WheelTimers(String name, int wheelCount, Consumer<Throwable> fatal) {
        this.fatal = fatal;
        wheels = new Wheel[Integer.highestOneBit(Math.max(1, wheelCount * 2 - 1))];
        long now = System.nanoTime();
        for (int i = 0; i < wheels.length; i++) {
            wheels[i] = new Wheel(now);
        }
        thread = MusterThreads.named(name + "-timers").newThread(this::turnUntilClosed);
    }

    void start() {
        thread.start();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        long now = System.nanoTime();
        long delay = Math.max(0, delayNanos);
        // About a century from now is as good as never, and must not overflow.
        long deadline = now + Math.min(delay, Long.MAX_VALUE / 4);
        int wheel = (int) (Thread.currentThread().getId() & (wheels.length - 1));
        return wheels[wheel].schedule(deadline, task);
    }

    private void turnUntilClosed() {
        try {
            turn();
        } catch (Throwable failure) {
            // Without timers nothing in this process ends in time any more.
            fatal.accept(failure);
        }
    }

    private void turn() {
        List<Entry> due = new ArrayList<>();
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            for (Wheel wheel : wheels) {
                wheel.collectDue(now, due);
            }
            due.sort((one, other) -> Long.signum(one.deadlineNanos - other.deadlineNanos));
            fire(due);
        }
        // Whoever still waits for a time-out would wait for ever.
        for (Wheel wheel : wheels) {
            wheel.collectAll(due);
        }
        fire(due);
    }

    private void fire(List<Entry> due) {
        for (Entry entry : due) {
            try {
                entry.task.run();
            } catch (Throwable failure) {
                if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
                    fatal.accept(failure);
                }
                LOG.error("a timer's task failed", failure);
            }
        }
        due.clear();
    }

    /** Ends the timers. What has not fired yet is fired at once, by the timers' thread. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** One wheel and who waits on it. Everything is guarded by its monitor. */
    private static final class Wheel {

        /** The first of the list of each spoke. */
        private final Entry[] spokes = new Entry[SPOKES];

        private final long startNanos;
        /** The oldest tick that may still have somebody on its spoke who is due in it. */
        private long tick;

        private int waiting;
        private boolean closed;

        Wheel(long nowNanos) {
            startNanos = nowNanos;
        }

        synchronized Entry schedule(long deadlineNanos, Runnable task) {
            Entry entry = new Entry(this, deadlineNanos, task);
            if (closed) {
                // Like those that waited when the timers ended; rare enough for a thread of its own.
                entry.spoke = -1;
                MusterThreads.named("late-timer").newThread(task).start();
                return entry;
            }
            int spoke = spokeOf(entry);
            entry.next = spokes[spoke];
            if (entry.next != null) {
                entry.next.previous = entry;
            }
            spokes[spoke] = entry;
            entry.spoke = spoke;
            waiting++;
            return entry;
        }

        private int spokeOf(Entry entry) {
            long dueIn = Math.max((entry.deadlineNanos - startNanos) >> TICK_BITS, tick);
            return (int) (dueIn & (SPOKES - 1));
        }

        synchronized boolean cancel(Entry entry) {
            if (entry.spoke < 0) {
                return false;
            }
            takeOut(entry);
            return true;
        }

        private void takeOut(Entry entry) {
            if (entry.previous == null) {
                spokes[entry.spoke] = entry.next;
            } else {
                entry.previous.next = entry.next;
            }
            if (entry.next != null) {
                entry.next.previous = entry.previous;
            }
            entry.previous = null;
            entry.next = null;
            entry.spoke = -1;
            waiting--;
        }

        synchronized void collectDue(long nowNanos, List<Entry> due) {
            long current = (nowNanos - startNanos) >> TICK_BITS;
            // After a long pause one round passes every spoke there is.
            long last = Math.min(current, tick + SPOKES - 1);
            for (long at = tick; at <= last && waiting > 0; at++) {
                collect((int) (at & (SPOKES - 1)), nowNanos, due);
            }
            tick = Math.max(tick, current);
        }

        private void collect(int spoke, long nowNanos, List<Entry> due) {
            Entry entry = spokes[spoke];
            while (entry != null) {
                Entry following = entry.next;
                if (entry.deadlineNanos - nowNanos <= 0) {
                    takeOut(entry);
                    due.add(entry);
                }
                entry = following;
            }
        }

        synchronized void collectAll(List<Entry> all) {
            closed = true;
            for (int spoke = 0; spoke < SPOKES; spoke++) {
                while (spokes[spoke] != null) {
                    Entry entry = spokes[spoke];
                    takeOut(entry);
                    all.add(entry);
                }
            }
        }
    }

    private static final class Entry implements Timer {
        private final Wheel wheel;
        private final long deadlineNanos;
        private final Runnable task;

        // Guarded by the wheel.
        private Entry previous;
        private Entry next;
        /** Where it hangs; negative once it has been taken out. */
        private int spoke;

        Entry(Wheel wheel, long deadlineNanos, Runnable task) {
            this.wheel = wheel;
            this.deadlineNanos = deadlineNanos;
            this.task = task;
        }

        @Override
        public boolean cancel() {
            return wheel.cancel(this);
        }
    }
}
