package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Cancellable;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.DeathPactException;
import dev.muster.actor.SpawnOptions;
import dev.muster.actor.StashBuffer;
import dev.muster.actor.Terminated;
import dev.muster.actor.TimerScheduler;
import dev.muster.environment.Dispatcher;
import dev.muster.environment.Environment;
import dev.muster.environment.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * The inside of an actor: its behavior, and what it does in its turns.
 *
 * <p>A turn reads system messages first, then user messages up to a limit, and ends with the mailbox either idle or
 * scheduled again. Everything here is touched by the actor's turn alone, except where a comment says otherwise; one
 * turn happens before the next, whatever thread runs it, because the mailbox's latch lies between them.
 *
 * <p>How it fails, restarts and stops is in {@link Lifecycle}.
 */
final class ActorCell<M> implements ActorContext<M>, Mailbox.Reader {

    /** One message in so many is timed. A power of two. */
    private static final int SAMPLING = 64;

    private final LocalActorRef<M> ref;
    private final LocalActorSystem system;
    private final Dispatcher dispatcher;
    private final Lifecycle<M> lifecycle;

    Behavior<M> behavior;
    /** Not before the start, while waiting for a restart, or when stopping. */
    private boolean wantsMessages;
    /** Whether somebody outside wants it to be quiet. A restart changes nothing about that. */
    private boolean isHeld;
    /** Whether user messages are read: it wants them, and is not held. */
    private boolean reads;

    /** What this turn has taken from the mailbox, in pairs, and how far it has read. */
    private Object[] tray;

    private int next;
    private int end;

    /** Unstashed messages, handled before the tray; null while there are none. */
    private Deque<ActorStash.Aside> first;

    /** Set by other threads under the mailbox's latch. */
    private volatile boolean interrupted;

    private ActorRef<?> replyTo;
    /** Whether what is handled now has the mark of {@link Unread#isForAll}. */
    private boolean isAtOneForAll;

    private int budget;
    private long handled;
    private long counted;
    private float meanNanos;

    /** Who runs this actor now; null between turns. */
    private Object runner;

    private ChildTable children;
    private Watching<M> watching;
    private Extras<M> extras;
    TypeMetrics metrics;

    ActorCell(LocalActorRef<M> ref, LocalActorSystem system, Dispatcher dispatcher, boolean ownsDispatcher) {
        this.ref = ref;
        this.system = system;
        this.dispatcher = dispatcher;
        this.lifecycle = new Lifecycle<>(this, ownsDispatcher);
    }

    // --- A turn
    // --------------------------------------------------------------------------------------------------------

    void turn() {
        runner = Turn.current();
        budget = dispatcher.messagesPerTurn();
        Fence fence = dispatcher instanceof FencedDispatcher fenced ? fenced.fence() : null;
        while (true) {
            if (interrupted && mayGoOn(fence)) {
                lifecycle.handleSystemMessages();
            }
            if (reads) {
                readMessages(fence);
            }
            if (lifecycle.hasEnded()) {
                endTurn();
                return;
            }
            if (interrupted && budget > 0) {
                continue;
            }
            if (budget <= 0) {
                endTurn();
                ref.scheduleAfterOthers();
                return;
            }
            if (takeMoreOrEnd()) {
                return;
            }
        }
    }

    /**
     * Something that is not the behavior's failure got out of a turn: a logger that throws, or a mistake of ours. An
     * actor in an unknown condition must not go on, but it must not hang either, for its parent waits for its end.
     */
    void turnBroke(Throwable escaped) {
        if (Failures.isFatal(escaped)) {
            environment().fatal().accept(escaped);
        }
        if (!lifecycle.hasEnded()) {
            ref.stopSoon();
            endTurn();
            ref.scheduleAfterOthers();
        }
    }

    /** Returns true when the turn is over. */
    private boolean takeMoreOrEnd() {
        // A failure may have left messages in the tray.
        if (reads && (next < end || first != null)) {
            return false;
        }
        if (tray != null && next >= end && tray.length > Mailbox.LARGE_TRAY && end < tray.length / 4) {
            // It grew with a flood that has passed. (One that waits for its restart may have messages left in it.)
            tray = null;
        }
        Object me = runner;
        endTurn();
        if (ref.takeOrIdle(this, reads) == Mailbox.IDLE) {
            return true;
        }
        runner = me;
        return false;
    }

    private void endTurn() {
        if (counted != handled && metrics != null) {
            metrics.messages.add(handled - counted);
            counted = handled;
        }
        if (extras != null) {
            extras.clearLogContext();
        }
        // Whoever runs next on this thread was not meant by an interrupt that came now.
        Turn.clearInterrupt();
        replyTo = null;
        runner = null;
    }

