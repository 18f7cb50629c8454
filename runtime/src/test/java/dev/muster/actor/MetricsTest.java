package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Everything an actor does is counted, by type and by actor. */
class MetricsTest {

    record Work(String what) {}

    private static final Behavior<Work> WORKER = Behaviors.receive(Work.class, (ctx, work) -> {
        if (work.what().equals("fail")) {
            throw new IllegalStateException("on purpose");
        }
        return work.what().equals("stop") ? Behaviors.stopped() : Behaviors.same();
    });

    @Test
    void aTypeCountsStartsStopsMessagesFailuresAndRestarts() {
        World.forSeeds(10, world -> {
            List<ActorRef<Work>> workers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                workers.add(world.spawn(Behaviors.supervise(WORKER).onFailure(Supervision.restart())));
            }
            workers.forEach(worker -> worker.tell(new Work("any")));
            workers.get(0).tell(new Work("fail"));
            workers.get(1).tell(new Work("stop"));
            world.run();
            ActorMetrics.OfType row = world.metricsOf(Work.class);
            assertThat(row.started()).isEqualTo(3);
            assertThat(row.stopped()).isEqualTo(1);
            assertThat(row.alive()).isEqualTo(2);
            assertThat(row.messages()).isEqualTo(5);
            assertThat(row.failures()).isEqualTo(1);
            assertThat(row.restarts()).isEqualTo(1);
        });
    }

    @Test
    void oneMessageInSixtyFourIsTimed() {
        World world = World.ofSeed(1);
        ActorRef<Work> worker = world.spawn(WORKER);
        for (int i = 0; i < 640; i++) {
            worker.tell(new Work("any"));
        }
        world.run();
        assertThat(world.metricsOf(Work.class).sampled()).isEqualTo(10);
        assertThat(world.metricsOf(Work.class).meanNanos()).isZero();
    }

    @Test
    void oneActorCountsWhatItHandledAndWhatWaits() {
        World world = World.ofSeed(1);
        ActorRef<Work> worker = world.spawn(WORKER, "worker");
        for (int i = 0; i < 3; i++) {
            worker.tell(new Work("any"));
        }
        assertThat(world.system.metrics(worker).orElseThrow().waiting()).isEqualTo(3);
        world.run();
        ActorMetrics.OfActor now = world.system.metrics(worker).orElseThrow();
        assertThat(now.path()).isEqualTo(worker.path());
        assertThat(now.messages()).isEqualTo(3);
        assertThat(now.waiting()).isZero();
        world.system.stop(worker);
        world.run();
        assertThat(world.system.metrics(worker)).isEmpty();
        assertThat(world.system.metrics(world.system.deadLetters())).isEmpty();
    }

    @Test
    void anActorThatFailsBeforeItBeginsIsCountedToo() {
        World world = World.ofSeed(1);
        world.spawn(Behaviors.<Work>setup(ctx -> {
            throw new IllegalStateException("on purpose");
        }));
        world.run();
        assertThat(world.system.metrics().types())
                .filteredOn(row -> row.type().equals("failed before it began"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.failures()).isEqualTo(1);
                    assertThat(row.alive()).isZero();
                });
    }

    @Test
    void aTypeSaysHowMuchWaitsForItsActors() {
        World world = World.ofSeed(1);
        Behavior<String> reader = Behaviors.receive(String.class, (ctx, message) -> Behaviors.same());
        ActorRef<String> busy = world.spawn(reader);
        ActorRef<String> other = world.spawn(reader);
        for (int i = 0; i < 5; i++) {
            busy.tell("x");
        }
        other.tell("x");
        assertThat(world.metricsOf(String.class).waiting()).isEqualTo(6);
        assertThat(world.metricsOf(String.class).deepest()).isEqualTo(5);
        world.run();
        assertThat(world.metricsOf(String.class).waiting()).isZero();
    }
}
