package dev.muster.node.demo;

import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What the partitions of a demo do: counters that look whether messages come in order, and a clock that counts on. */
final class DemoCounting {
    private DemoCounting() {}

    /** What a counter and the clock understand. */
    sealed interface Message permits Count, Tick {}

    /**
     * Something to count.
     *
     * @param sender who counts, the same for all its messages
     * @param number grows by one with every message of this sender to this counter
     */
    record Count(String sender, long number) implements Message {}

    /** Lets the clock go on by one. */
    record Tick() implements Message {}

    /** How far the clock has come, which goes with it when it moves. */
    record Time(long ticks) {}

    /**
     * Answers whether a message has come in order: after all earlier ones of its sender that came to this instance. A
     * new instance begins without what the one before it knew.
     */
    static Behavior<Message> counter() {
        return Behaviors.setup(context -> {
            Map<String, Long> last = new HashMap<>();
            return Behaviors.receive(Message.class)
                    .on(Count.class, (ctx, count) -> {
                        Long before = last.put(count.sender(), count.number());
                        ctx.reply(before == null || before < count.number());
                        return Behaviors.same();
                    })
                    .on(Tick.class, (ctx, tick) -> Behaviors.unhandled())
                    .build();
        });
    }

    /** One in the whole cluster, which takes its time along. Answers how many ticks there have been. */
    static Behavior<Message> clock(Optional<Time> before) {
        return clock(before.map(Time::ticks).orElse(0L));
    }

    private static Behavior<Message> clock(long ticks) {
        return Behaviors.receive(Message.class)
                .on(Tick.class, (ctx, tick) -> {
                    ctx.reply(ticks + 1);
                    return clock(ticks + 1);
                })
                .on(Count.class, (ctx, count) -> Behaviors.unhandled())
                .onSignal(HandingOver.class, (ctx, handing) -> {
                    handing.state(new Time(ticks));
                    return Behaviors.same();
                })
                .build();
    }
}