    /**
     * The process may stand still at any point of a turn. So whoever is behind a fence looks at it before each message
     * and not only when the turn begins; if it is closed, the rest waits for a turn that comes when it opens.
     */
    private boolean mayGoOn(Fence fence) {
        if (fence == null || fence.isOpen()) {
            return true;
        }
        yieldTurn();
        return false;
    }

    /** @param fence null for nearly all actors, to whom it costs nothing */
    private void readMessages(Fence fence) {
        try {
            while (budget > 0 && reads && !interrupted && (fence == null || mayGoOn(fence))) {
                Object message;
                if (first != null) {
                    message = nextOfFirst();
                } else if (next < end) {
                    message = nextOfTray();
                } else {
                    return;
                }
                budget--;
                handle(message);
            }
        } catch (Throwable failure) {
            lifecycle.failed(failure);
        }
    }

    private Object nextOfTray() {
        Object[] slots = tray;
        int at = next;
        Object message = slots[at];
        replyTo = (ActorRef<?>) slots[at + 1];
        slots[at] = null;
        slots[at + 1] = null;
        next = at + 2;
        return message;
    }

    private Object nextOfFirst() {
        ActorStash.Aside letter = first.pollFirst();
        if (first.isEmpty()) {
            first = null;
        }
        replyTo = letter.replyTo();
        // What was put aside came from a stash, so there are extras.
        extras.comesBack(handled + 1, letter.number());
        return letter.message();
    }

    private void handle(Object message) throws Exception {
        if ((++handled & (SAMPLING - 1)) == 0) {
            handleTimed(message);
        } else {
            handleUntimed(message);
        }
    }

    private void handleTimed(Object message) throws Exception {
        long start = nanoTime();
        try {
            handleUntimed(message);
        } finally {
            long nanos = nanoTime() - start;
            metrics.sampled.increment();
            metrics.sampledNanos.add(nanos);
            meanNanos = meanNanos == 0 ? nanos : meanNanos * 0.9f + nanos * 0.1f;
        }
    }

    @SuppressWarnings("unchecked")
    private void handleUntimed(Object message) throws Exception {
        if (message instanceof Notice notice) {
            notice.deliver(this);
        } else {
            receive((M) message);
        }
    }

    /** Hands one message to the behavior. */
    void receive(M message) throws Exception {
        if (extras != null) {
            extras.messageCame();
        }
        Behavior<M> result = behavior.onMessage(this, message);
        if (result != behavior && result != Marker.SAME) {
            follow(result, message);
        }
    }

    /** The same for a message with a mark that it keeps when it is put aside. */
    void receiveForAll(M message) throws Exception {
        isAtOneForAll = true;
        try {
            receive(message);
        } finally {
            isAtOneForAll = false;
        }
    }

    boolean isAtOneForAll() {
        return isAtOneForAll;
    }

    /** Hands one signal to the behavior; returns false if it was not handled. */
    boolean signal(dev.muster.actor.Signal signal) throws Exception {
        Behavior<M> result = behavior.onSignal(this, signal);
        if (result == Marker.UNHANDLED) {
            return false;
        }
        if (result != behavior && result != Marker.SAME) {
            follow(result, signal);
        }
        return true;
    }

    private void follow(Behavior<M> result, Object cause) throws Exception {
        if (result == null) {
            throw new NullPointerException(
                    "a handler returned null instead of a behavior; to stay as it is, return Behaviors.same()");
        }
        if (result == Marker.UNHANDLED) {
            system.unhandled(cause, ref);
            InternalRef.tellUndelivered(replyTo, ref, DeadLetter.Reason.UNHANDLED);
        } else if (result == Marker.STOPPED) {
            lifecycle.stop(null);
        } else {
            lifecycle.become(result);
        }
    }

    void watchedEnded(ActorRef<?> other, Throwable failure) throws Exception {
        if (watching == null || !watching.isWatched(other)) {
            return;
        }
        M instead = watching.remove(other);
        if (instead != null) {
            receive(instead);
        } else if (!signal(new Terminated(other, Optional.ofNullable(failure)))) {
            throw new DeathPactException(other);
        }
    }

    // --- The reading side of the mailbox
    // -------------------------------------------------------------------------------

    @Override
    public Object[] exchange(Object[] full, int used) {
        Object[] empty = tray;
        tray = full;
        next = 0;
        end = used;
        return empty;
    }

    /** Called by other threads too, which may see an older and therefore higher number. */
    int unread() {
        return Math.max(0, end - next) >> 1;
    }

    /** Called by other threads, under the mailbox's latch. */
    void interrupt() {
        interrupted = true;
    }

