package dev.muster.actor;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A failing actor is answered for by the rules around it, and harms nobody beside its own subtree. */
class SupervisionTest {

    private final List<String> notes = new ArrayList<>();

    /** Notes what it hears; "fail" makes it fail, "stop" makes it stop. */
    private Behavior<String> noting(String name) {
        return Behaviors.setup(ctx -> {
            notes.add(name + " begins");
            return Behaviors.receive(String.class)
                    .on(String.class, (c, message) -> {
                        notes.add(name + " " + message);
                        if (message.equals("fail")) {
                            throw new IllegalStateException(name);
                        }
                        return message.equals("stop") ? Behaviors.stopped() : Behaviors.same();
                    })
                    .onSignal(PostStop.class, (c, s) -> note(name + " post-stop"))
                    .onSignal(PreRestart.class, (c, s) -> note(name + " pre-restart"))
                    .build();
        });
    }

    private Behavior<String> note(String text) {
        notes.add(text);
        return Behaviors.same();
    }

    private static <M> Behavior<M> supervised(Behavior<M> behavior, Supervision rule) {
        return Behaviors.supervise(behavior).onFailure(rule);
    }

    private void tellAll(ActorRef<String> actor, String... messages) {
        for (String message : messages) {
            actor.tell(message);
        }
    }

    private void inManyWorlds(java.util.function.Consumer<World> story) {
        World.forSeeds(25, world -> {
            notes.clear();
            story.accept(world);
        });
    }

    @Test
    void withoutARuleAFailedActorStopsAndItsNeighboursGoOn() {
        inManyWorlds(world -> {
            ActorRef<String> bad = world.spawn(noting("bad"));
            ActorRef<String> good = world.spawn(noting("good"));
            tellAll(bad, "fail", "after");
            tellAll(good, "a", "b");
            world.run();
            assertThat(notes).containsSubsequence("bad begins", "bad fail", "bad post-stop");
            assertThat(notes).contains("good a", "good b").doesNotContain("bad after", "good post-stop");
            assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
        });
    }

    @Test
    void resumeDropsTheMessageAndKeepsTheState() {
        inManyWorlds(world -> {
            tellAll(world.spawn(supervised(noting("x"), Supervision.resume())), "a", "fail", "b");
            world.run();
            assertThat(notes).containsExactly("x begins", "x a", "x fail", "x b");
        });
    }

    @Test
    void restartBeginsAnewAndKeepsTheMailbox() {
        inManyWorlds(world -> {
            tellAll(world.spawn(supervised(noting("x"), Supervision.restart())), "a", "fail", "b");
            world.run();
            assertThat(notes).containsExactly("x begins", "x a", "x fail", "x pre-restart", "x begins", "x b");
            assertThat(world.metricsOf(String.class).restarts()).isEqualTo(1);
        });
    }

    @Test
    void moreRestartsThanTheLimitStopTheActor() {
        inManyWorlds(world -> {
            Supervision rule = Supervision.restart().withLimit(2, ofSeconds(10));
            ActorRef<String> actor = world.spawn(supervised(noting("x"), rule));
            tellAll(actor, "fail", "fail", "fail", "after");
            world.run();
            assertThat(notes).filteredOn("x begins"::equals).hasSize(3);
            assertThat(notes).endsWith("x post-stop").doesNotContain("x after");
        });
    }

    @Test
    void restartsOutsideTheWindowDoNotCount() {
        inManyWorlds(world -> {
            Supervision rule = Supervision.restart().withLimit(1, ofSeconds(10));
            ActorRef<String> actor = world.spawn(supervised(noting("x"), rule));
            for (int i = 0; i < 5; i++) {
                actor.tell("fail");
                world.pass(ofSeconds(11));
            }
            actor.tell("alive");
            world.run();
            assertThat(notes).endsWith("x alive");
        });
    }

