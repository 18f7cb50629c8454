package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.engine.Letter;
import dev.muster.actor.engine.LocalActorRef;
import dev.muster.actor.engine.Retired;
import dev.muster.actor.engine.Unread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An actor that another one takes over from leaves its state and all that it has not handled, in order. */
class RetireTest {

    private final World world = World.ofSeed(1);
    private final List<Object> handled = new ArrayList<>();
    private final List<Retired> retired = new ArrayList<>();

    private static <M> LocalActorRef<M> local(ActorRef<M> ref) {
        return (LocalActorRef<M>) ref;
    }

    private static List<Object> messages(Retired retired) {
        return retired.rest().stream().map(Letter::message).toList();
    }

    private Retired only() {
        assertThat(retired).hasSize(1);
        return retired.get(0);
    }

    private Behavior<Object> collecting() {
        return Behaviors.receive(Object.class)
                .on(Object.class, (ctx, message) -> {
                    handled.add(message);
                    return message.equals("stop") ? Behaviors.stopped() : Behaviors.same();
                })
                .onSignal(HandingOver.class, (ctx, handingOver) -> {
                    handingOver.state(List.copyOf(handled));
                    return Behaviors.same();
                })
                .onSignal(PostStop.class, (ctx, stopped) -> {
                    handled.add("PostStop");
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void itGivesItsStateAndWhatItHasNotHandledAndStops() {
        Probe<Object> probe = world.probe();
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        probe.watch(actor);
        actor.tell("a");
        world.run();
        actor.tell("b");
        actor.tell("c");
        actor.retire(true, retired::add);
        world.run();

        assertThat(only().state()).contains(List.of("a"));
        assertThat(messages(only())).containsExactly("b", "c");
        assertThat(only().failure()).isEmpty();
        assertThat(handled).containsExactly("a", "PostStop");
        assertThat(probe.heard(Terminated.class)).extracting(Terminated::ref).containsExactly(actor);
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isZero();
    }

    @Test
    void whoeverDoesNotWantTheStateDoesNotAskForIt() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        actor.retire(false, retired::add);
        world.run();
        assertThat(only().state()).isEmpty();
    }

    @Test
    void aBehaviorThatDoesNotKnowTheSignalGivesNoState() {
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.ignore()));
        actor.retire(true, retired::add);
        world.run();
        assertThat(only().state()).isEmpty();
        assertThat(only().failure()).isEmpty();
    }

    @Test
    void questionsGoOnWithThoseWhoWaitForTheirAnswers() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        CompletableFuture<String> answer = actor.ask("a", String.class);
        actor.retire(false, retired::add);
        world.run();
        assertThat(answer).isNotDone();

