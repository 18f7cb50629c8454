package dev.muster.cluster.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.CoordinatedShutdown;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.cluster.Routing;
import dev.muster.core.ClusterCore;
import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.Explanation;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.Refusal;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.RebalancePlan;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.discovery.Discovery;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Transport;
import dev.muster.environment.TransportException;
import dev.muster.remote.Counters;
import dev.muster.settings.NodeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The cluster as one actor system sees it, over as many incarnations as it takes. While it is healthy there is one; a
 * node that may rejoin gets another when its membership has ended against its will.
 */
public final class ClusterNode implements Cluster {
    private static final long DISCOVERY_AGAIN_NANOS = 1_000_000_000L;

    /** On a busy machine the port of the former incarnation may be free a little later than it said. */
    private static final long BEGIN_AGAIN_NANOS = 500_000_000L;

    /** How long it may take to leave when there is nothing more to hand over. */
    private static final long LEAVING_NANOS = 10_000_000_000L;

    private static final int MOST_KNOWN_BEFORE = 20;
    private static final String COUNT_REFUSED = "cluster.refused.";

    private final LocalActorSystem system;
    private final NodeSettings settings;
    private final Messages messages;
    private final Transport transport;
    private final Function<NodeAddress, Discovery> discoveries;
    private final Consumer<ActorSystem> setup;
    private final Dispatcher workers;
    private final Counters counters = new Counters();
    private final ClusterLog log;
    private final Subscribers subscribers = new Subscribers();
    private final RejoinPace pace;
    private final PartitionHosts partitions = new PartitionHosts(this);
    private final UserFutures answers;
    private final HandoverOutlook outlook;

    // Guarded by this.
    private final List<Runnable> onUp = new ArrayList<>();
    private final List<Runnable> onRemoved = new ArrayList<>();
    private boolean isUp;
    private boolean isOver;

    private volatile Incarnation current;
    private volatile Discovery discovery;
    private volatile boolean wasMember;
    private volatile boolean isGivingWay;

    /** A node before it has begun: {@link #begin} makes it listen and join. */
    public ClusterNode(
            LocalActorSystem system,
            NodeSettings settings,
            Messages messages,
            Transport transport,
            Function<NodeAddress, Discovery> discoveries,
            Consumer<ActorSystem> setup) {
        this.system = Objects.requireNonNull(system, "system");
        this.settings = settings;
        this.messages = messages;
        this.transport = transport;
        this.discoveries = discoveries;
        this.setup = setup;
        this.workers = system.environment().dispatchers().named(Dispatchers.INTERNAL);
        this.answers = new UserFutures(system.environment());
        this.outlook = new HandoverOutlook(settings.cluster().downing());
        this.pace = new RejoinPace(settings.rejoin().maxPerHour());
        this.log = new ClusterLog(
                () -> current == null ? system.name() : current.self().address().hostAndPort());
    }

    private long newUid() {
        return system.environment().random().nextLong();
    }

    /** Listens and joins. */
    public void begin() {
        current = new Incarnation(this, newUid(), settings.cluster());
        settings.warnings().forEach(warning -> system.log().warn("{}", warning));
        discovery = discoveries.apply(current.self().address());
        log.started(current.self());
        addShutdownTasks();
        system.onProtocol(messages::learn);
        setup.accept(system);
        join(current);
    }

    /** Finds the seeds and asks them; when they are known already, at once. */
    private void join(Incarnation incarnation) {
        withSeedsFound(seeds -> {
            if (incarnation == current) {
                boolean isKnown = seeds.equals(settings.cluster().join().seedNodes());
                Incarnation joining = isKnown ? incarnation : insteadOf(incarnation, seeds);
                joining.driver().offer(new Input.CommandGiven(new Command.JoinSeeds(false)));
            }
        });
    }

