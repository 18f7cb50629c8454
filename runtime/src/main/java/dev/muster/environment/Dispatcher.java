package dev.muster.environment;

import java.util.concurrent.Executor;

/** Gives turns to actors, and runs the tasks that users' callbacks become. */
public interface Dispatcher extends Executor {

    /** Runs {@code activation} once, soon, on a thread of this dispatcher; turns of one caller start in any order. */
    void execute(Activation activation);

    /**
     * The same for one that has just had a turn on this dispatcher and wants another: those who were ready before get
     * theirs first.
     */
    default void executeAfterOthers(Activation activation) {
        execute(activation);
    }

    /** Runs {@code task} once, soon, on a thread of this dispatcher. */
    @Override
    void execute(Runnable task);

    /**
     * How many messages an actor may read in one turn before others get theirs. Higher is faster under load, lower is
     * fairer. The virtual dispatcher says 1, so that every order of messages can come up.
     */
    int messagesPerTurn();

    /** Stops its threads once the turns already given have ended. Later tasks are refused. */
    void shutdown();
}
