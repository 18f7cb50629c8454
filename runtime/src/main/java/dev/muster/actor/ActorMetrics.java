package dev.muster.actor;

import java.util.List;
import java.util.Map;

/**
 * What the actors of a system have done so far: plain counts, always on.
 *
 * @param types one row for each type of actor, by name
 * @param deadLetters how many there were, by reason
 * @param unhandled how many messages reached an actor that did not handle them
 */
public record ActorMetrics(List<OfType> types, Map<DeadLetter.Reason, Long> deadLetters, long unhandled) {

    public ActorMetrics {
        types = List.copyOf(types);
        deadLetters = Map.copyOf(deadLetters);
    }

    /**
     * All actors of one type: of one protocol where that is known, else of one class of behavior.
     *
     * @param type its name
     * @param started how many began to live
     * @param stopped how many ended
     * @param failures how many messages or signals ended in an exception
     * @param restarts how many times one began anew
     * @param messages how many messages were handled, counted at the end of each turn
     * @param sampled how many of them were timed: one in 64
     * @param sampledNanos how long those took in all
     * @param waiting how many messages wait in their mailboxes now
     * @param deepest how many of them wait in the fullest one
     */
    public record OfType(
            String type,
            long started,
            long stopped,
            long failures,
            long restarts,
            long messages,
            long sampled,
            long sampledNanos,
            long waiting,
            int deepest) {

        public long alive() {
            return started - stopped;
        }

        /** How long a message takes on average, in nanoseconds; 0 while none was timed. */
        public double meanNanos() {
            return sampled == 0 ? 0 : (double) sampledNanos / sampled;
        }
    }

    /**
     * One actor.
     *
     * @param path where it is
     * @param messages how many messages it has handled
     * @param waiting how many wait in its mailbox
     * @param meanNanos how long a message takes, smoothed over the sampled ones; 0 while none was timed
     */
    public record OfActor(ActorPath path, long messages, int waiting, double meanNanos) {}
}