    private void withSeedsFound(Consumer<List<NodeAddress>> next) {
        BiConsumer<List<NodeAddress>, Throwable> found = (seeds, failure) -> {
            if (failure == null) {
                next.accept(seeds);
            } else {
                log.discoveryFailed(failure);
                later(DISCOVERY_AGAIN_NANOS, () -> withSeedsFound(next));
            }
        };
        var unused = discovery.lookup().whenCompleteAsync(found, workers);
    }

    /** Seeds that were only found now need a core that knows them. */
    private Incarnation insteadOf(Incarnation before, List<NodeAddress> seeds) {
        before.stop();
        current = new Incarnation(this, newUid(), withSeeds(seeds));
        partitions.forgetTable();
        partitions.tell(current);
        return current;
    }

    private ClusterSettings withSeeds(List<NodeAddress> seeds) {
        return settings.cluster().withJoin(settings.cluster().join().withSeedNodes(seeds));
    }

    void later(long nanos, Runnable task) {
        system.environment().timers().schedule(nanos, () -> {
            if (!system.whenTerminated().isDone()) {
                try {
                    workers.execute(task);
                } catch (RejectedExecutionException ended) {
                    log.tooLate(); // threads end a moment before the system says that it has
                }
            }
        });
    }

    // --- What an incarnation needs
    // -----------------------------------------------------------------------------------

    LocalActorSystem system() {
        return system;
    }

    NodeSettings settings() {
        return settings;
    }

    Messages messages() {
        return messages;
    }

    Transport transport() {
        return transport;
    }

    Dispatcher workers() {
        return workers;
    }

    Counters counterTable() {
        return counters;
    }

    ClusterLog log() {
        return log;
    }

    PartitionHosts partitions() {
        return partitions;
    }

    /** The posts of the present incarnation. */
    PartitionPosts posts() {
        return current.partitions();
    }

    void onEvent(Incarnation incarnation, ClusterEvent event) {
        log.event(event);
        counters.add("cluster.events");
        if (event instanceof ClusterEvent.MessageRefused refused) {
            counters.add(COUNT_REFUSED
                    + refused.refusal().name().toLowerCase(Locale.ROOT).replace('_', '-'));
            if (isForged(refused.refusal())
                    && incarnation.mayLogAbout(refused.from().address())) {
                log.forged(refused);
            }
        }
        subscribers.publish(event);
        system.events().publish(event);
        if (event instanceof ClusterEvent.MemberUp up && up.member().id().equals(incarnation.self())) {
            wasMember = true;
            runOnUp();
        } else if (event instanceof ClusterEvent.MemberJoined joined
                && joined.member().id().equals(incarnation.self())) {
            wasMember = true;
        } else if (event instanceof ClusterEvent.IslandSuspected island && island.givesWay()) {
            giveWay(incarnation, island.other());
        }
    }

    /** What no member says unless it is broken or not who it seems to be. */
    private static boolean isForged(Refusal refusal) {
        return refusal == Refusal.CLAIMS_MY_CHANGES || refusal == Refusal.CLOCK_OUT_OF_RANGE;
    }

    private void runOnUp() {
        List<Runnable> callbacks;
        synchronized (this) {
            isUp = true;
            callbacks = List.copyOf(onUp);
            onUp.clear();
        }
        callbacks.forEach(this::runIfNotEnded);
    }

    /** A node that has ended is not up any more. */
    private void runIfNotEnded(Runnable callback) {
        try {
            system.defaultDispatcher().execute(callback);
        } catch (RejectedExecutionException ended) {
            log.tooLate();
        }
    }

    /** Leaves the smaller of two clusters of one name, to join the larger. */
    private void giveWay(Incarnation incarnation, NodeAddress other) {
        if (settings.rejoin().enabled() && !isGivingWay && system.shutdown().reason() == null) {
            isGivingWay = true;
            log.givesWay(other);
            incarnation
                    .driver()
                    .offer(new Input.CommandGiven(
                            new Command.Leave(incarnation.self().address())));
        }
    }

