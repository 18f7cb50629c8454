package dev.muster.node.demo;

import dev.muster.actor.ActorContext;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.node.demo.DemoCounting.Count;
import dev.muster.node.demo.DemoCounting.Message;
import dev.muster.node.demo.DemoCounting.Tick;
import dev.muster.node.demo.DemoCounting.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Something to see in a demo: ten counters with two instances each and a clock that there is one of, and on every node
 * a client that sends them a few messages a second and looks whether all are answered, and in order.
 */
public final class DemoLoad implements Consumer<ActorSystem> {

    /** The setting that turns it on, for {@code muster node}. */
    public static final String SETTING = "muster.node.demo-load";

    static final int COUNTERS = 10;
    private static final String CLOCK = "clock";
    private static final Duration BEAT = Duration.ofMillis(200);
    private static final int BEATS_PER_TICK = 5;

    /** Longer than a move takes, so that what is still missing then is lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final DemoFigures figures = new DemoFigures();

    /** What the client of this node has seen, by name. */
    public SortedMap<String, Long> figures() {
        return figures.read();
    }

    /**
     * Before the node joins, so that it knows the partitions once it may host them; its client waits until it is up.
     */
    @Override
    public void accept(ActorSystem system) {
        Cluster cluster = Cluster.get(system);
        List<ActorRef<Message>> counters = new ArrayList<>();
        for (int i = 0; i < COUNTERS; i++) {
            counters.add(cluster.host(Partition.at("counters/" + i, DemoCounting::counter)
                    .instances(2)
                    .handoff(HandoffPolicy.ordered())
                    .messages(Message.class)));
        }
        ActorRef<Message> clock = cluster.host(
                Partition.singleton(CLOCK, Time.class, DemoCounting::clock).messages(Message.class));
        ActorRef<Client.Event> client = system.spawn(new Client(cluster, counters, clock).waiting(), "demo-client");
        cluster.registerOnMemberUp(() -> client.tell(new Client.Begin()));
    }

    /** Sends to one counter after the other, and to the clock. Used by its actor only. */
    private final class Client {
        private final Cluster cluster;
        private final List<ActorRef<Message>> counters;
        private final ActorRef<Message> clock;
        private final long[] numbers = new long[COUNTERS];
        private long beats;
        private boolean isTicking;

        Client(Cluster cluster, List<ActorRef<Message>> counters, ActorRef<Message> clock) {
            this.cluster = cluster;
            this.counters = counters;
            this.clock = clock;
        }

        sealed interface Event permits Begin, Beat, CountAnswered, TickAnswered {}

        record Begin() implements Event {}

        record Beat() implements Event {}

        /** {@code inOrder} is null if no answer came. */
        record CountAnswered(Boolean inOrder) implements Event {}

        /** {@code ticks} is null if no answer came. */
        record TickAnswered(Long ticks) implements Event {}

        Behavior<Event> waiting() {
            return Behaviors.withTimers(timers -> Behaviors.receive(Event.class)
                    .on(Begin.class, (ctx, begin) -> {
                        timers.startWithFixedDelay("beat", new Beat(), BEAT);
                        return Behaviors.same();
                    })
                    .on(Beat.class, (ctx, beat) -> beat(ctx))
                    .on(CountAnswered.class, (ctx, answer) -> counted(answer.inOrder()))
                    .on(TickAnswered.class, (ctx, answer) -> ticked(answer.ticks()))
                    .build());
        }

        private Behavior<Event> beat(ActorContext<Event> ctx) {
            int index = (int) (beats % COUNTERS);
            if (hasHost("counters/" + index)) {
                String sender = cluster.self().toString();
                figures.sent();
                ctx.ask(
                        counters.get(index),
                        new Count(sender, ++numbers[index]),
                        Boolean.class,
                        PATIENCE,
                        (reply, failure) -> new CountAnswered(reply));
            }
            if (beats++ % BEATS_PER_TICK == 0 && !isTicking && hasHost(CLOCK)) {
                isTicking = true;
                figures.sent();
                ctx.ask(clock, new Tick(), Long.class, PATIENCE, (reply, failure) -> new TickAnswered(reply));
            }
            return Behaviors.same();
        }

        /** Before there is a host, what is sent would only become dead letters. */
        private boolean hasHost(String path) {
            return cluster.snapshot()
                    .partitions()
                    .find(new PartitionPath(path))
                    .filter(row -> !row.instances().isEmpty())
                    .isPresent();
        }

        private Behavior<Event> counted(Boolean inOrder) {
            if (inOrder == null) {
                figures.lost();
            } else {
                figures.counted(inOrder);
            }
            return Behaviors.same();
        }

        private Behavior<Event> ticked(Long ticks) {
            isTicking = false;
            if (ticks == null) {
                figures.lost();
            } else {
                figures.ticked(ticks);
            }
            return Behaviors.same();
        }
    }
}
