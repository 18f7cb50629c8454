package dev.muster.bench.actors;

import java.time.Duration;

/**
 * The work that both sides do, behind names that belong to neither.
 *
 * <p>Only whole runs go through this interface. What happens for each message stays inside the class of one side, in
 * its own API, so that nothing of the comparison itself is measured.
 */
interface ActorSide extends AutoCloseable {

    /** What both sides allow an ask, because it is Muster's default. */
    Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    /** Some work of a given size; returns when all of it is done. */
    @FunctionalInterface
    interface Work {
        void run(int messages) throws Exception;
    }

    /** Many children of one parent. */
    interface Crowd {

        /** Starts so many children, and returns when the setup of each has run. */
        void start(int children) throws Exception;

        /** Sends each child one message, and returns when all have handled it. */
        void tellEach() throws Exception;

        /** Stops the parent, and returns when it and all children have stopped. */
        void stop() throws Exception;
    }

    /** The calling thread, which is no actor, sends; one actor counts. */
    Work tell();

    /** Each pair keeps {@code window} messages on their way between its two actors. Both directions count. */
    Work pingPong(int pairs, int window);

    /** So many questions are open at any time; each answer starts the next question. */
    Work ask(int window);

    Crowd crowd() throws Exception;

    @Override
    void close();
}
