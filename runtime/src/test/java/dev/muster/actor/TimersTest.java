package dev.muster.actor;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An actor's timers are its own: they end with it, and a cancelled one is never heard of again. */
class TimersTest {

    private final List<Long> heardAtMillis = new ArrayList<>();
    private final World world = World.ofSeed(1);

    private Behavior<String> hearing() {
        return Behaviors.receive(String.class, (ctx, message) -> {
            heardAtMillis.add(world.environment.elapsed().toMillis());
            return Behaviors.same();
        });
    }

    @Test
    void aSingleTimerFiresOnceAndNotEarly() {
        world.spawn(Behaviors.<String>withTimers(timers -> {
            timers.startSingle("now", ofSeconds(2));
            assertThat(timers.isActive("now")).isTrue();
            return hearing();
        }));
        world.pass(ofMillis(1999));
        assertThat(heardAtMillis).isEmpty();
        world.pass(ofSeconds(10));
        assertThat(heardAtMillis).containsExactly(2000L);
    }

    @Test
    void fixedDelayRepeatsUntilTheActorStops() {
        ActorRef<String> actor = world.spawn(Behaviors.withTimers(timers -> {
            timers.startWithFixedDelay("tick", "tick", ofSeconds(1));
            return hearing();
        }));
        world.pass(ofMillis(3500));
        world.system.stop(actor);
        world.pass(ofSeconds(10));
        assertThat(heardAtMillis).containsExactly(1000L, 2000L, 3000L);
        assertThat(world.system.metrics().deadLetters().values()).containsOnly(0L);
    }

    @Test
    void fixedRateKeepsTheBeat() {
        world.spawn(Behaviors.<String>withTimers(timers -> {
            timers.startAtFixedRate("tick", "tick", ofMillis(250));
            return hearing();
        }));
        world.pass(ofSeconds(1));
        assertThat(heardAtMillis).containsExactly(250L, 500L, 750L, 1000L);
    }

    @Test
    void aTimerOfTheSameKeyIsReplaced() {
        List<String> heard = new ArrayList<>();
        world.spawn(Behaviors.<String>withTimers(timers -> {
            timers.startSingle("key", "old", ofSeconds(1));
            timers.startSingle("key", "new", ofSeconds(2));
            return Behaviors.receive(String.class, (ctx, message) -> {
                heard.add(message);
                return Behaviors.same();
            });
        }));
        world.pass(ofSeconds(5));
        assertThat(heard).containsExactly("new");
    }

    @Test
    void aCancelledTimerIsNeverHeardOfEvenWhenItsMessageWasWaiting() {
        World.forSeeds(100, w -> {
            List<String> heard = new ArrayList<>();
            ActorRef<String> actor = w.spawn(Behaviors.withTimers(timers -> {
                timers.startSingle("tick", ofSeconds(1));
                return Behaviors.receive(String.class, (ctx, message) -> {
                    if (message.equals("cancel")) {
                        timers.cancel("tick");
                        assertThat(timers.isActive("tick")).isFalse();
                    }
                    heard.add(message);
                    return Behaviors.same();
                });
            }));
            w.system.scheduleOnce(ofSeconds(1), actor, "cancel");
            w.pass(ofSeconds(5));
            assertThat(heard).doesNotContainSequence("cancel", "tick");
        });
    }

    @Test
    void cancelAllEndsThemAll() {
        ActorRef<String> actor = world.spawn(Behaviors.withTimers(timers -> {
            for (int i = 0; i < 10; i++) {
                timers.startWithFixedDelay(i, "tick", ofSeconds(1));
            }
            return Behaviors.receive(String.class, (ctx, message) -> {
                if (message.equals("cancel")) {
                    timers.cancelAll();
                } else {
                    heardAtMillis.add(0L);
                }
                return Behaviors.same();
            });
        }));
        world.pass(ofSeconds(1));
        actor.tell("cancel");
        world.pass(ofSeconds(10));
        assertThat(heardAtMillis).hasSize(10);
    }

    @Test
    void aReceiveTimeoutComesAfterSilenceAgainAndAgainUntilCancelled() {
        List<String> heard = new ArrayList<>();
        ActorRef<String> actor = world.spawn(Behaviors.setup(ctx -> {
            ctx.setReceiveTimeout(ofSeconds(10), "quiet");
            return Behaviors.receive(String.class, (c, message) -> {
                heard.add(message + " at " + world.environment.elapsed().toSeconds());
                if (message.equals("cancel")) {
                    ctx.cancelReceiveTimeout();
                }
                return Behaviors.same();
            });
        }));
        world.pass(ofSeconds(8));
        actor.tell("noise");
        world.pass(ofSeconds(21));
        actor.tell("cancel");
        world.pass(ofSeconds(60));
        assertThat(heard).containsExactly("noise at 8", "quiet at 18", "quiet at 28", "cancel at 29");
    }

    @Test
    void theSystemSendsLaterUnlessCalledOff() {
        Probe<String> probe = world.probe();
        world.system.scheduleOnce(ofSeconds(1), probe.ref(), "kept");
        Cancellable calledOff = world.system.scheduleOnce(ofSeconds(1), probe.ref(), "called off");
        assertThat(calledOff.cancel()).isTrue();
        assertThat(calledOff.cancel()).isFalse();
        world.pass(ofSeconds(2));
        assertThat(probe.heard()).containsExactly("kept");
    }

    @Test
    void aRepeatedSendEndsWhenItIsCancelledOrItsTargetStops() {
        Probe<String> one = world.probe();
        Probe<String> two = world.probe();
        Cancellable repeated = world.system.scheduleWithFixedDelay(Duration.ZERO, ofSeconds(1), one.ref(), "x");
        world.system.scheduleWithFixedDelay(ofSeconds(1), ofSeconds(1), two.ref(), "y");
        world.pass(ofMillis(2500));
        assertThat(repeated.cancel()).isTrue();
        world.system.stop(two.ref());
        world.pass(ofSeconds(20));
        assertThat(one.heard()).containsExactly("x", "x", "x");
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void aRepeatedSendToAnAdapterEndsWithItsActorToo() {
        List<ActorRef<Integer>> adapters = new ArrayList<>();
        ActorRef<String> actor = world.spawn(Behaviors.setup(ctx -> {
            adapters.add(ctx.adapt(Integer.class, String::valueOf));
            return hearing();
        }));
        world.run();
        world.system.scheduleWithFixedDelay(ofSeconds(1), ofSeconds(1), adapters.get(0), 1);
        world.pass(ofMillis(2500));
        world.system.stop(actor);
        world.pass(ofSeconds(60));
        assertThat(heardAtMillis).hasSize(2);
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void intervalsMustBePositive() {
        world.spawn(Behaviors.<String>withTimers(timers -> {
            assertThatThrownBy(() -> timers.startWithFixedDelay("k", "m", Duration.ZERO))
                    .hasMessageContaining("PT0S");
            assertThatThrownBy(() -> timers.startAtFixedRate("k", "m", ofSeconds(-1)))
                    .hasMessageContaining("PT-1S");
            heardAtMillis.add(0L);
            return hearing();
        }));
        world.run();
        assertThat(heardAtMillis).hasSize(1);
    }
}
