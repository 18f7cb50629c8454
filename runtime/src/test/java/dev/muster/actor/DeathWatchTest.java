package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whoever watches hears of the end exactly once, after the last word of the dead. */
class DeathWatchTest {

    private static final Behavior<String> STOPPABLE = Behaviors.receive(
            String.class, (ctx, message) -> message.equals("stop") ? Behaviors.stopped() : Behaviors.same());

    @Test
    void theWatcherIsToldExactlyOnce() {
        World.forSeeds(50, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            Probe<Object> probe = world.probe();
            probe.watch(mortal);
            probe.watch(mortal);
            mortal.tell("stop");
            world.run();
            assertThat(probe.heard())
                    .singleElement()
                    .satisfies(signal -> assertThat(((Terminated) signal).ref()).isEqualTo(mortal));
        });
    }

    @Test
    void watchingTheDeadIsAnsweredAtOnce() {
        World.forSeeds(10, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            mortal.tell("stop");
            world.run();
            Probe<Object> probe = world.probe();
            probe.watch(mortal);
            world.run();
            assertThat(probe.heard(Terminated.class)).hasSize(1);
        });
    }

    @Test
    void watchingRacesWithTheEndAndStillHearsOfItOnce() {
        World.forSeeds(200, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            List<Probe<Object>> probes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Probe<Object> probe = world.probe();
                probes.add(probe);
                probe.watch(mortal);
                if (i == 2) {
                    world.system.stop(mortal);
                }
            }
            world.run();
            assertThat(probes)
                    .allSatisfy(
                            probe -> assertThat(probe.heard(Terminated.class)).hasSize(1));
        });
    }

    @Test
    void itComesAfterEveryMessageOfTheDead() {
        World.forSeeds(100, world -> {
            Probe<Object> probe = world.probe();
            ActorRef<String> talker = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                IntStream.range(0, 5).forEach(probe.ref()::tell);
                return Behaviors.stopped();
            }));
            probe.watch(talker);
            world.run();
            talker.tell("talk, then die");
            world.run();
            assertThat(probe.heard().subList(0, 5)).containsExactly(0, 1, 2, 3, 4);
            assertThat(probe.heard()).hasSize(6).last().isInstanceOf(Terminated.class);
        });
    }

    @Test
    void noneComesAfterUnwatchNotEvenOneOnItsWay() {
        World.forSeeds(200, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            List<String> heard = new ArrayList<>();
            boolean[] hasUnwatched = {false};
            ActorRef<String> watcher = world.spawn(Behaviors.setup(ctx -> {
                ctx.watch(mortal);
                return Behaviors.receive(String.class)
                        .on(String.class, (c, message) -> {
                            ctx.unwatch(mortal);
                            hasUnwatched[0] = true;
                            return Behaviors.same();
                        })
                        .onSignal(Terminated.class, (c, terminated) -> {
                            heard.add(hasUnwatched[0] ? "after" : "before");
                            return Behaviors.same();
                        })
                        .build();
            }));
            watcher.tell("unwatch");
            mortal.tell("stop");
            world.run();
            assertThat(heard).doesNotContain("after");
        });
    }

    @Test
    void watchingAgainAfterUnwatchIsHeardOnce() {
        World.forSeeds(200, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            Probe<Object> probe = world.probe();
            probe.watch(mortal);
            probe.unwatch(mortal);
            probe.watch(mortal);
            mortal.tell("stop");
            world.run();
            assertThat(probe.heard(Terminated.class)).hasSize(1);
        });
    }

    @Test
    void aMessageOfOnesOwnMayComeInstead() {
        World.forSeeds(20, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            List<String> heard = new ArrayList<>();
            world.spawn(Behaviors.<String>setup(ctx -> {
                ctx.watchWith(mortal, "it is gone");
                return Behaviors.receive(String.class, (c, message) -> {
                    heard.add(message);
                    return Behaviors.same();
                });
            }));
            world.run();
            mortal.tell("stop");
            world.run();
            assertThat(heard).containsExactly("it is gone");
        });
    }

    @Test
    void whoWatchesAndDoesNotCareStopsToo() {
        World.forSeeds(20, world -> {
            ActorRef<String> mortal = world.spawn(STOPPABLE);
            ActorRef<String> careless = world.spawn(Behaviors.setup(ctx -> {
                ctx.watch(mortal);
                return STOPPABLE;
            }));
            Probe<Object> probe = world.probe();
            probe.watch(careless);
            mortal.tell("stop");
            world.run();
            assertThat(probe.heard(Terminated.class)).hasSize(1);
            assertThat(world.metricsOf(String.class).failures()).isEqualTo(1);
        });
    }

    @Test
    void aFullMailboxStillHearsOfADeath() {
        World world = World.ofSeed(1);
        List<Object> heard = new ArrayList<>();
        ActorRef<String> mortal = world.spawn(STOPPABLE);
        ActorRef<String> watcher = world.system.spawn(
                Behaviors.setup(ctx -> {
                    ctx.watch(mortal);
                    return Behaviors.receive(String.class)
                            .on(String.class, (c, message) -> Behaviors.same())
                            .onSignal(Terminated.class, (c, terminated) -> {
                                heard.add(terminated);
                                return Behaviors.same();
                            })
                            .build();
                }),
                "full",
                SpawnOptions.defaults().withMailboxCapacity(1));
        world.run();
        watcher.tell("fills it");
        mortal.tell("stop");
        world.run();
        assertThat(heard).hasSize(1);
    }

    @Test
    void twoMayWatchEachOtherAndDieTogether() {
        World.forSeeds(50, world -> {
            Probe<Object> probe = world.probe();
            ActorRef<Object> one = world.spawn(pair());
            ActorRef<Object> two = world.spawn(pair());
            one.tell(two);
            two.tell(one);
            probe.watch(one);
            probe.watch(two);
            world.run();
            world.system.stop(one);
            world.system.stop(two);
            world.run();
            assertThat(probe.heard(Terminated.class))
                    .extracting(t -> (Object) t.ref())
                    .containsExactlyInAnyOrder(one, two);
        });
    }

    private static Behavior<Object> pair() {
        return Behaviors.receive(Object.class)
                .on(ActorRef.class, (ctx, other) -> {
                    ctx.watch(other);
                    return Behaviors.same();
                })
                .onSignal(Terminated.class, (ctx, terminated) -> Behaviors.same())
                .build();
    }

    @Test
    void onlyOtherActorsCanBeWatched() {
        World world = World.ofSeed(1);
        world.spawn(Behaviors.<String>setup(ctx -> {
            assertThatThrownBy(() -> ctx.watch(ctx.self())).hasMessageContaining("itself");
            assertThatThrownBy(() -> ctx.watch(ctx.system().deadLetters())).hasMessageContaining("only actors");
            return Behaviors.ignore();
        }));
        world.run();
        assertThat(world.system.metrics().types())
                .allSatisfy(row -> assertThat(row.failures()).isZero());
    }

    @Test
    void watchersThatEndAreForgottenByWhomTheyWatched() {
        World.forSeeds(20, world -> {
            ActorRef<String> longLived = world.spawn(STOPPABLE);
            for (int i = 0; i < 20; i++) {
                Probe<Object> probe = world.probe();
                probe.watch(longLived);
                world.run();
                world.system.stop(probe.ref());
                world.run();
            }
            long before = world.environment.steps();
            longLived.tell("stop");
            world.run();
            assertThat(world.environment.steps() - before).isLessThan(6);
        });
    }
}
