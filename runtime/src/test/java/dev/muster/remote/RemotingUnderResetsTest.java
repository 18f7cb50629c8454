package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Terminated;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.core.state.NodeId;
import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.serialization.Serialization;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Nodes on a network that breaks connections all the time, in virtual time and in an order that a seed decides. What
 * must hold, holds for every seed.
 */
class RemotingUnderResetsTest {
    private static final int SEEDS = Integer.getInteger("muster.test.seeds", 10);
    private static final int RESETS = 200;
    private static final Serialization SERIALIZATION = Serialization.from(ConfigFactory.load());

    @Test
    void messagesArriveAtMostOnceAndInOrderAndEveryEndIsToldOnce() {
        Totals totals = new Totals();
        forEachSeed(seed -> {
            World world = new World(seed, 3);
            world.story(false);
            totals.add(world);
        });
        System.out.println("resets: " + totals);
        assertThat(totals.delivered).isGreaterThan(totals.sent / 2);
        assertThat(totals.quarantines).isZero();
    }

    @Test
    void aNodeThatIsReplacedAtItsAddressEndsAllThatLivedThereAndNothingElse() {
        Totals totals = new Totals();
        forEachSeed(seed -> {
            World world = new World(1_000 + seed, 2);
            world.story(true);
            totals.add(world);
        });
        System.out.println("restarts: " + totals);
        assertThat(totals.restarts).isGreaterThan(SEEDS);
    }

    @Test
    void nothingPassesAfterAQuarantine() {
        forEachSeed(seed -> {
            World world = new World(2_000 + seed, 2);
            for (int i = 0; i < 200; i++) {
                world.sendSome();
                world.watchOne();
                world.resetSoon();
                world.pass(20);
            }
            Node a = world.nodes.get(0);
            Node b = world.nodes.get(1);
            world.settle();
            NodeId gone = b.remoting.self();
            a.remoting.quarantine(gone, "a test says so");
            world.isCut = true;
            for (int i = 0; i < 50; i++) {
                world.sendSome();
                world.watchOne();
                world.pass(20);
            }
            world.settle();
            assertThat(world.deliveredAfterCut).isZero();
            assertThat(b.quarantinedBy).contains(a.remoting.self());
            // Everything that is watched on the other side counts as ended at the side that cut it off.
            for (Watch watch : world.watches) {
                if (watch.by == a) {
                    assertThat(watch.told).as("%s", watch.name).isEqualTo(1);
                }
            }
        });
    }

    /** Nodes come and go for months; what is left of those that have gone must not add up. */
    @Test
    void whoIsQuarantinedIsForgottenInTheEnd() {
        forEachSeed(seed -> {
            World world = new World(4_000 + seed, 2);
            for (int i = 0; i < 20; i++) {
                world.sendSome();
                world.watchOne();
                world.pass(20);
            }
            world.settle();
            Remoting remoting = world.nodes.get(0).remoting;
            NodeId gone = world.nodes.get(1).remoting.self();
            remoting.quarantine(gone, "a test says so");
            world.nodes.get(1).remoting.kill();
            world.pass(60_000);
            assertThat(remoting.associations()).isEqualTo(1);

            world.pass(900_000);

            assertThat(remoting.associations()).isZero();
            assertThat(remoting.isQuarantined(gone)).isTrue();
        });
    }

    /** Nobody answers for ten seconds, and then somebody does. */
    @Test
    void aPeerThatCannotBeReachedIsDialledAtMostTwiceASecond() {
        forEachSeed(seed -> {
            World world = new World(3_000 + seed, 2);
            world.network.setRefused(1.0);
            int before = world.network.dials();
            for (int second = 0; second < 10; second++) {
                for (int i = 0; i < 20; i++) {
                    world.sendSome();
                    world.watchOne();
                    world.pass(50);
                }
                int dials = world.network.dials() - before;
                before = world.network.dials();
                // Two nodes, each of which dials the other.
                assertThat(dials).as("second %s", second).isLessThanOrEqualTo(4);
            }
            world.network.setRefused(0);
            int delivered = world.delivered;
            world.pass(10_000);
            assertThat(world.delivered).isGreaterThan(delivered);
        });
    }

