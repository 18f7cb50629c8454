package dev.muster.actor.engine;

import dev.muster.actor.ActorMetrics;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Cancellable;
import dev.muster.actor.CoordinatedShutdown;
import dev.muster.actor.EventStream;
import dev.muster.actor.SpawnOptions;
import dev.muster.actor.Supervision;
import dev.muster.actor.UnhandledMessage;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import dev.muster.environment.Timers;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The actors of one process: the root of their tree, and what they share. */
public final class LocalActorSystem implements ActorSystem {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");
    private static final String USER = "user";
    private static final String USER_PREFIX = "/" + USER + "/";

    private final String name;
    private final ActorSettings settings;
    private final Environment environment;
    private final Dispatcher defaultDispatcher;
    private final Runnable release;
    private final Logger log;

    private final AtomicLong nextId = new AtomicLong(1);
    private volatile Consumer<Class<?>> onProtocol = protocol -> {};
    private final Map<Class<?>, Object> extensions = new ConcurrentHashMap<>();
    private final Map<String, TypeMetrics> metrics = new ConcurrentHashMap<>();
    private final LongAdder unhandled = new LongAdder();
    private final Subscriptions subscriptions = new Subscriptions();
    private final DeadLetterOffice deadLetters;
    private final RareLog unhandledLog;
    private final FailureLog failureLog;
    private final ShutdownPhases shutdown;
    private final CompletableFuture<Void> treeEnded = new CompletableFuture<>();
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private volatile boolean isClosed;
    private final RootRef user;
    private final ChildTable topLevel;

