package dev.muster.bench.actors;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.SpawnOptions;
import dev.muster.actor.Terminated;
import java.util.concurrent.CompletableFuture;

/** The work in Muster. */
final class MusterActors implements ActorSide {

    record Hit() {}

    record Ball(ActorRef<Ball> from) {}

    record Question() {}

    record Answer() {}

    sealed interface Order permits StartChildren, TellChildren, StopAll {}

    record StartChildren(int count, Roll started, Roll greeted) implements Order {}

    record TellChildren() implements Order {}

    record StopAll() implements Order {}

    record Greeting() {}

    private static final Hit HIT = new Hit();
    private static final Question QUESTION = new Question();
    private static final Answer ANSWER = new Answer();
    private static final Greeting GREETING = new Greeting();

    /** Pekko's mailboxes have no bound, so these have none either. */
    private static final SpawnOptions UNBOUNDED = SpawnOptions.defaults().withUnboundedMailbox();

    private final ActorSystem system = ActorSystem.create("bench");

    @Override
    public Work tell() {
        return messages -> {
            Countdown done = new Countdown(1);
            ActorRef<Hit> counter = system.spawn(counter(messages, done), null, UNBOUNDED);
            for (int i = 0; i < messages; i++) {
                counter.tell(HIT);
            }
            done.await();
        };
    }

    private static Behavior<Hit> counter(int expected, Countdown done) {
        return Behaviors.setup(ctx -> {
            Tally tally = new Tally(expected);
            return Behaviors.receive(Hit.class)
                    .on(Hit.class, (c, hit) -> {
                        if (tally.isComplete()) {
                            done.countDown();
                            return Behaviors.stopped();
                        }
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    @Override
    public Work pingPong(int pairs, int window) {
        return messages -> {
            Countdown done = new Countdown(pairs);
            for (int i = 0; i < pairs; i++) {
                ActorRef<Ball> ping = system.spawn(ping(messages / pairs / 2, window, done), null, UNBOUNDED);
                assert ping != null;
            }
            done.await();
        };
    }

    /** Serves, returns balls until so many have come back, and takes its partner along when it stops. */
    private static Behavior<Ball> ping(int expected, int window, Countdown done) {
        return Behaviors.setup(ctx -> {
            Ball mine = new Ball(ctx.self());
            ActorRef<Ball> partner = ctx.spawn(pong());
            for (int i = 0; i < window; i++) {
                partner.tell(mine);
            }
            Tally returned = new Tally(expected);
            Tally toServe = new Tally(expected - window + 1);
            return Behaviors.receive(Ball.class)
                    .on(Ball.class, (c, ball) -> {
                        if (returned.isComplete()) {
                            done.countDown();
                            return Behaviors.stopped();
                        }
                        if (!toServe.isComplete()) {
                            ball.from().tell(mine);
                        }
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static Behavior<Ball> pong() {
        return Behaviors.setup(ctx -> {
            Ball mine = new Ball(ctx.self());
            return Behaviors.receive(Ball.class)
                    .on(Ball.class, (c, ball) -> {
                        ball.from().tell(mine);
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    @Override
    public Work ask(int window) {
        ActorRef<Question> oracle = system.spawn(oracle(), null, UNBOUNDED);
        return messages -> {
            Countdown done = new Countdown(window);
            for (int i = 0; i < window; i++) {
                new Asker(oracle, messages / window, done).next();
            }
            done.await();
        };
    }

    private static Behavior<Question> oracle() {
        return Behaviors.receive(Question.class)
                .on(Question.class, (ctx, question) -> {
                    ctx.reply(ANSWER);
                    return Behaviors.same();
                })
                .build();
    }

    /** Asks one question after the other. */
    private static final class Asker {

        private final ActorRef<Question> oracle;
        private final Countdown done;
        private int left;

        Asker(ActorRef<Question> oracle, int questions, Countdown done) {
            this.oracle = oracle;
            this.left = questions;
            this.done = done;
        }

        void next() {
            CompletableFuture<Answer> unused =
                    oracle.ask(QUESTION, Answer.class).whenComplete(this::answered);
        }

        private void answered(Answer answer, Throwable failure) {
            if (failure != null) {
                done.failed(failure);
            } else if (--left == 0) {
                done.countDown();
            } else {
                next();
            }
        }
    }

    @Override
    public Crowd crowd() {
        return new MusterCrowd();
    }

    private final class MusterCrowd implements Crowd {

        private final Countdown ended = new Countdown(1);
        private final ActorRef<Order> parent = system.spawn(parent(), null, UNBOUNDED);
        private Roll started;
        private Roll greeted;

        MusterCrowd() {
            ActorRef<Order> watcher = system.spawn(watcher(parent, ended), null, UNBOUNDED);
            assert watcher != null;
        }

        @Override
        public void start(int children) throws InterruptedException {
            started = new Roll(children);
            greeted = new Roll(children);
            parent.tell(new StartChildren(children, started, greeted));
            started.awaitAll();
        }

        @Override
        public void tellEach() throws InterruptedException {
            parent.tell(new TellChildren());
            greeted.awaitAll();
        }

        @Override
        public void stop() throws InterruptedException {
            parent.tell(new StopAll());
            ended.await();
            started.requireExact();
        }
    }

    @SuppressWarnings("unchecked") // All its children understand greetings.
    private static Behavior<Order> parent() {
        return Behaviors.receive(Order.class)
                .on(StartChildren.class, (c, order) -> {
                    Behavior<Greeting> child = child(order.started(), order.greeted());
                    for (int i = 0; i < order.count(); i++) {
                        ActorRef<Greeting> unused = c.spawn(child);
                    }
                    return Behaviors.same();
                })
                .on(TellChildren.class, (c, order) -> {
                    c.children().forEach(child -> ((ActorRef<Greeting>) child).tell(GREETING));
                    return Behaviors.same();
                })
                .on(StopAll.class, (c, order) -> Behaviors.stopped())
                .build();
    }

    private static Behavior<Greeting> child(Roll started, Roll greeted) {
        Behavior<Greeting> idle = Behaviors.receive(Greeting.class, (ctx, greeting) -> {
            greeted.report();
            return Behaviors.same();
        });
        return Behaviors.setup(ctx -> {
            started.report();
            return idle;
        });
    }

    private static Behavior<Order> watcher(ActorRef<Order> parent, Countdown ended) {
        return Behaviors.setup(ctx -> {
            ctx.watch(parent);
            return Behaviors.receive(Order.class)
                    .otherwise((c, order) -> Behaviors.unhandled())
                    .onSignal(Terminated.class, (c, terminated) -> {
                        ended.countDown();
                        return Behaviors.stopped();
                    })
                    .build();
        });
    }

    @Override
    public void close() {
        system.close();
    }
}