    SystemMessage takeSystemMessages() {
        interrupted = false;
        return ref.takeSystem();
    }

    /** No more messages in this turn: somebody else's turn comes first. */
    void yieldTurn() {
        budget = 0;
    }

    /** What is left to read becomes dead letters. */
    void discardUnread() {
        while (first != null || next < end) {
            Object message = first != null ? nextOfFirst() : nextOfTray();
            discard(message);
        }
        replyTo = null;
    }

    private void discard(Object message) {
        Object letter = message instanceof Notice notice ? notice.undelivered() : message;
        if (letter != null) {
            system.deadLetterOffice().undelivered(letter, replyTo, ref, DeadLetter.Reason.STOPPED);
        }
    }

    /**
     * Everything that was not handled, oldest first; nothing is let in any more. What was sent to an adapter was meant
     * for this actor and none after it, and becomes a dead letter.
     */
    List<Letter> takeRest() {
        if (extras != null) {
            extras.reset();
        }
        if (first != null) {
            // With several stashes, what is in the second may be older than what is in the first.
            List<ActorStash.Aside> aside = new ArrayList<>(first);
            aside.sort(Comparator.comparingLong(ActorStash.Aside::number));
            first = new ArrayDeque<>(aside);
        }
        List<Letter> rest = new ArrayList<>();
        takeUnreadInto(rest);
        ref.refuse(this);
        takeUnreadInto(rest);
        replyTo = null;
        return rest;
    }

    private void takeUnreadInto(List<Letter> rest) {
        while (first != null || next < end) {
            Object message = first != null ? nextOfFirst() : nextOfTray();
            if (message instanceof Notice notice && !(notice instanceof Notice.Arrived)) {
                discard(notice);
                continue;
            }
            Notice.Arrived arrived = message instanceof Notice.Arrived notice ? notice : null;
            Object letter = arrived != null ? read(arrived) : message;
            if (letter != null) {
                rest.add(new Letter(letter, replyTo, arrived != null && arrived.isForAll()));
            }
        }
    }

    private Object read(Notice.Arrived arrived) {
        try {
            return arrived.undelivered();
        } catch (Throwable thrown) {
            // One that breaks its reader must not take the others with it.
            lifecycle.failedBeside("read a message that it hands over", thrown);
            return null;
        }
    }

    void handleFirst(Deque<ActorStash.Aside> letters) {
        if (letters.isEmpty()) {
            return;
        }
        Deque<ActorStash.Aside> all = new ArrayDeque<>(letters);
        if (first != null) {
            all.addAll(first);
        }
        first = all;
    }

    // --- Whether it reads
    // ------------------------------------------------------------------------------------------------------

    void wantsMessages(boolean wants) {
        wantsMessages = wants;
        reads = wantsMessages && !isHeld;
    }

    void hold(boolean held) {
        isHeld = held;
        reads = wantsMessages && !isHeld;
    }

    boolean isHeld() {
        return isHeld;
    }

    // --- What other classes of the engine need
    // -------------------------------------------------------------------------

