package dev.muster.actor;

/** Something scheduled that may still be called off. */
public interface Cancellable {

    /** Returns true if this call kept it from happening. */
    boolean cancel();
}
