package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which errors are one actor's, and which are the whole process's. */
class FatalErrorsTest {

    private static void awaitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Test
    void aStackOverflowOrAClassThatDoesNotLinkIsTheFailureOfOneActor() {
        World.forSeeds(5, world -> {
            for (Error error : List.of(new NoClassDefFoundError("gone"), new AssertionError("wrong"))) {
                ActorRef<String> failing = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                    throw error;
                }));
                failing.tell("x");
            }
            ActorRef<String> deep = world.spawn(Behaviors.receive(String.class, (ctx, message) -> endless(message)));
            deep.tell("x");
            Probe<String> other = world.probe();
            world.run();
            other.ref().tell("fine");
            world.run();
            assertThat(world.metricsOf(String.class).failures()).isEqualTo(3);
            assertThat(world.metricsOf(String.class).stopped()).isEqualTo(3);
            assertThat(other.heard()).containsExactly("fine");
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Behavior<String> endless(String message) {
        return endless(message + message.length());
    }

    @Test
    void aRuleMayNameAnError() {
        World world = World.ofSeed(1);
        Behavior<String> deep = Behaviors.receive(String.class, (ctx, message) -> {
            if (message.equals("deep")) {
                throw new StackOverflowError();
            }
            ctx.reply(message);
            return Behaviors.same();
        });
        ActorRef<String> actor =
                world.spawn(Behaviors.supervise(deep).onFailure(StackOverflowError.class, Supervision.resume()));
        actor.tell("deep");
        CompletableFuture<String> answer = actor.ask("still here", String.class);
        world.run();
        assertThat(answer).isCompletedWithValue("still here");
    }

    @Test
    void anInterruptFailsTheActorAndLeavesNoTraceOnTheThread() throws Exception {
        AtomicReference<Thread> waiting = new AtomicReference<>();
        CountDownLatch isWaiting = new CountDownLatch(1);
        try (ActorSystem system = RealSystems.ofThreads("interrupts", 1)) {
            ActorRef<String> patient = system.spawn(
                    Behaviors.receive(String.class, (ctx, message) -> {
                        waiting.set(Thread.currentThread());
                        isWaiting.countDown();
                        awaitForEver();
                        return Behaviors.same();
                    }),
                    "patient");
            ActorRef<String> next = system.spawn(flagReader(), "next");
            patient.tell("wait");
            assertThat(isWaiting.await(10, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<String> flag = next.ask("flag", String.class);
            waiting.get().interrupt();
            assertThat(flag).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(waiting.get() + " false");
            RealSystems.await(() -> system.lookup("patient").isEmpty());
        }
    }

    /** The usual way to pass an interrupt on must not pass it on to a stranger. */
    @Test
    void norDoesAnInterruptThatIsWrappedWithItsFlagSetAgain() {
        try (ActorSystem system = RealSystems.ofThreads("interrupts", 1)) {
            ActorRef<String> wrapping = system.spawn(
                    Behaviors.receive(String.class, (ctx, message) -> {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException(new InterruptedException());
                    }),
                    "wrapping");
            ActorRef<String> next = system.spawn(flagReader(), "next");
            wrapping.tell("x");
            assertThat(next.ask("flag", String.class))
                    .succeedsWithin(10, TimeUnit.SECONDS)
                    .asString()
                    .endsWith("false");
        }
    }

    private static Behavior<String> flagReader() {
        return Behaviors.receive(String.class, (ctx, message) -> {
            ctx.reply(Thread.currentThread() + " " + Thread.currentThread().isInterrupted());
            return Behaviors.same();
        });
    }

    @Test
    void runningOutOfMemoryEndsTheProcess() throws Exception {
        Outcome outcome = fork(OutOfMemory.class, "-Xmx32m");
        assertThat(outcome.output()).contains("fatal error").contains("OutOfMemoryError");
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(134);
        assertThat(outcome.output()).doesNotContain("still alive");
    }

    @Test
    void anExitOfTheJvmRunsTheShutdownFirst() throws Exception {
        Outcome outcome = fork(Exits.class);
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(3);
        assertThat(outcome.output())
                .contains("task because the JVM exits")
                .contains("actor stopped")
                .contains("hook is gone after an earlier end");
    }

    /** A process whose actor takes all memory, under a rule that would forgive everything. */
    static final class OutOfMemory {
        public static void main(String[] args) throws Exception {
            ActorSystem system = ActorSystem.create("memory");
            Behavior<String> hungry = Behaviors.receive(String.class, (ctx, message) -> {
                Object[] all = {null};
                while (true) {
                    all = new Object[] {all, new long[1 << 20]};
                }
            });
            system.spawn(Behaviors.supervise(hungry).onFailure(Throwable.class, Supervision.resume()), "hungry")
                    .tell("eat");
            TimeUnit.SECONDS.sleep(20);
            System.out.println("still alive");
        }
    }

    /** A process that is told to exit while a system runs. */
    static final class Exits {
        public static void main(String[] args) {
            ActorSystem earlier = ActorSystem.create("earlier");
            earlier.close();
            System.out.println("hook is gone after an earlier end");
            ActorSystem system = ActorSystem.create("exits");
            system.spawn(
                    Behaviors.receive(String.class)
                            .on(String.class, (ctx, message) -> Behaviors.same())
                            .onSignal(PostStop.class, (ctx, signal) -> {
                                System.out.println("actor stopped");
                                return Behaviors.same();
                            })
                            .build(),
                    "actor");
            system.shutdown().addTask(CoordinatedShutdown.Phase.SERVICE_STOP, "says so", () -> {
                System.out.println("task because " + system.shutdown().reason());
                return CompletableFuture.completedFuture(null);
            });
            System.exit(3);
        }
    }

    private record Outcome(int exitCode, String output) {}

    private static Outcome fork(Class<?> main, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath(), main.getName()));
        // Into a file, because reading from a process that hangs would hang as well.
        Path said = Files.createTempFile("muster", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            String output = Files.readString(said);
            assertThat(ended).as(output).isTrue();
            return new Outcome(process.exitValue(), output);
        } finally {
            Files.delete(said);
            process.destroyForcibly();
        }
    }

