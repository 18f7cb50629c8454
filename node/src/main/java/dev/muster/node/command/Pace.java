package dev.muster.node.command;

import java.util.concurrent.TimeUnit;

/** The time that a command waits for something; in tests none passes. */
interface Pace {

    Pace REAL = new Pace() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    };

    /** Only differences mean something. */
    long nanos();

    void pause(long nanos) throws InterruptedException;
}