    private LocalActorSystem(String name, ActorSettings settings, Environment environment, Runnable release) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of an actor system is made of letters, digits, - and _,"
                    + " and begins with a letter or digit; was \"" + name + "\"");
        }
        this.name = name;
        this.settings = Objects.requireNonNull(settings, "settings");
        this.environment = Objects.requireNonNull(environment, "environment");
        this.release = Objects.requireNonNull(release, "release");
        this.defaultDispatcher = environment.dispatchers().named(Dispatchers.DEFAULT);
        this.log = LoggerFactory.getLogger("dev.muster.actor.ActorSystem." + name);
        this.deadLetters = new DeadLetterOffice(this, rareLog());
        this.unhandledLog = rareLog();
        this.failureLog = new FailureLog(log, environment.clock());
        this.shutdown = new ShutdownPhases(environment, settings, log, this::ended);
        this.user = new RootRef(this, USER, nextId.getAndIncrement());
        ActorCell<Object> guardian = new ActorCell<>(user, this, defaultDispatcher, false);
        user.attach(guardian);
        this.topLevel = guardian.childTableForAdding();
        // Whatever escalates to the top has failed for good, but it is no reason to stop its neighbours.
        boolean needsTurn =
                guardian.lifecycle().prepare(new Supervised<>(Marker.ignore(), Throwable.class, Supervision.resume()));
        assert needsTurn;
    }

    public static LocalActorSystem start(
            String name, ActorSettings settings, Environment environment, Runnable release) {
        LocalActorSystem system = new LocalActorSystem(name, settings, environment, release);
        boolean ignored = system.user.offerSystem(new SystemMessage.Start());
        system.shutdown.addTask(CoordinatedShutdown.Phase.ACTOR_SYSTEM_TERMINATE, "stop all actors", system::stopTree);
        return system;
    }

    private RareLog rareLog() {
        return new RareLog(
                log,
                environment.clock(),
                settings.logDeadLetters(),
                settings.logDeadLettersInterval().toNanos());
    }

    @Override
    public String name() {
        return name;
    }

    // --- Starting and finding actors
    // -----------------------------------------------------------------------------------

    @Override
    public <M> ActorRef<M> spawn(Behavior<M> behavior) {
        return spawn(behavior, null, SpawnOptions.defaults());
    }

    @Override
    public <M> ActorRef<M> spawn(Behavior<M> behavior, String actorName) {
        return spawn(behavior, Objects.requireNonNull(actorName, "name"), SpawnOptions.defaults());
    }

    @Override
    public <M> ActorRef<M> spawn(Behavior<M> behavior, String actorName, SpawnOptions options) {
        noteProtocol(behavior);
        requireStartable(behavior, actorName);
        LocalActorRef<M> ref = new LocalActorRef<>(
                user, actorName, nextId.getAndIncrement(), capacity(options, settings.mailboxCapacity()));
        return start(ref, topLevel, behavior, chosen(options), isOwned(options));
    }

    /**
     * Starts an actor on a dispatcher of the caller's, whatever the options say about that. The caller shuts it down;
     * children of the actor run where their own options say, behind the same fence if the dispatcher has one.
     */
    public <M> LocalActorRef<M> spawnOn(
            Dispatcher dispatcher, Behavior<M> behavior, String actorName, SpawnOptions options) {
        Objects.requireNonNull(dispatcher, "dispatcher");
        noteProtocol(behavior);
        requireStartable(behavior, actorName);
        LocalActorRef<M> ref = new LocalActorRef<>(
                user, actorName, nextId.getAndIncrement(), capacity(options, settings.mailboxCapacity()));
        return start(ref, topLevel, behavior, dispatcher, false);
    }

    /** The same for an actor that lives at the path of {@code successor}, which gets what it can take no more. */
    public <M> LocalActorRef<M> spawnInstance(
            Dispatcher dispatcher,
            Behavior<M> behavior,
            String actorName,
            SpawnOptions options,
            ActorRef<M> successor) {
        Objects.requireNonNull(dispatcher, "dispatcher");
        noteProtocol(behavior);
        requireStartable(behavior, actorName);
        LocalActorRef<M> ref = new InstanceRef<>(
                user, actorName, nextId.getAndIncrement(), capacity(options, settings.mailboxCapacity()), successor);
        Dispatcher behindTheSameFence = FencedDispatcher.forChild(dispatcher, chosen(options));
        return start(ref, topLevel, behavior, behindTheSameFence, isOwned(options));
    }

    private void noteProtocol(Behavior<?> behavior) {
        Class<?> protocol = behavior == null ? null : behavior.protocol();
        if (protocol != null) {
            onProtocol.accept(protocol);
        }
    }

    /** In the parent's turn. A child is where its parent is: behind the same fence, and held if the parent is. */
    <M> LocalActorRef<M> startChild(ActorCell<?> parent, Behavior<M> behavior, String actorName, SpawnOptions options) {
        requireStartable(behavior, actorName);
        Dispatcher dispatcher = FencedDispatcher.forChild(parent.dispatcher(), chosen(options));
        LocalActorRef<M> ref = new LocalActorRef<>(
                parent.ref(), actorName, nextId.getAndIncrement(), capacity(options, SpawnOptions.UNBOUNDED));
        ActorCell<M> cell = new ActorCell<>(ref, this, dispatcher, isOwned(options));
        cell.hold(parent.isHeld());
        return start(cell, parent.childTableForAdding(), behavior);
    }

    private Dispatcher chosen(SpawnOptions options) {
        return options.dispatcher().equals(Dispatchers.DEFAULT)
                ? defaultDispatcher
                : environment.dispatchers().named(options.dispatcher());
    }

    private boolean isOwned(SpawnOptions options) {
        return !options.dispatcher().equals(Dispatchers.DEFAULT)
                && environment.dispatchers().isOwnedByCaller(options.dispatcher());
    }

    private static int capacity(SpawnOptions options, int otherwise) {
        return options.mailboxCapacity() == SpawnOptions.DEFAULT_CAPACITY ? otherwise : options.mailboxCapacity();
    }

    private static void requireStartable(Behavior<?> behavior, String actorName) {
        Objects.requireNonNull(behavior, "behavior");
        if (behavior == Marker.SAME || behavior == Marker.UNHANDLED) {
            throw new IllegalArgumentException("an actor cannot begin as \"" + behavior + "\"");
        }
        if (actorName != null) {
            Names.requireAllowed(actorName);
        }
    }

    private <M> LocalActorRef<M> start(
            LocalActorRef<M> ref,
            ChildTable siblings,
            Behavior<M> behavior,
            Dispatcher dispatcher,
            boolean ownsDispatcher) {
        return start(new ActorCell<>(ref, this, dispatcher, ownsDispatcher), siblings, behavior);
    }

    private <M> LocalActorRef<M> start(ActorCell<M> cell, ChildTable siblings, Behavior<M> behavior) {
        LocalActorRef<M> ref = cell.ref();
        ref.attach(cell);
        boolean needsTurn = cell.lifecycle().prepare(behavior);
        try {
            if (!siblings.add(ref)) {
                throw new IllegalArgumentException("there is a child \"" + ref.name() + "\" of "
                        + ref.parent().path() + " already; choose another name, or wait until it has stopped");
            }
        } catch (RuntimeException refused) {
            cell.lifecycle().neverBegan();
            throw refused;
        }
        // Also who gets the ref by way of a data race must find the inside complete.
        VarHandle.releaseFence();
        if (needsTurn) {
            boolean ignored = ref.offerSystem(new SystemMessage.Start());
        }
        return ref;
    }

    @Override
    public void stop(ActorRef<?> actor) {
        if (!(actor instanceof LocalActorRef<?> local)
                || local.system() != this
                || local.parent() == null
                || local == user) {
            throw new IllegalArgumentException(actor.path() + " is not an actor of system " + name);
        }
        local.stopSoon();
    }

    @Override
    public Optional<ActorRef<?>> lookup(String path) {
        LocalActorRef<?> at = user;
        String below = path.startsWith(USER_PREFIX) ? path.substring(USER_PREFIX.length()) : path;
        for (String element : below.split("/", -1)) {
            ActorCell<?> cell = at.cell();
            ChildTable children = at == user ? topLevel : cell == null ? null : cell.childTable();
            LocalActorRef<?> child = children == null || element.isEmpty() ? null : children.get(element);
            if (child == null) {
                return Optional.empty();
            }
            at = child;
        }
        return at.isClosed() ? Optional.empty() : Optional.of(at);
    }

    /**
     * The actor at {@code /user/a/b} that another node means; null if there is none.
     *
     * @param uid the lower half of its incarnation; 0 for whichever lives there
     */
    public InternalRef<?> find(String localPath, int uid) {
        if (!localPath.startsWith(USER_PREFIX)) {
            return null;
        }
        Optional<ActorRef<?>> found = lookup(localPath);
        if (found.isEmpty()) {
            return null;
        }
        LocalActorRef<?> actor = (LocalActorRef<?>) found.get();
        return uid == 0 || uid == (int) actor.id() ? actor : null;
    }

    /** Tells {@code listener} of the messages of every top-level actor that is started from now on. */
    public void onProtocol(Consumer<Class<?>> listener) {
        onProtocol = listener;
    }

    /** Something that belongs to this system and is made once, such as its cluster. */
    public <T> void setExtension(Class<T> type, T extension) {
        extensions.put(type, extension);
    }

    public <T> Optional<T> extension(Class<T> type) {
        return Optional.ofNullable(type.cast(extensions.get(type)));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <M> Optional<ActorRef<M>> lookup(String path, Class<M> protocol) {
        Optional<ActorRef<?>> found = lookup(path);
        if (found.isPresent()) {
            ActorCell<?> cell = ((LocalActorRef<?>) found.get()).cell();
            Behavior<?> behavior = cell == null ? null : cell.behavior;
            Class<?> known = behavior == null ? null : behavior.protocol();
            if (known != null && !known.isAssignableFrom(protocol)) {
                throw new IllegalArgumentException(
                        "the actor at " + path + " understands " + known.getName() + ", not " + protocol.getName());
            }
        }
        return found.map(ref -> (ActorRef<M>) ref);
    }

    // --- What they share
    // -------------------------------------------------------------------------------------------------

    @Override
    public ActorRef<Object> deadLetters() {
        return deadLetters;
    }

    public DeadLetterOffice deadLetterOffice() {
        return deadLetters;
    }

    @Override
    public EventStream events() {
        return subscriptions;
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    void unhandled(Object message, ActorRef<?> recipient) {
        if (message instanceof dev.muster.actor.Signal) {
            return;
        }
        unhandled.increment();
        unhandledLog.info(() -> InternalRef.shown(recipient) + " did not handle " + RareLog.typeOf(message));
        // A subscriber that does not handle this event must not be told of that by another one, and so on for ever.
        if (!(message instanceof UnhandledMessage)) {
            subscriptions.publish(new UnhandledMessage(message, recipient));
        }
    }

    @Override
    public <M> Cancellable scheduleOnce(Duration delay, ActorRef<M> target, M message) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(message, "message");
        Timers.Timer timer = environment.timers().schedule(delay.toNanos(), () -> target.tell(message));
        return timer::cancel;
    }

    @Override
    public <M> Cancellable scheduleWithFixedDelay(Duration initial, Duration delay, ActorRef<M> target, M message) {
        return RepeatedSend.start(environment.timers(), initial, delay, target, message);
    }

    @Override
    public CoordinatedShutdown shutdown() {
        return shutdown;
    }

    /**
     * A phase of the shutdown takes longer than its time, up to {@code most}, as long as this says that it is needed.
     */
    public void holdOpen(CoordinatedShutdown.Phase phase, Duration most, BooleanSupplier isNeeded) {
        shutdown.holdOpen(phase, most, isNeeded);
    }

    TypeMetrics metricsOf(Behavior<?> behavior) {
        String type;
        if (behavior == null) {
            type = "failed before it began";
        } else {
            Class<?> protocol = behavior.protocol();
            type = protocol != null ? protocol.getName() : behavior.getClass().getName();
        }
        TypeMetrics known = metrics.get(type);
        return known != null ? known : metrics.computeIfAbsent(type, TypeMetrics::new);
    }

    @Override
    public ActorMetrics metrics() {
        MailboxDepths depths = MailboxDepths.below(user);
        return new ActorMetrics(
                metrics.values().stream()
                        .map(type -> type.read(depths))
                        .sorted(Comparator.comparing(ActorMetrics.OfType::type))
                        .toList(),
                deadLetters.counts(),
                unhandled.sum());
    }

    @Override
    public Optional<ActorMetrics.OfActor> metrics(ActorRef<?> actor) {
        if (!(actor instanceof LocalActorRef<?> local) || local.system() != this) {
            return Optional.empty();
        }
        ActorCell<?> cell = local.cell();
        return cell == null
                ? Optional.empty()
                : Optional.of(
                        new ActorMetrics.OfActor(local.path(), cell.handled(), local.waiting(), cell.meanNanos()));
    }

    FailureLog failureLog() {
        return failureLog;
    }

    public Dispatcher defaultDispatcher() {
        return defaultDispatcher;
    }

    @Override
    public ActorSettings settings() {
        return settings;
    }

    @Override
    public Environment environment() {
        return environment;
    }

    @Override
    public Logger log() {
        return log;
    }

    // --- The end
    // ---------------------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> terminate() {
        CompletableFuture<Void> ignored = shutdown.run("the actor system was told to terminate");
        return whenTerminated();
    }

    private CompletableFuture<Void> stopTree() {
        user.stopSoon();
        return treeEnded;
    }

    /** Stops all actors that users have started, and says when the last has ended. New ones can be started then. */
    public CompletableFuture<Void> stopTopLevelActors() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (LocalActorRef<?> actor : topLevel.all()) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            if (!actor.addWatcher((ref, failure) -> end.complete(null))) {
                end.complete(null);
            }
            actor.stopSoon();
        }
        return CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0]));
    }

    void rootEnded() {
        treeEnded.complete(null);
    }

    /** After the last phase, also when an actor would not stop in time. */
    private void ended() {
        isClosed = true;
        release.run();
        terminated.complete(null);
    }

    /** Whether all has ended, so that timers fire before they are due, or never. */
    boolean isClosed() {
        return isClosed;
    }

    @Override
    public CompletableFuture<Void> whenTerminated() {
        return terminated.copy();
    }

    @Override
    public void close() {
        terminate().join();
    }
}
