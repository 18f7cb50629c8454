package dev.muster.actor;

/** Told to the behavior that failed, before a new one takes its place: the moment to close what it had opened. */
public enum PreRestart implements Signal {
    INSTANCE
}