    /** The others agree that this node goes: it ends in good order, whoever asked for it. */
    void onExiting(Incarnation incarnation) {
        if (isGivingWay) {
            incarnation.driver().offer(new Input.ExitTasksDone());
            return;
        }
        var unused = system.shutdown().run("this node leaves the cluster");
    }

    void onBug(Throwable bug) {
        log.bug(bug);
        posts().end();
        onMembershipEnded(current, "a mistake in Muster itself");
    }

    void onMembershipEnded(Incarnation incarnation, String reason) {
        log.stopped(reason);
        if (incarnation != current) {
            return;
        }
        boolean isShuttingDown = system.shutdown().reason() != null;
        if (isShuttingDown || !settings.rejoin().enabled()) {
            end();
            var unused = system.shutdown().run("the cluster has removed this node: " + reason);
            return;
        }
        if (!pace.mayRejoin(system.environment().clock().nanoTime())) {
            log.gaveUp("this node was removed more than " + settings.rejoin().maxPerHour()
                    + " times within an hour, so it does not join again; muster.cluster.rejoin.max-per-hour");
            end();
            var unused = system.shutdown().run("the cluster has removed this node too often");
            return;
        }
        Duration wait = pace.waitBeforeNext(system.environment().random());
        log.rejoining(pace.rejoins(), wait.toMillis());
        later(wait.toNanos(), () -> rejoin(incarnation));
    }

    /** Begins anew in the same process: other uid, no old connections, no old actors. */
    private void rejoin(Incarnation former) {
        former.stop();
        isGivingWay = false;
        synchronized (this) {
            isUp = false;
        }
        List<NodeAddress> knownBefore = former.driver().snapshot().state().members().stream()
                .map(member -> member.id().address())
                .filter(address -> !address.equals(former.self().address()))
                .limit(MOST_KNOWN_BEFORE)
                .toList();
        BiConsumer<Void, Throwable> begin =
                (nothing, failure) -> withSeedsFound(seeds -> beginAnew(seeds, knownBefore));
        var unused = system.stopTopLevelActors().whenCompleteAsync(begin, workers);
    }

    /** Besides the seeds it asks those that it knew, for all seeds may have been on its side. */
    private void beginAnew(List<NodeAddress> seeds, List<NodeAddress> knownBefore) {
        if (system.shutdown().reason() != null) {
            return;
        }
        List<NodeAddress> all =
                Stream.concat(seeds.stream(), knownBefore.stream()).distinct().toList();
        try {
            current = new Incarnation(this, newUid(), withSeeds(all));
        } catch (TransportException portTaken) {
            log.cannotBeginYet(portTaken);
            later(BEGIN_AGAIN_NANOS, () -> beginAnew(seeds, knownBefore));
            return;
        }
        log.started(current.self());
        partitions.forgetTable();
        setup.accept(system);
        partitions.tell(current);
        current.driver().offer(new Input.CommandGiven(new Command.JoinSeeds(wasMember)));
    }

    private void end() {
        List<Runnable> callbacks;
        synchronized (this) {
            isOver = true;
            callbacks = List.copyOf(onRemoved);
            onRemoved.clear();
        }
        callbacks.forEach(this::runAlsoAfterTheEnd);
    }

    /** Whoever wants to hear of the end hears of it, also when there are no threads left but the present one. */
    private void runAlsoAfterTheEnd(Runnable callback) {
        try {
            system.defaultDispatcher().execute(callback);
        } catch (RejectedExecutionException ended) {
            callback.run();
        }
    }

    // --- Ending in good order
    // ----------------------------------------------------------------------------------------

