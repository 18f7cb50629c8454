package dev.muster.bench.actors;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/** The work in Pekko's typed Java API, with its default dispatcher and its default mailbox. */
final class PekkoActors implements ActorSide {

    record Hit() {}

    record Ball(ActorRef<Ball> from) {}

    record Question(ActorRef<Answer> replyTo) {}

    record Answer() {}

    sealed interface Order permits StartChildren, TellChildren, StopAll {}

    record StartChildren(int count, Roll started, Roll greeted) implements Order {}

    record TellChildren() implements Order {}

    record StopAll() implements Order {}

    record Greeting() {}

    private static final Hit HIT = new Hit();
    private static final Answer ANSWER = new Answer();
    private static final Greeting GREETING = new Greeting();
    private static final long SHUTDOWN_SECONDS = 60;

    private final ActorSystem<SpawnProtocol.Command> system = ActorSystem.create(SpawnProtocol.create(), "bench");

    /** The way in from outside: the guardian spawns for others. */
    private <M> ActorRef<M> spawn(Behavior<M> behavior) {
        CompletionStage<ActorRef<M>> spawned = AskPattern.ask(
                system,
                replyTo -> new SpawnProtocol.Spawn<>(behavior, "", Props.empty(), replyTo),
                ASK_TIMEOUT,
                system.scheduler());
        return spawned.toCompletableFuture().join();
    }

    @Override
    public Work tell() {
        return messages -> {
            Countdown done = new Countdown(1);
            ActorRef<Hit> counter = spawn(Behaviors.setup(ctx -> new Counter(ctx, messages, done)));
            for (int i = 0; i < messages; i++) {
                counter.tell(HIT);
            }
            done.await();
        };
    }

    private static final class Counter extends AbstractBehavior<Hit> {

        private final Tally tally;
        private final Countdown done;

        Counter(ActorContext<Hit> context, int expected, Countdown done) {
            super(context);
            this.tally = new Tally(expected);
            this.done = done;
        }

        @Override
        public Receive<Hit> createReceive() {
            return newReceiveBuilder().onMessage(Hit.class, this::onHit).build();
        }

        private Behavior<Hit> onHit(Hit hit) {
            if (tally.isComplete()) {
                done.countDown();
                return Behaviors.stopped();
            }
            return this;
        }
    }

    @Override
    public Work pingPong(int pairs, int window) {
        return messages -> {
            Countdown done = new Countdown(pairs);
            for (int i = 0; i < pairs; i++) {
                ActorRef<Ball> ping = spawn(Behaviors.setup(ctx -> new Ping(ctx, messages / pairs / 2, window, done)));
                assert ping != null;
            }
            done.await();
        };
    }

    /** Serves, returns balls until so many have come back, and takes its partner along when it stops. */
    private static final class Ping extends AbstractBehavior<Ball> {

        private final Ball mine;
        private final Tally returned;
        private final Tally toServe;
        private final Countdown done;

        Ping(ActorContext<Ball> context, int expected, int window, Countdown done) {
            super(context);
            this.mine = new Ball(context.getSelf());
            this.returned = new Tally(expected);
            this.toServe = new Tally(expected - window + 1);
            this.done = done;
            ActorRef<Ball> partner = context.spawnAnonymous(Behaviors.setup(Pong::new));
            for (int i = 0; i < window; i++) {
                partner.tell(mine);
            }
        }

        @Override
        public Receive<Ball> createReceive() {
            return newReceiveBuilder().onMessage(Ball.class, this::onBall).build();
        }

        private Behavior<Ball> onBall(Ball ball) {
            if (returned.isComplete()) {
                done.countDown();
                return Behaviors.stopped();
            }
            if (!toServe.isComplete()) {
                ball.from().tell(mine);
            }
            return this;
        }
    }

    private static final class Pong extends AbstractBehavior<Ball> {

        private final Ball mine;

        Pong(ActorContext<Ball> context) {
            super(context);
            this.mine = new Ball(context.getSelf());
        }

        @Override
        public Receive<Ball> createReceive() {
            return newReceiveBuilder().onMessage(Ball.class, this::onBall).build();
        }

        private Behavior<Ball> onBall(Ball ball) {
            ball.from().tell(mine);
            return this;
        }
    }

    @Override
    public Work ask(int window) {
        ActorRef<Question> oracle = spawn(Behaviors.setup(Oracle::new));
        return messages -> {
            Countdown done = new Countdown(window);
            for (int i = 0; i < window; i++) {
                new Asker(oracle, messages / window, done).next();
            }
            done.await();
        };
    }

    private static final class Oracle extends AbstractBehavior<Question> {

        Oracle(ActorContext<Question> context) {
            super(context);
        }

        @Override
        public Receive<Question> createReceive() {
            return newReceiveBuilder()
                    .onMessage(Question.class, this::onQuestion)
                    .build();
        }

        private Behavior<Question> onQuestion(Question question) {
            question.replyTo().tell(ANSWER);
            return this;
        }
    }

    /** Asks one question after the other. */
    private final class Asker {

        private final ActorRef<Question> oracle;
        private final Countdown done;
        private int left;

        Asker(ActorRef<Question> oracle, int questions, Countdown done) {
            this.oracle = oracle;
            this.left = questions;
            this.done = done;
        }

        void next() {
            CompletionStage<Answer> reply = AskPattern.ask(oracle, Question::new, ASK_TIMEOUT, system.scheduler());
            // Left alone, callbacks go to the JVM's common pool, and on two cores or fewer each of them to a thread
            // started
            // for it. On the dispatcher, where Muster's run too, they are many times faster.
            CompletionStage<Answer> unused = reply.whenCompleteAsync(this::answered, system.executionContext());
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
        return new PekkoCrowd();
    }

    private final class PekkoCrowd implements Crowd {

        private final Countdown ended = new Countdown(1);
        private final ActorRef<Order> parent = spawn(Behaviors.setup(Parent::new));
        private Roll started;
        private Roll greeted;

        PekkoCrowd() {
            ActorRef<Order> watcher = spawn(watcher(parent, ended));
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

    private static final class Parent extends AbstractBehavior<Order> {

        Parent(ActorContext<Order> context) {
            super(context);
        }

        @Override
        public Receive<Order> createReceive() {
            return newReceiveBuilder()
                    .onMessage(StartChildren.class, this::onStartChildren)
                    .onMessage(TellChildren.class, this::onTellChildren)
                    .onMessage(StopAll.class, order -> Behaviors.stopped())
                    .build();
        }

        private Behavior<Order> onStartChildren(StartChildren order) {
            Behavior<Greeting> child = child(order.started(), order.greeted());
            for (int i = 0; i < order.count(); i++) {
                ActorRef<Greeting> unused = getContext().spawnAnonymous(child);
            }
            return this;
        }

        private Behavior<Order> onTellChildren(TellChildren order) {
            getContext()
                    .getChildren()
                    .forEach(child -> child.<Greeting>unsafeUpcast().tell(GREETING));
            return this;
        }
    }

    private static Behavior<Greeting> child(Roll started, Roll greeted) {
        Behavior<Greeting> idle = Behaviors.receiveMessage(greeting -> {
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
                    .onSignal(Terminated.class, terminated -> {
                        ended.countDown();
                        return Behaviors.stopped();
                    })
                    .build();
        });
    }

    @Override
    public void close() {
        system.terminate();
        try {
            system.getWhenTerminated().toCompletableFuture().get(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("Pekko's actor system did not terminate", e);
        }
    }
}
