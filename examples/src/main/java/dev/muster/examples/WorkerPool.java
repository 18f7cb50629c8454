package dev.muster.examples;

import dev.muster.actor.ActorContext;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Supervision;
import dev.muster.actor.Terminated;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A parent that hands out work to children, some of which fail. */
public final class WorkerPool {

    private WorkerPool() {}

    /** What the pool understands. */
    sealed interface PoolMessage permits PackAll, Ready, Packed {}

    /** All there is to do; the report goes to {@code replyTo}. */
    record PackAll(List<String> orders, ActorRef<Report> replyTo) implements PoolMessage {}

    /** A worker has nothing to do: it has just started, or has started again after a failure. */
    record Ready(ActorRef<Order> worker) implements PoolMessage {}

    /** A worker has finished its order. */
    record Packed(ActorRef<Order> worker) implements PoolMessage {}

    /** What a worker understands: the only message, so it needs no sealed family. */
    record Order(String item, int attempt) {}

    /** How it went. It leaves the pool, so it keeps copies that nobody changes any more. */
    record Report(Collection<String> packed, Collection<String> refused, int secondAttempts, int replacedWorkers) {
        Report {
            packed = List.copyOf(packed);
            refused = List.copyOf(refused);
        }
    }

    /** What a worker does with an order. */
    interface PackingTable {
        void pack(Order order) throws IOException;
    }

    // --- The worker

    static Behavior<Order> worker(ActorRef<PoolMessage> pool, PackingTable table) {
        Behavior<Order> packing = Behaviors.setup(context -> {
            pool.tell(new Ready(context.self()));
            return Behaviors.receive(Order.class, (ctx, order) -> {
                table.pack(order);
                pool.tell(new Packed(ctx.self()));
                return Behaviors.same();
            });
        });
        return Behaviors.supervise(packing)
                .onFailure(
                        IOException.class,
                        Supervision.restartWithBackoff(Duration.ofMillis(50), Duration.ofSeconds(2), 0.2)
                                .withLimit(5, Duration.ofMinutes(1)));
    }

    // --- The pool

    static Behavior<PoolMessage> pool(int workers, PackingTable table) {
        return Behaviors.setup(ctx -> {
            Pool pool = new Pool(table);
            for (int i = 0; i < workers; i++) {
                pool.addWorker(ctx);
            }
            return pool.behavior();
        });
    }

    /** What the pool remembers. Only its own turns touch these fields, so they need no lock. */
    private static final class Pool {
        private final PackingTable table;
        private final Deque<Order> waiting = new ArrayDeque<>();
        private final Deque<ActorRef<Order>> idle = new ArrayDeque<>();
        private final Map<ActorRef<Order>, Order> busy = new HashMap<>();
        private final Collection<String> packed = new TreeSet<>();
        private final Collection<String> refused = new TreeSet<>();
        private int secondAttempts;
        private int replacedWorkers;
        private ActorRef<Report> replyTo;

        Pool(PackingTable table) {
            this.table = table;
        }

        Behavior<PoolMessage> behavior() {
            return Behaviors.receive(PoolMessage.class)
                    .on(PackAll.class, (ctx, all) -> {
                        all.orders().forEach(item -> waiting.add(new Order(item, 1)));
                        replyTo = all.replyTo();
                        return handOut();
                    })
                    .on(Packed.class, (ctx, done) -> {
                        packed.add(busy.remove(done.worker()).item());
                        idle.add(done.worker());
                        return handOut();
                    })
                    .on(Ready.class, (ctx, ready) -> {
                        Order unfinished = busy.remove(ready.worker());
                        if (unfinished != null) {
                            secondAttempts++;
                            waiting.add(new Order(unfinished.item(), unfinished.attempt() + 1));
                        }
                        idle.add(ready.worker());
                        return handOut();
                    })
                    .onSignal(Terminated.class, (ctx, terminated) -> {
                        Order fatal = busy.remove(terminated.ref());
                        if (fatal != null) {
                            refused.add(fatal.item());
                        }
                        replacedWorkers++;
                        addWorker(ctx);
                        return handOut();
                    })
                    .build();
        }

        void addWorker(ActorContext<PoolMessage> ctx) {
            ActorRef<Order> worker = ctx.spawn(worker(ctx.self(), table));
            ctx.watch(worker);
        }

        private Behavior<PoolMessage> handOut() {
            while (!waiting.isEmpty() && !idle.isEmpty()) {
                ActorRef<Order> worker = idle.remove();
                Order order = waiting.remove();
                busy.put(worker, order);
                worker.tell(order);
            }
            if (replyTo != null && waiting.isEmpty() && busy.isEmpty()) {
                replyTo.tell(new Report(packed, refused, secondAttempts, replacedWorkers));
                replyTo = null;
            }
            return Behaviors.same();
        }
    }

    // --- The program

    /** Jams at the first attempt to pack dates, and breaks whoever tries to pack a piano. */
    static void pack(Order order) throws IOException {
        if (order.item().equals("dates") && order.attempt() == 1) {
            throw new IOException("the tape machine jammed");
        }
        if (order.item().equals("piano")) {
            throw new IllegalArgumentException("a piano does not fit on the table");
        }
    }

    public static void main(String[] args) {
        List<String> orders = List.of("apples", "bananas", "cherries", "dates", "figs", "piano", "lemons");
        try (ActorSystem system = ActorSystem.create("warehouse")) {
            ActorRef<PoolMessage> pool = system.spawn(pool(3, WorkerPool::pack), "pool");

            Report report = pool.<Report>ask(replyTo -> new PackAll(orders, replyTo), Duration.ofSeconds(10))
                    .join();
            System.out.println("packed: " + String.join(", ", report.packed()));
            System.out.println("refused: " + String.join(", ", report.refused()));
            System.out.println("second attempts: " + report.secondAttempts());
            System.out.println("replaced workers: " + report.replacedWorkers());
        }
    }
}