    @Test
    void backoffWaitsLongerAfterEachFailureInARowAndMessagesWaitMeanwhile() {
        inManyWorlds(world -> {
            Supervision rule = Supervision.restartWithBackoff(ofSeconds(1), ofSeconds(4), 0);
            ActorRef<String> actor = world.spawn(supervised(noting("x"), rule));
            tellAll(actor, "fail", "fail", "fail", "fail", "b");
            List<Long> begins = new ArrayList<>();
            int seen = 0;
            while (world.environment.runUntil(() -> begins(notes) > begins.size(), ofSeconds(100))) {
                begins.add(world.environment.elapsed().toSeconds());
                assertThat(++seen).isLessThan(10);
            }
            assertThat(begins).containsExactly(0L, 1L, 3L, 7L, 11L);
            assertThat(notes).endsWith("x b");
        });
    }

    private static int begins(List<String> notes) {
        return (int) notes.stream().filter("x begins"::equals).count();
    }

    @Test
    void backoffIsLengthenedByAtMostTheRandomFactorAndForgottenAfterAGoodLife() {
        inManyWorlds(world -> {
            Supervision rule = Supervision.restartWithBackoff(ofSeconds(1), ofSeconds(2), 0.5);
            ActorRef<String> actor = world.spawn(supervised(noting("x"), rule));
            for (int i = 1; i <= 3; i++) {
                int wanted = i + 1;
                actor.tell("fail");
                world.pass(ofMillis(999));
                assertThat(begins(notes)).isEqualTo(i);
                assertThat(world.environment.runUntil(() -> begins(notes) == wanted, ofMillis(502)))
                        .isTrue();
                world.pass(ofSeconds(20));
            }
        });
    }

    @Test
    void stoppingDuringTheBackoffEndsItForGood() {
        inManyWorlds(world -> {
            Supervision rule = Supervision.restartWithBackoff(ofSeconds(1), ofSeconds(4), 0);
            ActorRef<String> actor = world.spawn(supervised(noting("x"), rule));
            Probe<Object> probe = world.probe();
            probe.watch(actor);
            tellAll(actor, "fail", "waits");
            world.pass(ofMillis(500));
            world.system.stop(actor);
            world.run();
            assertThat(probe.heard(Terminated.class)).hasSize(1);
            assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
            world.pass(ofSeconds(10));
            assertThat(notes).containsExactly("x begins", "x fail", "x pre-restart");
        });
    }

    @Test
    void whatWaitsDuringABackoffIsNotLostWhenAFloodHadGrownTheMailbox() {
        List<Object> heard = new ArrayList<>();
        World world = World.ofSeed(7);
        Supervision rule = Supervision.restartWithBackoff(ofSeconds(1), ofSeconds(4), 0);
        ActorRef<Object> actor = world.spawn(supervised(
                Behaviors.receive(Object.class, (ctx, message) -> {
                    if (message.equals("fail")) {
                        throw new IllegalStateException("on purpose");
                    }
                    heard.add(message);
                    return Behaviors.same();
                }),
                rule));
        for (int round = 0; round < 3; round++) {
            IntStream.range(0, 20_000).forEach(actor::tell);
            world.run();
            // While it handles this one, the others go into the mailbox that the flood had grown.
            actor.tell("one");
            assertThat(world.environment.step()).isTrue();
            heard.clear();
            actor.tell("fail");
            IntStream.range(0, 10).forEach(actor::tell);
            world.pass(ofSeconds(30));
            assertThat(heard)
                    .containsExactlyElementsOf(IntStream.range(0, 10).boxed().toList());
        }
    }

    @Test
    void theInnermostRuleThatFitsWins() {
        World world = World.ofSeed(1);
        Behavior<String> inner =
                Behaviors.supervise(noting("x")).onFailure(IllegalArgumentException.class, Supervision.resume());
        tellAll(world.spawn(supervised(inner, Supervision.restart())), "fail", "b");
        world.run();
        assertThat(notes).containsExactly("x begins", "x fail", "x pre-restart", "x begins", "x b");
    }

    @Test
    void aSetupThatFailsIsSupervisedToo() {
        inManyWorlds(world -> {
            int[] attempts = {0};
            ActorRef<String> actor = world.spawn(supervised(
                    Behaviors.setup(ctx -> {
                        if (++attempts[0] < 4) {
                            throw new IllegalStateException("not yet");
                        }
                        return noting("x");
                    }),
                    Supervision.restart()));
            actor.tell("patient");
            world.run();
            assertThat(attempts[0]).isEqualTo(4);
            assertThat(notes).containsExactly("x begins", "x patient");
        });
    }

