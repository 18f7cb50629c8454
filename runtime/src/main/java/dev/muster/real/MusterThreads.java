package dev.muster.real;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads with names that say whose they are. They do not keep the process alive. */
final class MusterThreads {

    private MusterThreads() {}

    static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    static ForkJoinPool.ForkJoinWorkerThreadFactory workers(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return pool -> {
            ForkJoinWorkerThread thread = new Worker(pool);
            thread.setName(prefix + "-" + number.incrementAndGet());
            return thread;
        };
    }

    /** A thread of a dispatcher. */
    static final class Worker extends ForkJoinWorkerThread {

        private static final int LOOKS_ONCE_IN = 64;

        private int queued;

        Worker(ForkJoinPool pool) {
            super(pool);
        }

        /** Asked by this thread itself, each time it queues something: whether others have waited long enough. */
        boolean shouldLookOutside() {
            return (++queued & (LOOKS_ONCE_IN - 1)) == 0;
        }
    }
}