    private void addShutdownTasks() {
        CoordinatedShutdown shutdown = system.shutdown();
        shutdown.addTask(CoordinatedShutdown.Phase.CLUSTER_LEAVE, "leave the cluster", this::leaveAndWait);
        shutdown.addTask(CoordinatedShutdown.Phase.CLUSTER_EXITING_DONE, "say goodbye", this::confirmExit);
        shutdown.addTask(CoordinatedShutdown.Phase.CLUSTER_SHUTDOWN, "stop membership", this::stopMembership);
        Duration longest = settings.cluster().partitions().drainTimeout().plusNanos(LEAVING_NANOS);
        system.holdOpen(CoordinatedShutdown.Phase.CLUSTER_LEAVE, longest, this::isHandingOver);
    }

    /** The core goes first: what could not be handed over is still there to be named. */
    private CompletableFuture<Void> stopMembership() {
        Incarnation ending = current;
        return ending.driver().end().thenCompose(nothing -> {
            ending.partitions().end();
            end();
            return ending.partitions().settled(); // what was left of instances is dead letters by then
        });
    }

    /** Whether there is something to hand over, and somebody to take it some day. */
    private boolean isHandingOver() {
        Incarnation leaving = current;
        if (leaving.driver().isStopped() || !leaving.partitions().areBusy()) {
            return false;
        }
        long now = system.environment().clock().nanoTime();
        Optional<String> why = outlook.whyPointless(leaving.driver().snapshot(), now);
        why.ifPresent(log::givesUpHandingOver);
        return why.isEmpty();
    }

    private CompletableFuture<Void> leaveAndWait() {
        Incarnation leaving = current;
        MemberStatus status = leaving.driver().snapshot().selfStatus();
        if (leaving.driver().isStopped() || status == MemberStatus.REMOVED) {
            return CompletableFuture.completedFuture(null);
        }
        return leaving.driver()
                .command(new Command.Leave(leaving.self().address()))
                .thenCompose(outcome -> outcome.done() ? leaving.exiting() : CompletableFuture.completedFuture(null));
    }

    private CompletableFuture<Void> confirmExit() {
        Incarnation leaving = current;
        if (leaving.driver().isStopped() || !leaving.exiting().isDone()) {
            return CompletableFuture.completedFuture(null);
        }
        leaving.driver().offer(new Input.ExitTasksDone());
        return leaving.ended();
    }

    /** After all actors have ended. */
    public void close() {
        Incarnation last = current;
        if (last != null) {
            last.stop();
        }
    }

    /** As if the process had been killed: nobody is told anything. For tests. */
    public void kill() {
        current.kill();
    }

    // --- The public side
    // ---------------------------------------------------------------------------------------------

    @Override
    public NodeId self() {
        return current.self();
    }

    @Override
    public NodeAddress selfAddress() {
        return current.self().address();
    }

    @Override
    public Member selfMember() {
        Incarnation now = current;
        return now.driver()
                .published()
                .state()
                .members()
                .find(now.self())
                .orElseGet(() -> Member.joining(
                        now.self(),
                        settings.cluster().join().roles(),
                        settings.cluster().join().appVersion()));
    }

    @Override
    public ClusterSnapshot snapshot() {
        return current.driver().published();
    }

    @Override
    public CompletableFuture<List<Heartbeats>> heartbeats() {
        CoreDriver driver = current.driver();
        return answers.of(driver.ask(core -> core.pulses(driver.nanoTime()).stream()
                .map(pulse -> new Heartbeats(
                        pulse.subject(),
                        pulse.phi(),
                        pulse.silentForNanos().isPresent()
                                ? pulse.silentForNanos().getAsLong() / 1_000_000
                                : -1))
                .toList()));
    }

    @Override
    public void subscribe(ActorRef<?> subscriber, InitialState initial, List<Class<?>> types) {
        Objects.requireNonNull(subscriber, "subscriber");
        Objects.requireNonNull(initial, "initial");
        Objects.requireNonNull(types, "types");
        List<Class<?>> wanted = types.isEmpty() ? List.of(ClusterEvent.Change.class) : List.copyOf(types);
        CoreDriver driver = current.driver();
        driver.submit(() -> subscribers.add(subscriber, initial, wanted, driver.snapshot()));
    }

