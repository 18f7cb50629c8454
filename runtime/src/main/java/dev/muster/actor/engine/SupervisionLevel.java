package dev.muster.actor.engine;

import dev.muster.actor.Behavior;
import dev.muster.actor.Supervision;
import java.util.random.RandomGenerator;

/** One rule around an actor, what it begins anew with, and how often it has had to. Used in the actor's turn only. */
final class SupervisionLevel<M> {

    final Behavior<M> initial;
    final SupervisionLevel<M> outer;
    private final Class<? extends Throwable> failure;
    private final Supervision rule;

    private long windowStartNanos;
    private int restartsInWindow;
    private int failuresInARow;
    private long readyAgainNanos;

    SupervisionLevel(Supervised<M> supervised, SupervisionLevel<M> outer) {
        this.initial = supervised.behavior;
        this.failure = supervised.failure;
        this.rule = supervised.supervision;
        this.outer = outer;
    }

    /** The innermost level from here outwards whose rule is meant for this failure; null if there is none. */
    static <M> SupervisionLevel<M> responsibleFor(Throwable thrown, SupervisionLevel<M> innermost) {
        for (SupervisionLevel<M> level = innermost; level != null; level = level.outer) {
            if (level.failure.isInstance(thrown)) {
                return level;
            }
        }
        return null;
    }

    boolean stopsChildren() {
        return rule.stopsChildren();
    }

    /** What to do about a failure now; restarts are counted by this call. */
    Supervision.Directive decide(long nowNanos) {
        if (rule.directive() != Supervision.Directive.RESTART) {
            return rule.directive();
        }
        if (rule.maximumRestarts() >= 0) {
            if (restartsInWindow == 0
                    || nowNanos - windowStartNanos > rule.within().toNanos()) {
                windowStartNanos = nowNanos;
                restartsInWindow = 0;
            }
            if (++restartsInWindow > rule.maximumRestarts()) {
                return Supervision.Directive.STOP;
            }
        }
        return Supervision.Directive.RESTART;
    }

    /** How long to wait before the restart just decided. */
    long backoffNanos(long nowNanos, RandomGenerator random) {
        long minimum = rule.backoff().minimum().toNanos();
        long maximum = rule.backoff().maximum().toNanos();
        if (maximum == 0) {
            return 0;
        }
        boolean livedWell = nowNanos - readyAgainNanos > maximum;
        failuresInARow = failuresInARow > 0 && livedWell ? 1 : failuresInARow + 1;
        int doublings = Math.min(failuresInARow - 1, 40);
        double wait = Math.min((double) maximum, minimum * (double) (1L << doublings));
        long lengthened =
                (long) (wait * (1 + random.nextDouble() * rule.backoff().randomFactor()));
        readyAgainNanos = nowNanos + lengthened;
        return lengthened;
    }
}
