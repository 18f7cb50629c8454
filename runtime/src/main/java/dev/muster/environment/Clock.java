package dev.muster.environment;

/** The time, as the rest of Muster may know it. Virtual in tests and in the simulator. */
public interface Clock {

    /** A steady count of nanoseconds that only differences make sense of. */
    long nanoTime();

    /** Milliseconds since 1970 by the wall clock, which may jump: for people to read, never to wait by. */
    long wallMillis();
}