        ActorRef<Object> next = world.spawn(Behaviors.receive(Object.class, (ctx, message) -> {
            ctx.reply("the next one handled " + message);
            return Behaviors.same();
        }));
        only().rest().forEach(letter -> next.tell(letter.message(), letter.replyTo()));
        world.run();
        assertThat(answer).isCompletedWithValue("the next one handled a");
    }

    @Test
    void whatWasStashedComesFirstAndWhatIsStillBytesKeepsItsPlace() {
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.<Object>withStash(
                10,
                stash -> Behaviors.receive(Object.class, (ctx, message) -> {
                    stash.stash(message);
                    return Behaviors.same();
                }))));
        Probe<Object> probe = world.probe();
        actor.tell("a", probe.ref());
        assertThat(actor.tellUnread(() -> "b", probe.ref())).isTrue();
        world.run();
        actor.tell("c");
        assertThat(actor.tellUnread(() -> "d", probe.ref())).isTrue();
        assertThat(actor.tellUnread(() -> null, null)).isTrue();
        assertThat(actor.tellUnread(
                        () -> {
                            throw new IllegalStateException("breaks its reader");
                        },
                        null))
                .isTrue();
        actor.tell("e");
        actor.retire(true, retired::add);
        world.run();

        assertThat(only().rest())
                .containsExactly(
                        new Letter("a", probe.ref()),
                        new Letter("b", probe.ref()),
                        new Letter("c", null),
                        new Letter("d", probe.ref()),
                        new Letter("e", null));
    }

    @Test
    void whatAllHaveGotKeepsThatMarkAlsoIfItWasPutAsideTwice() {
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.<Object>withStash(
                10,
                stash -> Behaviors.receive(Object.class, (ctx, message) -> {
                    if (message.equals("again")) {
                        return stash.unstashAll(Behaviors.same());
                    }
                    stash.stash(message);
                    return Behaviors.same();
                }))));
        assertThat(actor.tellUnread(Unread.forAll(() -> "a"), null)).isTrue();
        actor.tell("b");
        actor.tell("again");
        world.run();
        actor.tell("c");
        assertThat(actor.tellUnread(Unread.forAll(() -> "d"), null)).isTrue();
        actor.retire(true, retired::add);
        world.run();

        assertThat(only().rest())
                .containsExactly(
                        new Letter("a", null, true),
                        new Letter("b", null),
                        new Letter("c", null),
                        new Letter("d", null, true));
    }

    @Test
    void messagesOfSeveralStashesAndThoseThatCameBackAreInTheOrderInWhichTheyCame() {
        ActorRef<String> actor = world.spawn(Behaviors.<String>withStash(
                10,
                odd -> Behaviors.withStash(
                        10,
                        even -> Behaviors.receive(String.class, (ctx, message) -> {
                            if (message.equals("give back the odd ones")) {
                                local(ctx.self()).retire(true, retired::add);
                                return odd.unstashAll(Behaviors.same());
                            }
                            (Integer.parseInt(message) % 2 == 0 ? even : odd).stash(message);
                            return Behaviors.same();
                        }))));
        for (String message : List.of("1", "2", "3", "4", "give back the odd ones", "5")) {
            actor.tell(message);
        }
        world.run();
        assertThat(messages(only())).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void oneThatIsStashedAgainKeepsItsPlace() {
        LocalActorRef<String> actor = local(world.spawn(Behaviors.<String>withStash(
                10,
                one -> Behaviors.withStash(
                        10,
                        other -> Behaviors.receive(String.class, (ctx, message) -> {
                            if (message.equals("back")) {
                                return one.unstashAll(Behaviors.same());
                            }
                            (message.equals("1") && other.isEmpty() ? one : other).stash(message);
                            return Behaviors.same();
                        })))));
        for (String message : List.of("1", "2", "back", "3")) {
            actor.tell(message);
        }
        world.run();
        // The second stash now has 2, 1, 3, in this order of stashing.
        actor.retire(false, retired::add);
        world.run();
        assertThat(messages(only())).containsExactly("1", "2", "3");
    }

    @Test
    void theMessageBeingHandledIsTheLastOneAlsoInATurnOfMany() {
        Behavior<String> retiring = Behaviors.receive(String.class, (ctx, message) -> {
            handled.add(message);
            if (message.equals("c")) {
                local(ctx.self()).retire(false, retired::add);
                ctx.self().tell("f");
            }
            return Behaviors.same();
        });
        try (ActorSystem system = RealSystems.ofThreads("many", 1)) {
            // Held until all are there, so that they are read in one turn.
            LocalActorRef<String> actor = local(system.spawn(retiring, "actor"));
            actor.hold();
            for (String message : List.of("a", "b", "c", "d", "e")) {
                actor.tell(message);
            }
            actor.release();
            RealSystems.await(actor::hasEnded);
        }
        assertThat(handled).containsExactly("a", "b", "c");
        assertThat(messages(only())).containsExactly("d", "e", "f");
    }

    @Test
    void whenTheHandlerFailsTheRestIsGivenAllTheSame() {
        IllegalStateException failure = new IllegalStateException("cannot hand over");
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.supervise(Behaviors.receive(Object.class)
                        .on(Object.class, (ctx, message) -> Behaviors.same())
                        .onSignal(HandingOver.class, (ctx, handingOver) -> {
                            handingOver.state("half of it");
                            throw failure;
                        })
                        .build())
                .onFailure(Supervision.restart())));
        world.run();
        actor.tell("a");
        actor.retire(true, retired::add);
        try (LogLines log = LogLines.ofSystem(world.system)) {
            world.run();
            assertThat(log.events())
                    .anySatisfy(event -> assertThat(event.getFormattedMessage()).contains("HandingOver"));
        }
        assertThat(only().failure()).containsSame(failure);
        assertThat(only().state()).isEmpty();
        assertThat(only().rest()).isEmpty();
        assertThat(actor.hasEnded()).isFalse();
    }

    @Test
    void whoseStateIsNotTakenGoesOnAndCanBeAskedAgain() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        actor.tell("a");
        world.run();
        IllegalStateException refusal = new IllegalStateException("too large");
        actor.retire(
                state -> {
                    throw refusal;
                },
                retired::add);
        actor.tell("b");
        world.run();
        assertThat(only().failure()).containsSame(refusal);
        assertThat(handled).containsExactly("a", "b");

        retired.clear();
        actor.retire(true, retired::add);
        world.run();
        assertThat(only().state()).contains(List.of("a", "b"));
    }

    @Test
    void theStateIsTakenOnceAndOnlyWhileTheSignalIsHandled() {
        List<HandingOver> kept = new ArrayList<>();
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.receive(Object.class)
                .on(Object.class, (ctx, message) -> Behaviors.same())
                .onSignal(HandingOver.class, (ctx, handingOver) -> {
                    kept.add(handingOver);
                    assertThatThrownBy(() -> handingOver.state(null)).isInstanceOf(NullPointerException.class);
                    handingOver.state("state");
                    assertThatThrownBy(() -> handingOver.state("another"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("given already");
                    return Behaviors.same();
                })
                .build()));
        actor.retire(true, retired::add);
        world.run();
        assertThat(only().state()).contains("state");
        assertThatThrownBy(() -> kept.get(0).state("late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("too late");
    }

    @Test
    void itDoesNotWaitForChildrenButTheyEndFirstAndWhatComesMeanwhileIsADeadLetter() {
        List<Object> seenWhenRetired = new ArrayList<>();
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.<Object>setup(ctx -> {
            ActorRef<Object> child = ctx.spawn(Behaviors.receive(Object.class)
                    .on(Object.class, (c, message) -> Behaviors.same())
                    .onSignal(PostStop.class, (c, stopped) -> {
                        handled.add("child ended");
                        return Behaviors.same();
                    })
                    .build());
            child.tell("so that it has begun");
            return collecting();
        })));
        world.run();
        actor.retire(true, leaves -> {
            retired.add(leaves);
            seenWhenRetired.addAll(handled);
            actor.tell("late");
        });
        world.run();

        assertThat(seenWhenRetired).isEmpty();
        assertThat(handled).containsExactly("child ended", "PostStop");
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
        assertThat(only().rest()).isEmpty();
    }

    @Test
    void timersAndResultsOfFuturesAreForgottenAndWhatCameByAnAdapterIsADeadLetter() {
        CompletableFuture<String> future = new CompletableFuture<>();
        List<ActorRef<Integer>> adapters = new ArrayList<>();
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.<Object>withTimers(timers -> Behaviors.setup(ctx -> {
            timers.startSingle("timer", Duration.ofSeconds(1));
            timers.startWithFixedDelay("key", "tick", Duration.ofSeconds(1));
            ctx.pipeToSelf(future, (value, failure) -> value);
            ctx.setReceiveTimeout(Duration.ofSeconds(1), "quiet");
            adapters.add(ctx.adapt(Integer.class, number -> "number " + number));
            return collecting();
        }))));
        world.run();
        actor.hold();
        world.pass(Duration.ofSeconds(2));
        future.complete("result");
        adapters.get(0).tell(7);
        actor.tell("a");
        actor.retire(true, retired::add);
        world.pass(Duration.ofSeconds(5));

        assertThat(messages(only())).containsExactly("a");
        assertThat(handled).containsExactly("PostStop");
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void whileItWaitsForItsRestartItGivesWhatWaits() {
        LocalActorRef<String> actor = local(world.spawn(Behaviors.supervise(Behaviors.<String>withStash(
                        10,
                        stash -> Behaviors.receive(String.class, (ctx, message) -> {
                            handled.add(message);
                            if (message.equals("fail")) {
                                throw new IllegalStateException("fails");
                            }
                            stash.stash(message);
                            return Behaviors.same();
                        })))
                .onFailure(Supervision.restartWithBackoff(Duration.ofSeconds(10), Duration.ofSeconds(10), 0))));
        actor.tell("a");
        actor.tell("fail");
        actor.tell("b");
        world.run();
        actor.retire(true, retired::add);
        world.run();
        assertThat(messages(only())).containsExactly("a", "b");
        assertThat(actor.hasEnded()).isTrue();
        world.pass(Duration.ofMinutes(1));
        assertThat(handled).containsExactly("a", "fail");
    }

    @Test
    void oneThatHasEndedHasNothingToGive() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        actor.tell("stop");
        world.run();
        actor.retire(true, retired::add);
        assertThat(messages(only())).isEmpty();
        assertThat(only().state()).isEmpty();
    }

    @Test
    void whoeverAsksAfterAStopIsAnsweredToo() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        world.system.stop(actor);
        actor.retire(true, retired::add);
        actor.retire(true, retired::add);
        world.run();
        assertThat(retired).hasSize(2);
    }

    @Test
    void oneThatStopsAndWaitsForItsChildrenGivesItsRestButNoState() {
        LocalActorRef<Object> actor = local(world.spawn(Behaviors.<Object>setup(ctx -> {
            ctx.spawn(Behaviors.ignore());
            return collecting();
        })));
        world.run();
        world.system.stop(actor);
        actor.tell("a");
        actor.retire(true, retired::add);
        world.run();
        assertThat(only().state()).isEmpty();
        assertThat(messages(only())).containsExactly("a");
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isZero();
    }

    @Test
    void whoeverIsAnsweredMayFailAndTheActorStopsAllTheSame() {
        LocalActorRef<Object> actor = local(world.spawn(collecting()));
        actor.retire(true, leaves -> {
            throw new IllegalStateException("does not want it");
        });
        try (LogLines log = LogLines.ofSystem(world.system)) {
            world.run();
            assertThat(log.events()).hasSize(1);
        }
        assertThat(actor.hasEnded()).isTrue();
    }

    @Test
    void inEveryOrderOfFailuresStopsAndSendersEachMessageHasOneFate() {
        World.forSeeds(300, w -> {
            handled.clear();
            retired.clear();
            Probe<DeadLetter> dead = w.events(DeadLetter.class);
            LocalActorRef<Object> actor = local(w.spawn(failingAtTimes()));
            List<ActorRef<String>> senders = new ArrayList<>();
            for (int s = 0; s < 3; s++) {
                senders.add(w.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                    actor.tell(message);
                    return Behaviors.same();
                })));
            }
            ActorRef<String> retiring = w.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                actor.retire(true, retired::add);
                return Behaviors.same();
            }));
            for (int i = 0; i < 24; i++) {
                senders.get(i % 3).tell("" + i);
                if (i == 12) {
                    retiring.tell("now");
                }
            }
            w.pass(Duration.ofSeconds(1));

            assertThat(retired).hasSize(1);
            List<Object> all = new ArrayList<>(handled);
            all.addAll(messages(retired.get(0)));
            dead.heard(DeadLetter.class).forEach(letter -> all.add(letter.message()));
            assertThat(all).hasSize(24).doesNotHaveDuplicates();
            for (int s = 0; s < 3; s++) {
                int sender = s;
                assertThat(all.stream().map(it -> Integer.parseInt((String) it)).filter(it -> it % 3 == sender))
                        .as("handled, then the rest, then dead letters of one sender")
                        .isSorted();
            }
        });
    }

    /** Fails now and then, begins anew at once or later, and one in many times stops by a failure. */
    private Behavior<Object> failingAtTimes() {
        return Behaviors.supervise(Behaviors.supervise(Behaviors.<Object>setup(ctx -> {
                            ctx.spawn(Behaviors.ignore());
                            return Behaviors.receive(Object.class, (c, message) -> {
                                handled.add(message);
                                int number = Integer.parseInt((String) message);
                                if (number % 5 == 4) {
                                    throw new IllegalStateException("restarts");
                                }
                                if (number == 17) {
                                    throw new UnsupportedOperationException("stops");
                                }
                                return Behaviors.same();
                            });
                        }))
                        .onFailure(
                                IllegalStateException.class,
                                Supervision.restartWithBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0)))
                .onFailure(UnsupportedOperationException.class, Supervision.stop());
    }
}