    @Test
    void anActorThatFailsAtEveryStartDoesNotKeepOthersWaiting() {
        World world = World.ofSeed(1);
        world.spawn(supervised(
                Behaviors.setup(ctx -> {
                    throw new IllegalStateException("never");
                }),
                Supervision.restart()));
        Probe<String> other = world.probe();
        other.ref().tell("hello");
        assertThat(world.environment.runUntil(() -> !other.heard().isEmpty(), ofSeconds(1)))
                .isTrue();
        assertThat(world.environment.elapsed()).isZero();
    }

    @Test
    void restartStopsTheChildrenFirstAndWaitsForThem() {
        inManyWorlds(world -> {
            ActorRef<String> parent = world.spawn(supervised(
                    Behaviors.setup(ctx -> {
                        ctx.spawn(noting("child"), "child");
                        return noting("parent");
                    }),
                    Supervision.restart()));
            parent.tell("fail");
            world.run();
            assertThat(notes.indexOf("child post-stop")).isGreaterThan(notes.indexOf("parent pre-restart"));
            assertThat(notes.subList(notes.indexOf("child post-stop"), notes.size()))
                    .containsExactlyInAnyOrder("child post-stop", "parent begins", "child begins");
        });
    }

    @Test
    void keepingChildrenLetsThemLiveThroughTheRestart() {
        inManyWorlds(world -> {
            ActorRef<String> parent = world.spawn(supervised(
                    Behaviors.setup(ctx -> {
                        Optional<ActorRef<?>> known = ctx.child("child");
                        if (known.isEmpty()) {
                            ctx.spawn(noting("child"), "child");
                        } else {
                            notes.add("found it");
                        }
                        return noting("parent");
                    }),
                    Supervision.restart().keepingChildren()));
            parent.tell("fail");
            world.run();
            assertThat(notes).contains("found it").doesNotContain("child post-stop");
        });
    }

    @Test
    void escalateFailsTheParentWithTheSameCause() {
        inManyWorlds(world -> {
            List<ActorRef<String>> children = new ArrayList<>();
            ActorRef<String> parent = world.spawn(supervised(
                    Behaviors.setup(ctx -> {
                        children.add(ctx.spawn(supervised(noting("child"), Supervision.escalate())));
                        return noting("parent");
                    }),
                    Supervision.restart()));
            world.run();
            children.get(0).tell("fail");
            parent.tell("after");
            world.run();
            assertThat(notes)
                    .containsSubsequence("child fail", "child post-stop", "parent pre-restart", "parent begins")
                    .contains("parent after");
            assertThat(children).hasSize(2);
        });
    }

    @Test
    void escalatingToTheTopStopsOnlyThatBranch() {
        inManyWorlds(world -> {
            ActorRef<String> bad = world.spawn(supervised(noting("bad"), Supervision.escalate()));
            ActorRef<String> good = world.spawn(noting("good"));
            tellAll(bad, "fail");
            world.run();
            good.tell("still here");
            world.run();
            assertThat(notes).contains("bad post-stop", "good still here");
            assertThat(world.spawn(noting("new"), "new")).isNotNull();
        });
    }

    /** The Terminated of a child that escalated belongs to the behavior that failed by it. */
    @Test
    void theNewBehaviorHearsNothingOfTheOldOnesChildren() {
        inManyWorlds(world -> {
            List<ActorRef<String>> children = new ArrayList<>();
            ActorRef<String> parent = world.spawn(supervised(
                    Behaviors.setup(ctx -> {
                        ActorRef<String> child = ctx.spawn(supervised(noting("child"), Supervision.escalate()));
                        ctx.watch(child);
                        children.add(child);
                        return noting("parent");
                    }),
                    Supervision.restart().withLimit(1, ofSeconds(60))));
            world.run();
            children.get(0).tell("fail");
            world.run();
            parent.tell("alive");
            world.run();
            assertThat(notes).contains("parent alive");
            assertThat(world.metricsOf(String.class).restarts()).isEqualTo(1);
        });
    }

