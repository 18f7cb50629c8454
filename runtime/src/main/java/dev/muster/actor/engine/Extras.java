package dev.muster.actor.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** What few actors have: timers, stashes, a receive timeout, a logger. Used in the actor's turn only. */
final class Extras<M> {

    private static final String PATH_KEY = "actorPath";
    private static final String SYSTEM_KEY = "actorSystem";

    private final ActorCell<M> cell;
    private ActorTimers<M> timers;
    private ReceiveTimeout<M> receiveTimeout;
    private List<ActorStash<M>> stashes;

    /** Which of the handled messages had been put aside before, and the number that it got then. */
    private long cameBackAs;

    private long numberThen;
    private Logger log;
    private boolean logContextIsSet;

    Extras(ActorCell<M> cell) {
        this.cell = cell;
    }

    ActorTimers<M> timers() {
        if (timers == null) {
            timers = new ActorTimers<>(cell);
        }
        return timers;
    }

    ActorStash<M> stash(int capacity) {
        return new ActorStash<>(cell, this, capacity);
    }

    /** A stash got its first message. Empty ones need not be known: there is nothing in them to lose. */
    void isInUse(ActorStash<M> stash) {
        if (stashes == null) {
            stashes = new ArrayList<>(1);
        }
        stashes.add(stash);
    }

    void isEmptyAgain(ActorStash<M> stash) {
        if (stashes != null) {
            stashes.remove(stash);
        }
    }

    /** The message that is handled next had been put aside. */
    void comesBack(long count, long number) {
        cameBackAs = count;
        numberThen = number;
    }

    /**
     * A number for the message being handled that grows in the order in which messages came; one that was put aside
     * before keeps the number that it has.
     */
    long numberOf(long count) {
        return count == cameBackAs ? numberThen : count;
    }

    void setReceiveTimeout(Duration timeout, M message) {
        Objects.requireNonNull(message, "message");
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("a receive timeout must be positive, was " + timeout);
        }
        cancelReceiveTimeout();
        receiveTimeout = new ReceiveTimeout<>(cell, timeout.toNanos(), message);
        receiveTimeout.start();
    }

    void cancelReceiveTimeout() {
        if (receiveTimeout != null) {
            receiveTimeout.cancel();
            receiveTimeout = null;
        }
    }

    void messageCame() {
        if (receiveTimeout != null) {
            receiveTimeout.messageCame();
        }
    }

    Logger log(String type) {
        if (log == null) {
            log = LoggerFactory.getLogger(type);
        }
        if (!logContextIsSet) {
            MDC.put(PATH_KEY, cell.ref().path().toString());
            MDC.put(SYSTEM_KEY, cell.localSystem().name());
            logContextIsSet = true;
        }
        return log;
    }

    void clearLogContext() {
        if (logContextIsSet) {
            MDC.remove(PATH_KEY);
            MDC.remove(SYSTEM_KEY);
            logContextIsSet = false;
        }
    }

    /** Before a restart or the end: what belongs to the old behavior goes, what was put aside is not lost. */
    void reset() {
        if (timers != null) {
            timers.cancelAll();
        }
        cancelReceiveTimeout();
        if (stashes != null) {
            List<ActorStash<M>> all = stashes;
            stashes = null;
            for (int i = all.size() - 1; i >= 0; i--) {
                all.get(i).giveBack();
            }
        }
    }
}