    /** Of everything the actors need, whether this test runs on a class path or a module path. */
    private static String classPath() throws URISyntaxException {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> known :
                List.of(FatalErrorsTest.class, com.typesafe.config.Config.class, org.slf4j.Logger.class)) {
            places.add(Path.of(known.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        // Test classes patched into the module are reported where the module is.
        places.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        places.add(Path.of("target", "classes").toAbsolutePath().toString());
        return String.join(File.pathSeparator, places);
    }

    @Test
    void anActorWhoseTurnBreaksInTheRuntimeStopsInsteadOfHanging() {
        World.forSeeds(5, world -> {
            Probe<Terminated> watcher = world.probe();
            ActorRef<String> actor = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                throw new UnloggableException();
            }));
            watcher.watch(actor);
            actor.tell("x");
            world.run();
            assertThat(watcher.heard()).hasSize(1);
        });
    }

    @Test
    void anActorWhoseLastSignalFailsUnspeakablyEndsAllTheSame() {
        World.forSeeds(5, world -> {
            Probe<Terminated> watcher = world.probe();
            ActorRef<String> actor = world.spawn(Behaviors.receive(String.class)
                    .on(String.class, (ctx, message) -> Behaviors.stopped())
                    .onSignal(PostStop.class, (ctx, end) -> {
                        throw new UnloggableException();
                    })
                    .build());
            watcher.watch(actor);
            world.run();
            actor.tell("end");
            world.run();
            assertThat(watcher.heard(Terminated.class)).hasSize(1);
        });
    }

    /** The log wants its message, and gets an exception: nothing of the behavior's, but it happens in its turn. */
    private static final class UnloggableException extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
