package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Supervision;
import dev.muster.environment.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * Logs failures of actors: every one while they are few, and in a storm only so many each second, with a count of the
 * rest. A hundred thousand stack traces would take down what the failures left standing.
 */
final class FailureLog {

    private static final int PER_SECOND = 20;
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final Logger log;
    private final Clock clock;
    private final AtomicLong secondStart;
    private final AtomicLong inSecond = new AtomicLong();

    FailureLog(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
        this.secondStart = new AtomicLong(clock.nanoTime());
    }

    void failed(ActorRef<?> actor, Throwable failure, Supervision.Directive directive) {
        boolean isReplaced = actor instanceof InstanceRef<?> && directive == Supervision.Directive.STOP;
        log(actor, "failed; it will " + consequence(directive) + (isReplaced ? " and begin anew" : ""), failure);
    }

    /** A failure that changes nothing any more, because the actor ends or begins anew anyway. */
    void failedBeside(ActorRef<?> actor, String doing, Throwable failure) {
        log(actor, "failed while it " + doing, failure);
    }

    /** A logger that throws must not make things worse: the actor still has to stop or to begin anew. */
    private void log(ActorRef<?> actor, String what, Throwable failure) {
        try {
            logIfFew(actor, what, failure);
        } catch (RuntimeException loggerFailed) {
            log.error(
                    "{} {}; {} cannot be logged",
                    InternalRef.shown(actor),
                    what,
                    failure.getClass().getName());
        }
    }

    private void logIfFew(ActorRef<?> actor, String what, Throwable failure) {
        long now = clock.nanoTime();
        long start = secondStart.get();
        if (now - start >= SECOND_NANOS && secondStart.compareAndSet(start, now)) {
            long before = inSecond.getAndSet(0);
            if (before > PER_SECOND) {
                log.error("{} more failures of actors were not logged", before - PER_SECOND);
            }
        }
        if (inSecond.incrementAndGet() <= PER_SECOND) {
            log.error("{} {}", InternalRef.shown(actor), what, failure);
        }
    }

    private static String consequence(Supervision.Directive directive) {
        return switch (directive) {
            case STOP -> "stop";
            case RESUME -> "go on with the next message";
            case RESTART -> "restart";
            case ESCALATE -> "stop, and its parent fails with it";
        };
    }
}