    @Override
    public void unsubscribe(ActorRef<?> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        current.driver().submit(() -> subscribers.remove(subscriber));
    }

    @Override
    public CompletableFuture<Outcome> join(NodeAddress address) {
        return answers.of(current.driver().command(new Command.JoinTo(address)));
    }

    @Override
    public CompletableFuture<Outcome> joinSeedNodes() {
        return answers.of(current.driver().command(new Command.JoinSeeds(wasMember)));
    }

    @Override
    public CompletableFuture<Outcome> leave(NodeAddress address) {
        return answers.of(current.driver().command(new Command.Leave(address)));
    }

    @Override
    public CompletableFuture<Outcome> down(NodeAddress address) {
        return answers.of(current.driver().command(new Command.Down(address)));
    }

    @Override
    public void registerOnMemberUp(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        synchronized (this) {
            if (!isUp) {
                onUp.add(callback);
                return;
            }
        }
        runIfNotEnded(callback);
    }

    @Override
    public void registerOnMemberRemoved(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        synchronized (this) {
            if (!isOver) {
                onRemoved.add(callback);
                return;
            }
        }
        runAlsoAfterTheEnd(callback);
    }

    @Override
    public CompletableFuture<List<String>> explain(Question question) {
        Objects.requireNonNull(question, "question");
        CoreDriver driver = current.driver();
        return answers.of(
                question instanceof Question.Partition about
                        ? explain(about.path())
                        : driver.ask(core -> answer(core.explain(driver.nanoTime()), question, driver.snapshot())));
    }

    /** The core knows where it is to run, and posts whether it does. */
    private CompletableFuture<List<String>> explain(PartitionPath path) {
        Incarnation now = current;
        return now.driver()
                .ask(core -> core.explainPartition(path, now.driver().nanoTime()))
                .thenApply(reasons -> Stream.concat(reasons.stream(), now.partitions().troubles(path).stream())
                        .toList());
    }

    private static List<String> answer(Explanation explanation, Question question, ClusterSnapshot snapshot) {
        List<String> sentences = new ArrayList<>();
        if (question instanceof Question.Convergence) {
            sentences.addAll(explanation.convergence());
        } else if (question instanceof Question.Unreachable about) {
            each(about.address(), snapshot, sentences, explanation::unreachable);
        } else if (question instanceof Question.NotUp about) {
            each(about.address(), snapshot, sentences, explanation::notUp);
        } else {
            sentences.addAll(explanation.convergence());
            snapshot.state().unreachable().forEach(id -> sentences.addAll(explanation.unreachable(id)));
            for (Member member : snapshot.state().members()) {
                if (member.status().isNotYetUp()) {
                    sentences.addAll(explanation.notUp(member.id()));
                }
            }
        }
        return sentences.stream().distinct().toList();
    }

    private static void each(
            NodeAddress address,
            ClusterSnapshot snapshot,
            List<String> sentences,
            Function<NodeId, List<String>> answers) {
        List<Member> there = snapshot.state().members().at(address);
        if (there.isEmpty()) {
            sentences.add(address + " is no member of this cluster");
        }
        there.forEach(member -> sentences.addAll(answers.apply(member.id())));
    }

    @Override
    public <M> ActorRef<M> host(Partition<M> partition) {
        Objects.requireNonNull(partition, "partition");
        requireNotOver(partition.path());
        boolean replacesEnded = partitions.add(partition);
        PartitionPosts posts = posts();
        if (partitions.isFirstToHost()) {
            posts.rehearse();
        }
        posts.onKnown(partition.path(), replacesEnded);
        partitions.want(current.driver(), partition);
        return new PartitionRef<>(this, posts.postFor(partition.path()));
    }

    @Override
    public <M> ActorRef<M> partition(String path, Class<M> messageType) {
        return new PartitionRef<>(this, sendingTo(path, messageType));
    }

