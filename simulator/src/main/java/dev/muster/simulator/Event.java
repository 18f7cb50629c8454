package dev.muster.simulator;

/** Something that will happen at a moment of the world's time. Of two at one moment, the one added first goes first. */
abstract class Event {
    long atNanos;
    long sequence;

    abstract void happen();

    final boolean isBefore(Event other) {
        return atNanos < other.atNanos || atNanos == other.atNanos && sequence < other.sequence;
    }
}