    LocalActorRef<M> ref() {
        return ref;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Environment environment() {
        return system.environment();
    }

    LocalActorSystem localSystem() {
        return system;
    }

    Lifecycle<M> lifecycle() {
        return lifecycle;
    }

    long nanoTime() {
        return system.environment().clock().nanoTime();
    }

    /** Counts that other threads read; they may be a turn old. */
    long handled() {
        return handled;
    }

    float meanNanos() {
        return meanNanos;
    }

    ActorRef<?> currentReplyTarget() {
        return replyTo;
    }

    /** What is handled now is nobody's message. */
    void forgetReplyTarget() {
        replyTo = null;
    }

    ChildTable childTable() {
        return children;
    }

    ChildTable childTableForAdding() {
        if (children == null) {
            children = new ChildTable();
        }
        return children;
    }

    Watching<M> watching() {
        return watching;
    }

    Extras<M> extras() {
        return extras;
    }

    private Extras<M> extrasForChange() {
        if (extras == null) {
            extras = new Extras<>(this);
        }
        return extras;
    }

    TimerScheduler<M> timers() {
        return extrasForChange().timers();
    }

    StashBuffer<M> stash(int capacity) {
        return extrasForChange().stash(capacity);
    }

    void requireOwnTurn(String what) {
        if (runner != Turn.current()) {
            throw new IllegalStateException("only " + ref.path() + " itself, while it handles a message, can " + what
                    + "; from a callback send it a message, or use pipeToSelf");
        }
    }

    // --- The context that behaviors see
    // --------------------------------------------------------------------------------

    @Override
    public ActorRef<M> self() {
        return ref;
    }

    @Override
    public ActorSystem system() {
        return system;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void reply(Object reply) {
        requireOwnTurn("reply (keep replyTo() to do so later)");
        ActorRef<?> target = replyTo;
        if (target != null) {
            ((ActorRef<Object>) target).tell(reply);
        } else {
            Objects.requireNonNull(reply, "reply");
            system.deadLetterOffice().undelivered(reply, null, ref, DeadLetter.Reason.NO_REPLY_EXPECTED);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public ActorRef<Object> replyTo() {
        requireOwnTurn("know who waits for a reply");
        return replyTo != null ? (ActorRef<Object>) replyTo : system.deadLetters();
    }

    @Override
    public boolean expectsReply() {
        requireOwnTurn("know who waits for a reply");
        return replyTo != null;
    }

    @Override
    public <C> ActorRef<C> spawn(Behavior<C> child) {
        return spawn(child, null, SpawnOptions.defaults());
    }

    @Override
    public <C> ActorRef<C> spawn(Behavior<C> child, String name) {
        return spawn(child, Objects.requireNonNull(name, "name"), SpawnOptions.defaults());
    }

    @Override
    public <C> ActorRef<C> spawn(Behavior<C> child, String name, SpawnOptions options) {
        requireOwnTurn("spawn a child");
        if (lifecycle.isEnding()) {
            throw new IllegalStateException(ref.path() + " is stopping, so it can start no child any more");
        }
        return system.startChild(this, child, name, options);
    }

    @Override
    public void stop(ActorRef<?> child) {
        requireOwnTurn("stop a child");
        if (!(child instanceof LocalActorRef<?> local) || local.parent() != ref) {
            throw new IllegalArgumentException(child.path() + " is not a child of " + ref.path()
                    + "; an actor stops its own children, and itself by returning Behaviors.stopped()");
        }
        local.stopSoon();
    }

    @Override
    public List<ActorRef<?>> children() {
        return children == null ? List.of() : List.copyOf(children.all());
    }

    @Override
    public Optional<ActorRef<?>> child(String name) {
        return children == null ? Optional.empty() : Optional.ofNullable(children.get(name));
    }

    @Override
    public void watch(ActorRef<?> other) {
        watch(other, null);
    }

    @Override
    public void watchWith(ActorRef<?> other, M message) {
        watch(other, Objects.requireNonNull(message, "message"));
    }

    private void watch(ActorRef<?> other, M message) {
        requireOwnTurn("watch an actor");
        if (other == ref) {
            throw new IllegalArgumentException(ref.path() + " cannot watch itself; handle PostStop instead");
        }
        if (watching == null) {
            watching = new Watching<>();
        }
        watching.add(other, message, ref);
    }

    @Override
    public void unwatch(ActorRef<?> other) {
        requireOwnTurn("unwatch an actor");
        if (watching != null) {
            watching.takeBack(other, ref);
        }
    }

    @Override
    public <U> ActorRef<U> adapt(Class<U> type, Function<? super U, ? extends M> function) {
        return new AdapterRef<>(ref, type, function);
    }

    @Override
    public <T> void pipeToSelf(
            CompletionStage<T> future, BiFunction<? super T, ? super Throwable, ? extends M> function) {
        Objects.requireNonNull(function, "function");
        LocalActorRef<M> self = ref;
        future.whenComplete((value, failure) -> {
            boolean ignored = self.offerNotice(new Notice.Piped<T, M>(value, Failures.unwrapped(failure), function));
        });
    }

    @Override
    public <Q, R> void ask(
            ActorRef<Q> other,
            Q message,
            Class<R> replyType,
            Duration timeout,
            BiFunction<? super R, ? super Throwable, ? extends M> function) {
        // Between actors nothing but an enqueueing hangs on the reply, so it keeps its place among what the other one
        // sends.
        pipeToSelf(
                other instanceof InternalRef<Q> local
                        ? local.askInPlace(message, replyType, timeout)
                        : other.ask(message, replyType, timeout),
                function);
    }

    @Override
    public <T> Cancellable scheduleOnce(Duration delay, ActorRef<T> target, T message) {
        return system.scheduleOnce(delay, target, message);
    }

    @Override
    public void setReceiveTimeout(Duration timeout, M message) {
        requireOwnTurn("set a receive timeout");
        extrasForChange().setReceiveTimeout(timeout, message);
    }

    @Override
    public void cancelReceiveTimeout() {
        requireOwnTurn("cancel a receive timeout");
        if (extras != null) {
            extras.cancelReceiveTimeout();
        }
    }

    @Override
    public Logger log() {
        requireOwnTurn("log by its context");
        return extrasForChange().log(metrics == null ? "unnamed" : metrics.type());
    }

    @Override
    public String toString() {
        return "context of " + ref.path();
    }
}
