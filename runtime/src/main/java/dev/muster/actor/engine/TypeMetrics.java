package dev.muster.actor.engine;

import dev.muster.actor.ActorMetrics;
import java.util.concurrent.atomic.LongAdder;

/** The counts of one type of actor, written by all of them once a turn. */
final class TypeMetrics {

    private final String type;
    final LongAdder started = new LongAdder();
    final LongAdder stopped = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder restarts = new LongAdder();
    final LongAdder messages = new LongAdder();
    final LongAdder sampled = new LongAdder();
    final LongAdder sampledNanos = new LongAdder();

    TypeMetrics(String type) {
        this.type = type;
    }

    String type() {
        return type;
    }

    ActorMetrics.OfType read(MailboxDepths depths) {
        return new ActorMetrics.OfType(
                type,
                started.sum(),
                stopped.sum(),
                failures.sum(),
                restarts.sum(),
                messages.sum(),
                sampled.sum(),
                sampledNanos.sum(),
                depths.waiting(this),
                depths.deepest(this));
    }
}