    @Test
    void stoppingStopsLeavesFirst() {
        inManyWorlds(world -> {
            ActorRef<String> top = world.spawn(Behaviors.setup(ctx -> {
                ctx.spawn(Behaviors.<String>setup(c -> {
                    c.spawn(noting("leaf"));
                    return noting("middle");
                }));
                return noting("top");
            }));
            world.run();
            world.system.stop(top);
            world.run();
            assertThat(notes).endsWith("leaf post-stop", "middle post-stop", "top post-stop");
        });
    }

    @Test
    void anActorThatIsStoppingCanStartNoChild() {
        inManyWorlds(world -> {
            ActorRef<String> actor = world.spawn(Behaviors.receive(String.class)
                    .on(String.class, (ctx, message) -> Behaviors.stopped())
                    .onSignal(PostStop.class, (ctx, signal) -> {
                        assertThatThrownBy(() -> ctx.spawn(noting("orphan")))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("stopping");
                        return note("refused");
                    })
                    .build());
            actor.tell("stop");
            world.run();
            assertThat(notes).containsExactly("refused");
        });
    }

    @Test
    void aChildTellsItsParentWhyItFailed() {
        inManyWorlds(world -> {
            List<Throwable> causes = new ArrayList<>();
            world.spawn(Behaviors.<String>setup(ctx -> {
                ActorRef<String> child = ctx.spawn(noting("child"));
                ctx.watch(child);
                child.tell("fail");
                return Behaviors.receive(String.class)
                        .on(String.class, (c, message) -> Behaviors.same())
                        .onSignal(Terminated.class, (c, terminated) -> {
                            causes.add(terminated.failure().orElseThrow());
                            return Behaviors.same();
                        })
                        .build();
            }));
            world.run();
            assertThat(causes)
                    .singleElement()
                    .satisfies(cause -> assertThat(cause)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("child"));
        });
    }

    @Test
    void timersOfTheOldBehaviorEndAtTheRestartAndWhatItStashedComesBack() {
        inManyWorlds(world -> {
            int[] lives = {0};
            ActorRef<String> actor = world.spawn(supervised(
                    Behaviors.withTimers(timers -> Behaviors.withStash(10, stash -> {
                        if (lives[0]++ > 0) {
                            return noting("second");
                        }
                        timers.startWithFixedDelay("tick", "tick", ofSeconds(1));
                        return Behaviors.receive(String.class, (ctx, message) -> {
                            if (message.equals("fail")) {
                                throw new IllegalStateException("on purpose");
                            }
                            stash.stash(message);
                            return Behaviors.same();
                        });
                    })),
                    Supervision.restart()));
            tellAll(actor, "a", "b", "fail", "c");
            world.pass(ofSeconds(10));
            assertThat(notes).containsExactly("second begins", "second a", "second b", "second c");
        });
    }

    /** Else a state machine that names its rule at each step would grow with each step. */
    @Test
    void aBehaviorThatBringsItsOwnRuleReplacesTheRulesBefore() {
        for (boolean bySetup : new boolean[] {true, false}) {
            inManyWorlds(world -> {
                Behavior<String> strict = Behaviors.supervise(noting("strict"))
                        .onFailure(IllegalArgumentException.class, Supervision.resume());
                Behavior<String> forgiving = supervised(
                        Behaviors.receive(
                                String.class, (ctx, message) -> bySetup ? Behaviors.setup(c -> strict) : strict),
                        Supervision.resume());
                tellAll(world.spawn(forgiving), "become strict", "fail", "after");
                world.run();
                assertThat(notes).containsExactly("strict begins", "strict fail", "strict post-stop");
            });
        }
    }

    @Test
    void rulesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> Supervision.restartWithBackoff(ofSeconds(2), ofSeconds(1), 0))
                .hasMessageContaining("minimum <= maximum");
        assertThatThrownBy(() -> Supervision.restartWithBackoff(ofSeconds(1), ofSeconds(2), 1.1))
                .hasMessageContaining("1.1");
        assertThatThrownBy(() -> Supervision.restart().withLimit(-1, ofSeconds(1)))
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> Supervision.restart().withLimit(1, Duration.ZERO))
                .hasMessageContaining("PT0S");
    }
}
