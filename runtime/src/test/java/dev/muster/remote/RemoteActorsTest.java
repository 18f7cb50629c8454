package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.Terminated;
import dev.muster.cluster.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Actors of two nodes, over real sockets: a ref works the same wherever its actor lives. */
class RemoteActorsTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private static LocalCluster cluster;

    @BeforeAll
    static void start() {
        Config config = ConfigFactory.parseString("""
                muster.actor.mailbox-capacity = 1000000
                muster.remote.artery.large-message-destinations = ["/user/large"]
                """).withFallback(ConfigFactory.load());
        cluster = LocalCluster.start("remote", 3, config, system -> {});
        cluster.awaitUp(SOON);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** How the actors of node 1 look from node 0. */
    @SuppressWarnings("unchecked")
    private static <M> ActorRef<M> seenFrom0(ActorRef<M> ref) {
        return (ActorRef<M>)
                cluster.node(0).cluster().resolve(cluster.node(1).cluster().nameOf(ref));
    }

    private static ActorRef<String> echo(String name) {
        return cluster.node(1)
                .system()
                .spawn(
                        Behaviors.receive(String.class)
                                .on(String.class, (context, text) -> {
                                    context.reply("echo " + text);
                                    return Behaviors.same();
                                })
                                .build(),
                        name);
    }

    @Test
    void aQuestionIsAnsweredAcrossNodes() {
        ActorRef<String> echo = seenFrom0(echo("asked"));

        assertThat(echo.ask("hello", String.class, SOON).join()).isEqualTo("echo hello");
    }

    @Test
    void messagesOfOneSenderArriveInOrderAndNoneIsLost() throws InterruptedException {
        int count = 200_000;
        List<Long> received = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(count);
        ActorRef<Long> counter = cluster.node(1)
                .system()
                .spawn(
                        Behaviors.receive(Long.class)
                                .on(Long.class, (context, number) -> {
                                    received.add(number);
                                    all.countDown();
                                    return Behaviors.same();
                                })
                                .build(),
                        "ordered");
        ActorRef<Long> remote = seenFrom0(counter);

        for (long i = 0; i < count; i++) {
            remote.tell(i);
            if (i % 10_000 == 9_999) {
                // Not more than may wait for a node at a time.
                awaitCount(all, count - i - 1 + 20_000);
            }
        }

        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(received).hasSize(count).isSorted();
    }

    private static void awaitCount(CountDownLatch latch, long most) {
        cluster.await("at most " + most + " under way", SOON, () -> latch.getCount() <= most);
    }

    @Test
    void anActorElsewhereThatStopsIsReportedOnceAfterItsLastMessage() {
        ActorRef<String> watched = cluster.node(1)
                .system()
                .spawn(
                        Behaviors.receive(String.class)
                                .on(String.class, (context, text) -> {
                                    for (int i = 0; i < 100; i++) {
                                        context.reply("last words " + i);
                                    }
                                    return Behaviors.stopped();
                                })
                                .build(),
                        "watched");
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        ActorRef<String> remote = seenFrom0(watched);
        ActorRef<String> watcher = cluster.node(0).system().spawn(Behaviors.setup(context -> {
            context.watch(remote);
            return Behaviors.receive(String.class)
                    .on(String.class, (c, text) -> {
                        seen.add(text);
                        return Behaviors.same();
                    })
                    .onSignal(Terminated.class, (c, terminated) -> {
                        seen.add("terminated " + terminated.ref().path().name());
                        return Behaviors.same();
                    })
                    .build();
        }));

        remote.tell("go", watcher);

        cluster.await("the end is told", SOON, () -> seen.contains("terminated watched"));
        List<String> inOrder = List.copyOf(seen);
        assertThat(inOrder).hasSize(101).endsWith("last words 99", "terminated watched");
    }

    @Test
    void watchingAnActorThatIsGoneTellsSoAtOnce() {
        ActorRef<String> gone = echo("gone");
        ActorRef<String> remote = seenFrom0(gone);
        cluster.node(1).system().stop(gone);
        cluster.await(
                "it has stopped",
                SOON,
                () -> cluster.node(1).system().lookup("gone").isEmpty());

        assertThat(watchUntilTerminated(remote)).isTrue();
    }

    private static boolean watchUntilTerminated(ActorRef<?> remote) {
        CountDownLatch told = new CountDownLatch(1);
        cluster.node(0).system().spawn(Behaviors.<String>setup(context -> {
            context.watch(remote);
            return Behaviors.receive(String.class)
                    .on(String.class, (c, text) -> Behaviors.same())
                    .onSignal(Terminated.class, (c, terminated) -> {
                        told.countDown();
                        return Behaviors.same();
                    })
                    .build();
        }));
        try {
            return told.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void largeMessagesTakeTheirOwnStream() {
        ActorRef<byte[]> large = cluster.node(1)
                .system()
                .spawn(
                        Behaviors.receive(byte[].class)
                                .on(byte[].class, (context, bytes) -> {
                                    context.reply(bytes.length);
                                    return Behaviors.same();
                                })
                                .build(),
                        "large");

        assertThat(seenFrom0(large)
                        .ask(new byte[1_500_000], Integer.class, SOON)
                        .join())
                .isEqualTo(1_500_000);
    }

    @Test
    void aMessageTooLargeForItsStreamIsADeadLetter() {
        Queue<DeadLetter> letters = new ConcurrentLinkedQueue<>();
        ActorRef<DeadLetter> listener = cluster.node(0)
                .system()
                .spawn(Behaviors.receive(DeadLetter.class)
                        .on(DeadLetter.class, (context, letter) -> {
                            letters.add(letter);
                            return Behaviors.same();
                        })
                        .build());
        cluster.node(0).system().events().subscribe(listener, DeadLetter.class);
        ActorRef<String> small = seenFrom0(echo("small"));

        small.tell("x".repeat(300_000));

        cluster.await(
                "a dead letter",
                SOON,
                () -> letters.stream().anyMatch(letter -> letter.reason() == DeadLetter.Reason.NOT_SENT));
    }

    sealed interface Counting permits Add, Ask {}

    record Add(int by) implements Counting {}

    record Ask(ActorRef<Integer> replyTo) implements Counting {}

    @Test
    void recordsOfASealedProtocolTravelWithoutCeremony() {
        for (int node : new int[] {0, 1}) {
            cluster.node(node).system().spawn(counting(0), "counting");
        }
        ActorRef<Counting> remote =
                castRef(cluster.node(0).cluster().resolve(cluster.node(1).address() + "/user/counting"));

        remote.tell(new Add(3));
        remote.tell(new Add(4));

        assertThat(remote.ask(Ask::new, SOON).join()).isEqualTo(7);
    }

    private static Behavior<Counting> counting(int n) {
        return Behaviors.receive(Counting.class)
                .on(Add.class, (context, add) -> counting(n + add.by()))
                .on(Ask.class, (context, ask) -> {
                    ask.replyTo().tell(n);
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void whatIsNamedOftenGetsANumber() {
        ActorRef<String> echo = seenFrom0(echo("often"));
        long literal = bytesFor(echo, 300);

        // Numbers are offered about once a second.
        cluster.await("names are shortened", SOON, () -> bytesFor(echo, 300) < literal * 3 / 4);
        assertThat(echo.ask("still there", String.class, SOON).join()).isEqualTo("echo still there");
    }

    private static long bytesFor(ActorRef<String> echo, int messages) {
        long before = sentBy0();
        for (int i = 0; i < messages; i++) {
            echo.tell("a message");
        }
        echo.ask("the last", String.class, SOON).join();
        return sentBy0() - before;
    }

    private static long sentBy0() {
        return cluster.node(0).cluster().counters().get("remote.bytes-sent");
    }

    @Test
    void aRefInAMessageLeadsBackToItsActor() {
        // The reply address of an ask is such a ref; this one goes through an actor in between.
        ActorRef<String> echo = echo("behind");
        ActorRef<String> fromNode2 = castRef(
                cluster.node(2).cluster().resolve(cluster.node(1).cluster().nameOf(echo)));
        ActorRef<String> forwarder = cluster.node(2)
                .system()
                .spawn(
                        Behaviors.receive(String.class)
                                .on(String.class, (context, text) -> {
                                    fromNode2.tell(text, context.replyTo());
                                    return Behaviors.same();
                                })
                                .build(),
                        "forwarder");
        ActorRef<String> fromNode0 = castRef(
                cluster.node(0).cluster().resolve(cluster.node(2).cluster().nameOf(forwarder)));

        assertThat(fromNode0.ask("round", String.class, SOON).join()).isEqualTo("echo round");
    }

    @SuppressWarnings("unchecked")
    private static <M> ActorRef<M> castRef(ActorRef<?> ref) {
        return (ActorRef<M>) ref;
    }
}