    private static void forEachSeed(java.util.function.LongConsumer story) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                story.accept(seed);
            } catch (Throwable failure) {
                throw new AssertionError("with seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    private static final class Totals {
        long sent;
        long delivered;
        long watches;
        long resets;
        long quarantines;
        long restarts;
        long virtualSeconds;

        void add(World world) {
            sent += world.sent;
            delivered += world.delivered;
            watches += world.watches.size();
            resets += world.network.resets();
            restarts += world.restarts;
            virtualSeconds += world.environment.elapsed().toSeconds();
            for (Node node : world.nodes) {
                quarantines += node.counters.read().getOrDefault("remote.quarantines", 0L);
            }
        }

        @Override
        public String toString() {
            return SEEDS + " seeds, " + virtualSeconds + " s of virtual time, " + resets + " resets, " + restarts
                    + " restarts, " + delivered + " of " + sent + " messages delivered, " + watches + " watches";
        }
    }

    /** One actor that watches one actor elsewhere. */
    private static final class Watch {
        final Node by;
        final Node of;
        final String name;
        final ActorRef<String> watched;
        int told;
        boolean isEnded;

        Watch(Node by, Node of, String name, ActorRef<String> watched) {
            this.by = by;
            this.of = of;
            this.name = name;
            this.watched = watched;
        }
    }

    private static final class World {
        final VirtualEnvironment environment;
        final SplittableRandom random;
        final SimulatedNetwork network;
        final List<Node> nodes = new ArrayList<>();
        final List<Watch> watches = new ArrayList<>();
        final Map<String, Long> lastSent = new HashMap<>();
        final Map<String, Long> lastReceived = new HashMap<>();
        int sent;
        int delivered;
        int restarts;
        long nextUid = 100;
        boolean isCut;
        int deliveredAfterCut;
        int names;
        final List<String> wrong = new ArrayList<>();

        World(long seed, int size) {
            random = new SplittableRandom(seed);
            environment = new VirtualEnvironment(seed);
            network = new SimulatedNetwork(environment.environment().timers(), random.split());
            for (int i = 0; i < size; i++) {
                nodes.add(new Node(this, 2_551 + i));
            }
        }

        void pass(long millis) {
            environment.advance(Duration.ofMillis(millis));
        }

        void settle() {
            pass(20_000);
            assertThat(wrong).isEmpty();
        }

        /** Talk, watch, end and break for a while; then all must come to rest in order. */
        void story(boolean withRestarts) {
            int actions = 10 * RESETS;
            for (int i = 0; i < actions; i++) {
                sendSome();
                if (i % 3 == 0) {
                    watchOne();
                }
                if (i % 2 == 0) {
                    endOne();
                }
                if (i % 10 == 0) {
                    network.setRefused(random.nextDouble() < 0.2 ? 0.7 : 0);
                    resetSoon();
                }
                if (withRestarts && i % 400 == 399) {
                    restartOne();
                }
                pass(random.nextInt(100));
            }
            network.setRefused(0);
            settle();
            while (watches.stream().anyMatch(watch -> !watch.isEnded)) {
                endOne();
            }
            settle();
            for (Watch watch : watches) {
                assertThat(watch.told)
                        .as("ends of %s told to %s", watch.name, watch.by.port)
                        .isEqualTo(1);
            }
        }

        /** In the middle of what is under way. */
        void resetSoon() {
            var unused = environment.environment().timers().schedule(random.nextLong(6_000_000), network::resetOne);
        }

        void sendSome() {
            for (Node from : nodes) {
                for (Node to : nodes) {
                    if (from != to && random.nextInt(3) == 0) {
                        for (int i = random.nextInt(5); i >= 0; i--) {
                            String pair = from.port + "." + from.remoting.self().uid() + ">" + to.port;
                            long number = lastSent.merge(pair, 1L, Long::sum);
                            sent++;
                            from.receiverAt(to).tell(pair + " " + number + " " + (isCut ? "late" : "early"));
                        }
                    }
                }
            }
        }

        void received(Node at, String text) {
            if (at.isGone) {
                return; // what a dead process still does in this world, it does not do in the real one
            }
            String[] parts = text.split(" ", 3);
            long number = Long.parseLong(parts[1]);
            Long last = lastReceived.put(parts[0], number);
            boolean isInOrder = number > (last == null ? 0 : last) && number <= lastSent.get(parts[0]);
            if (!isInOrder || !parts[0].endsWith(">" + at.port)) {
                wrong.add(text + " after " + last + " at " + at.port);
            }
            delivered++;
            if (parts[2].equals("late")) {
                deliveredAfterCut++;
            }
        }

        void watchOne() {
            Node by = nodes.get(random.nextInt(nodes.size()));
            Node of = nodes.get(random.nextInt(nodes.size()));
            if (by == of) {
                return;
            }
            String name = "watched-" + names++;
            ActorRef<String> watched = of.system.spawn(
                    Behaviors.receive(String.class)
                            .on(String.class, (context, text) -> Behaviors.stopped())
                            .build(),
                    name);
            Watch watch = new Watch(by, of, name, watched);
            watches.add(watch);
            ActorRef<?> remote = by.remoting.resolve(of.remoting.nameOf(watched));
            by.system.spawn(Behaviors.<String>setup(context -> {
                context.watch(remote);
                return Behaviors.receive(String.class)
                        .on(String.class, (c, text) -> Behaviors.same())
                        .onSignal(Terminated.class, (c, terminated) -> {
                            if (!watch.isEnded && !isCut) {
                                wrong.add(name + " is said to have ended");
                            }
                            watch.told++;
                            return Behaviors.same();
                        })
                        .build();
            }));
        }

        void endOne() {
            List<Watch> alive = watches.stream().filter(watch -> !watch.isEnded).toList();
            if (!alive.isEmpty()) {
                Watch watch = alive.get(random.nextInt(alive.size()));
                watch.isEnded = true;
                watch.watched.tell("end");
            }
        }

        /** The process at that address is killed, and another one started there. */
        void restartOne() {
            int index = random.nextInt(nodes.size());
            Node former = nodes.get(index);
            former.remoting.kill();
            former.isGone = true;
            restarts++;
            for (Watch watch : watches) {
                if (watch.of == former) {
                    watch.isEnded = true;
                }
            }
            // Whoever watched from there is gone, and is told nothing.
            watches.removeIf(watch -> watch.by == former);
            pass(random.nextInt(3_000));
            nodes.set(index, new Node(this, former.port));
        }
    }

    private static final class Node implements RemotingUser {
        final int port;
        final LocalActorSystem system;
        final Remoting remoting;
        final Counters counters = new Counters();
        final Set<NodeId> quarantinedBy = new HashSet<>();
        boolean isGone;
        private final Map<Integer, ActorRef<String>> receivers = new HashMap<>();

        Node(World world, int port) {
            this.port = port;
            Environment given = world.environment.environment();
            Dispatchers late = new LateDispatchers(world);
            Environment own = new Environment(given.clock(), given.timers(), late, world.random.split(), given.fatal());
            this.system = LocalActorSystem.start("sim", ActorSettings.defaults(), own, () -> {});
            this.remoting = Remoting.start(
                    system,
                    settings(port),
                    world.network,
                    () -> SERIALIZATION,
                    counters,
                    late.named("internal"),
                    world.nextUid++,
                    this);
            var unused = system.spawn(
                    Behaviors.receive(String.class)
                            .on(String.class, (context, text) -> {
                                world.received(this, text);
                                return Behaviors.same();
                            })
                            .build(),
                    "receiver");
        }

        /** Connections that are idle for a moment are closed, so that many follow each other. */
        private static RemoteSettings settings(int port) {
            RemoteSettings usual = RemoteSettings.defaults();
            return new RemoteSettings(
                    usual.protocolName(),
                    usual.acceptedProtocolNames(),
                    usual.host(),
                    port,
                    usual.bindHost(),
                    usual.bindPort(),
                    usual.insecure(),
                    usual.tls(),
                    usual.maxFrameBytes(),
                    usual.maxLargeFrameBytes(),
                    usual.largeMessageDestinations(),
                    usual.outboundQueueBytes(),
                    usual.handshakeTimeout(),
                    usual.connectTimeout(),
                    usual.reconnectMin(),
                    usual.reconnectMax(),
                    Duration.ofMillis(100),
                    usual.systemMessageBuffer(),
                    usual.systemMessageResend(),
                    usual.giveUpSystemMessageAfter(),
                    usual.compression());
        }

        @SuppressWarnings("unchecked")
        ActorRef<String> receiverAt(Node other) {
            return receivers.computeIfAbsent(other.port, p ->
                    (ActorRef<String>) remoting.resolve("muster://sim@127.0.0.1:" + p + "/user/receiver"));
        }

        @Override
        public void coreMessage(NodeId from, String manifest, byte[] payload, long receivedAtNanos) {}

        @Override
        public void peerProved(NodeId peer) {}

        @Override
        public void quarantined(NodeId peer, String reason) {}

        @Override
        public void quarantinedBy(NodeId peer) {
            quarantinedBy.add(peer);
        }
    }

    /** Turns begin late, each by another delay, so that lanes overtake each other wherever they can. */
    private static final class LateDispatchers implements Dispatchers, Dispatcher {
        private final World world;
        private final SplittableRandom random;
        private final Dispatcher then;

        LateDispatchers(World world) {
            this.world = world;
            this.random = world.random.split();
            this.then = world.environment.environment().dispatchers().named(Dispatchers.DEFAULT);
        }

        private void later(Runnable task) {
            long longest = random.nextInt(100) == 0 ? 2_000_000_000L : random.nextInt(4) == 0 ? 20_000_000 : 1;
            long nanos = random.nextLong(longest);
            var unused = world.environment.environment().timers().schedule(nanos, task);
        }

        @Override
        public void execute(Activation activation) {
            later(() -> then.execute(activation));
        }

        @Override
        public void execute(Runnable task) {
            later(() -> then.execute(task));
        }

        @Override
        public int messagesPerTurn() {
            return 1;
        }

        @Override
        public Dispatcher named(String name) {
            return this;
        }

        @Override
        public boolean isOwnedByCaller(String name) {
            return false;
        }

        @Override
        public void shutdown() {}
    }
}