    @Override
    public <M> ActorRef<M> partition(String path, Class<M> messageType, Routing<M> routing) {
        Objects.requireNonNull(routing, "routing");
        return new PartitionRef<>(this, sendingTo(path, messageType), routing);
    }

    private PartitionPost sendingTo(String path, Class<?> messageType) {
        PartitionPath where = new PartitionPath(Objects.requireNonNull(path, "path"));
        messages.learn(Objects.requireNonNull(messageType, "messages"));
        return posts().postFor(where);
    }

    /** A node that was removed and joins again is not over. */
    private synchronized void requireNotOver(PartitionPath path) {
        if (isOver) {
            throw new IllegalStateException("the partition " + path + " cannot be hosted: this node has ended, and "
                    + "with it the actor system " + system.name() + "; start a new one and host it there");
        }
    }

    @Override
    public CompletableFuture<Outcome> end(PartitionPath path) {
        Objects.requireNonNull(path, "path");
        boolean isKnown =
                partitions.isWanted(path) || snapshot().partitions().find(path).isPresent();
        if (!isKnown) {
            return CompletableFuture.completedFuture(
                    new Outcome(false, "there is no partition " + path + ", as far as this node knows"));
        }
        boolean wasWanted = partitions.isWanted(path);
        // Before the command, or the next member that comes could make this node ask for it again.
        partitions.onEnded(path);
        return answers.of(
                current.driver().command(new Command.EndPartition(path)).thenApply(outcome -> {
                    if (wasWanted && !outcome.done()) {
                        partitions.onNotEnded(path);
                    }
                    return outcome;
                }));
    }

    @Override
    public CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress to) {
        return answers.of(current.driver().command(new Command.Migrate(path, to)));
    }

    @Override
    public CompletableFuture<Outcome> migrate(PartitionPath path, NodeAddress from, NodeAddress to) {
        return answers.of(current.driver().command(migration(path, from, to)));
    }

    @Override
    public CompletableFuture<Outcome> rebalance() {
        return answers.of(current.driver().command(new Command.Rebalance()));
    }

    @Override
    public List<MoveInFlight> moves() {
        return posts().moves();
    }

    @Override
    public CompletableFuture<RebalancePlan> rebalancePlan() {
        return answers.of(current.driver().ask(ClusterCore::rebalancePlan));
    }

    @Override
    public CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress to) {
        return migrationPlan(new Command.Migrate(path, to));
    }

    @Override
    public CompletableFuture<RebalancePlan> migrationPlan(PartitionPath path, NodeAddress from, NodeAddress to) {
        return migrationPlan(migration(path, from, to));
    }

    private CompletableFuture<RebalancePlan> migrationPlan(Command.Migrate wish) {
        return answers.of(current.driver().ask(core -> core.migrationPlan(wish)));
    }

    private static Command.Migrate migration(PartitionPath path, NodeAddress from, NodeAddress to) {
        return new Command.Migrate(path, to, Optional.of(Objects.requireNonNull(from, "from")));
    }

    @Override
    public CompletableFuture<SortedMap<PartitionPath, String>> reasonsOfMoves() {
        return answers.of(current.driver().ask(ClusterCore::reasonsOfMoves));
    }

    @Override
    public CompletableFuture<List<Move>> waitingMoves() {
        return answers.of(current.driver().ask(ClusterCore::waitingMoves));
    }

    @Override
    public LoadTable loads() {
        return current.driver().loads();
    }

    @Override
    public SortedMap<String, Long> counters() {
        return counters.read();
    }

    @Override
    public ActorRef<?> resolve(String name) {
        Objects.requireNonNull(name, "name");
        return current.remoting().resolve(name);
    }

    @Override
    public String nameOf(ActorRef<?> ref) {
        Objects.requireNonNull(ref, "ref");
        return current.remoting().nameOf(ref);
    }
}
