package dev.muster.real;

import dev.muster.environment.Clock;

/** The machine's clocks. */
final class SystemClock implements Clock {

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
