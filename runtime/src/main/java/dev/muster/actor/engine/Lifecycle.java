package dev.muster.actor.engine;

import dev.muster.actor.Behavior;
import dev.muster.actor.HandingOver;
import dev.muster.actor.PostStop;
import dev.muster.actor.PreRestart;
import dev.muster.actor.Signal;
import dev.muster.actor.Supervision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How an actor starts, fails, begins anew and ends. Used in the actor's turn only.
 *
 * <p>An end goes from the leaves up: stop the children, wait until the last has ended, tell the behavior, close the
 * mailbox, tell those who watch and the parent. A restart that stops the children waits for them in the same way.
 */
final class Lifecycle<M> {

    private enum Stage {
        NEW,
        RUNNING,
        /** Waiting for children to end, or for the back-off, before beginning anew. */
        RESTARTING,
        /** Waiting for children to end. */
        STOPPING,
        ENDED
    }

    private final ActorCell<M> cell;
    private final boolean ownsDispatcher;
    private Stage stage = Stage.NEW;

    /** What to begin with, until it has begun. */
    private Behavior<M> initial;

    /** Whether it was told to begin. If its parent is held, it waits with that. */
    private boolean isStartDue;

    private SupervisionLevel<M> supervision;

    /** The level that a restart under way begins anew with. */
    private SupervisionLevel<M> restarting;

    private boolean waitIsOver;
    private Throwable failure;
    private boolean escalates;
    private List<SystemMessage.Watcher> watchers;

    Lifecycle(ActorCell<M> cell, boolean ownsDispatcher) {
        this.cell = cell;
        this.ownsDispatcher = ownsDispatcher;
    }

    // --- Start
    // -----------------------------------------------------------------------------------------------------------

    /** Prepares the start, by whoever spawns. Returns true if a turn is needed for it. */
    boolean prepare(Behavior<M> behavior) {
        if (behavior instanceof Deferred || behavior instanceof Supervised || behavior instanceof Marker) {
            initial = behavior;
            return true;
        }
        // Nothing of the user's runs at the start of a plain behavior, so it may wait for its first message.
        stage = Stage.RUNNING;
        begin(behavior);
        return false;
    }

    /** The start was refused after all. */
    void neverBegan() {
        stage = Stage.ENDED;
        if (cell.metrics != null) {
            cell.metrics.stopped.increment();
        }
        if (ownsDispatcher) {
            cell.dispatcher().shutdown();
        }
    }

    boolean hasEnded() {
        return stage == Stage.ENDED;
    }

    /** Whether it will never again have what it starts now. */
    boolean isEnding() {
        return stage == Stage.STOPPING || stage == Stage.ENDED;
    }

    private void begin(Behavior<M> behavior) {
        cell.behavior = behavior;
        cell.wantsMessages(true);
        if (cell.metrics == null) {
            cell.metrics = cell.localSystem().metricsOf(behavior);
            cell.metrics.started.increment();
        }
    }

    private void startIfReady() {
        if (stage != Stage.NEW || !isStartDue || cell.isHeld()) {
            return;
        }
        Behavior<M> behavior = initial;
        initial = null;
        stage = Stage.RUNNING;
        startWith(behavior, null);
    }

    private void startWith(Behavior<M> behavior, SupervisionLevel<M> outer) {
        try {
            supervision = outer;
            become(behavior, outer);
        } catch (Throwable thrown) {
            failed(thrown);
        }
    }

    /**
     * A handler returned another behavior. Rules that come with it, also by a setup, replace those before; else they
     * would pile up with every step of a state machine.
     */
    void become(Behavior<M> behavior) throws Exception {
        if (behavior instanceof Deferred || behavior instanceof Supervised || behavior instanceof Marker) {
            become(behavior, null);
        } else {
            cell.behavior = behavior;
        }
    }

    /** Unwraps rules and runs setups until a behavior proper is left. */
    private void become(Behavior<M> behavior, SupervisionLevel<M> outer) throws Exception {
        Behavior<M> at = behavior;
        SupervisionLevel<M> level = outer;
        while (true) {
            if (at instanceof Supervised<M> supervised) {
                level = new SupervisionLevel<>(supervised, level);
                supervision = level;
                at = supervised.behavior;
            } else if (at instanceof Deferred<M> deferred) {
                at = deferred.setup.start(cell);
            } else {
                break;
            }
        }
        if (at == null || at == Marker.SAME || at == Marker.UNHANDLED) {
            throw new IllegalStateException("a setup must return the behavior to begin with, but returned " + at);
        }
        if (at == Marker.STOPPED) {
            begin(Marker.empty());
            stop(null);
        } else {
            begin(at);
        }
    }

    // --- System messages
    // -------------------------------------------------------------------------------------------------

    void handleSystemMessages() {
        SystemMessage message = cell.takeSystemMessages();
        if (stage == Stage.NEW && isHeldWithParent(message)) {
            cell.hold(true); // before the start that came first: the setup would not be quiet
        }
        while (message != null && stage != Stage.ENDED) {
            SystemMessage following = message.next;
            message.next = null;
            handle(message);
            message = following;
        }
        // Only an actor that has ended leaves some.
        answerLate(message);
    }

    private static boolean isHeldWithParent(SystemMessage first) {
        for (SystemMessage message = first; message != null; message = message.next) {
            if (message instanceof SystemMessage.Hold hold && hold.isPassedDown) {
                return true;
            }
        }
        return false;
    }

    private void handle(SystemMessage message) {
        if (message instanceof SystemMessage.ChildStopped stopped) {
            childStopped(stopped);
        } else if (message instanceof SystemMessage.Watch watch) {
            addWatcher(watch.watcher);
        } else if (message instanceof SystemMessage.Unwatch unwatch) {
            if (watchers != null) {
                watchers.remove(unwatch.watcher);
            }
        } else if (message instanceof SystemMessage.Start) {
            isStartDue = true;
            startIfReady();
        } else if (message instanceof SystemMessage.Stop) {
            stop(null);
        } else if (message instanceof SystemMessage.BeginAnew) {
            waitIsOver = true;
            beginAnewIfReady();
        } else if (message instanceof SystemMessage.Retire retire) {
            retire(retire);
        } else if (message instanceof SystemMessage.Hold hold) {
            cell.hold(true);
            children().forEach(LocalActorRef::holdWithParent);
            tellOutside(hold.whenQuiet);
        } else if (message instanceof SystemMessage.Release) {
            cell.hold(false);
            children().forEach(LocalActorRef::release);
            startIfReady();
            beginAnewIfReady();
        }
    }

    private List<LocalActorRef<?>> children() {
        return cell.childTable() == null ? List.of() : cell.childTable().all();
    }

    private void addWatcher(SystemMessage.Watcher watcher) {
        if (watchers == null) {
            watchers = new ArrayList<>(1);
        }
        watchers.add(watcher);
    }

    private void childStopped(SystemMessage.ChildStopped stopped) {
        cell.childTable().remove(stopped.child);
        if (stopped.escalated != null && stage == Stage.RUNNING) {
            failed(stopped.escalated);
        } else {
            beginAnewIfReady();
            endIfReady();
        }
    }

    // --- Failure
    // -----------------------------------------------------------------------------------------------------------

    void failed(Throwable thrown) {
        passOnIfFatal(thrown);
        if (thrown instanceof InterruptedException) {
            // The actor fails by it like by any exception; the thread goes on to other actors' turns.
            dev.muster.environment.Turn.clearInterrupt();
        }
        if (stage != Stage.RUNNING) {
            cell.localSystem().failureLog().failedBeside(cell.ref(), "was stopping", thrown);
            return;
        }
        countFailure();
        SupervisionLevel<M> level = SupervisionLevel.responsibleFor(thrown, supervision);
        Supervision.Directive directive = level == null ? Supervision.Directive.STOP : level.decide(cell.nanoTime());
        cell.localSystem().failureLog().failed(cell.ref(), thrown, directive);
        switch (directive) {
            case RESUME -> {
                if (cell.behavior == null) {
                    // There is nothing to go on with when it failed before it began.
                    stop(thrown);
                }
            }
            case RESTART -> restart(level);
            case STOP -> stop(thrown);
            case ESCALATE -> {
                escalates = true;
                stop(thrown);
            }
        }
    }

    /** A failure that changes nothing any more. */
    void failedBeside(String doing, Throwable thrown) {
        passOnIfFatal(thrown);
        cell.localSystem().failureLog().failedBeside(cell.ref(), doing, thrown);
    }

    private void passOnIfFatal(Throwable thrown) {
        if (Failures.isFatal(thrown)) {
            cell.environment().fatal().accept(thrown);
        }
    }

    private void countFailure() {
        if (cell.metrics == null) {
            cell.metrics = cell.localSystem().metricsOf(null);
            cell.metrics.started.increment();
        }
        cell.metrics.failures.increment();
    }

    private void restart(SupervisionLevel<M> level) {
        stage = Stage.RESTARTING;
        cell.wantsMessages(false);
        restarting = level;
        cell.metrics.restarts.increment();
        tell(cell.behavior, PreRestart.INSTANCE);
        // It has closed what it had opened: when the actor is stopped before it begins anew, nobody hears PostStop.
        cell.behavior = null;
        resetExtras();
        if (level.stopsChildren()) {
            forgetChildren();
            stopChildren();
        }
        long wait = level.backoffNanos(cell.nanoTime(), cell.environment().random());
        if (wait > 0) {
            waitIsOver = false;
            LocalActorRef<M> ref = cell.ref();
            cell.environment().timers().schedule(wait, () -> {
                boolean ignored = ref.offerSystem(new SystemMessage.BeginAnew());
            });
        } else {
            // Through the mailbox and in a later turn: an actor that fails at every start must not keep others waiting.
            boolean ignored = cell.ref().offerSystem(new SystemMessage.BeginAnew());
            cell.yieldTurn();
        }
    }

    private void beginAnewIfReady() {
        if (stage != Stage.RESTARTING || !waitIsOver || restarting.stopsChildren() && hasChildren()) {
            return;
        }
        if (cell.isHeld()) {
            return; // its setup would not be quiet
        }
        SupervisionLevel<M> level = restarting;
        restarting = null;
        waitIsOver = false;
        stage = Stage.RUNNING;
        if (cell.childTable() != null) {
            cell.childTable().reopen();
        }
        startWith(level.initial, level);
    }

    // --- Handing over
    // ------------------------------------------------------------------------------------------------------

    private void retire(SystemMessage.Retire retire) {
        cell.forgetReplyTarget();
        // One that begins anew or stops has nothing to ask any more, but messages may still wait for it.
        GivenState given = new GivenState(cell);
        Throwable thrown = retire.taker != null && stage == Stage.RUNNING ? askForState(given) : null;
        Optional<Object> state = given.close();
        if (thrown == null && state.isPresent()) {
            thrown = offer(state.get(), retire.taker);
        }
        if (thrown != null) {
            Retired not = Retired.not(thrown);
            tellOutside(() -> retire.then.accept(not));
            return; // what it knows must not end with it
        }
        cell.wantsMessages(false);
        Retired retired = new Retired(cell.takeRest(), state, Optional.empty());
        // Before its children have ended and it hears PostStop: whoever comes after it need not wait for that.
        tellOutside(() -> retire.then.accept(retired));
        stop(null);
    }

    /** Returns what went wrong, or null. */
    private Throwable askForState(GivenState given) {
        try {
            cell.behavior.onSignal(cell, new HandingOver(given));
            return null;
        } catch (Throwable thrown) {
            failedBeside("handled HandingOver", thrown);
            return thrown;
        }
    }

    /** In its turn, so that it is still the owner of what it gives. Returns what went wrong, or null. */
    private static Throwable offer(Object state, Consumer<Object> taker) {
        try {
            taker.accept(state);
            return null;
        } catch (RuntimeException refused) {
            return refused;
        }
    }

    // --- End
    // ---------------------------------------------------------------------------------------------------------------

    /** Begins to end. A failure that ends the actor is what its parent may be told. */
    void stop(Throwable cause) {
        if (stage == Stage.STOPPING || stage == Stage.ENDED) {
            endIfReady();
            return;
        }
        stage = Stage.STOPPING;
        failure = cause;
        cell.wantsMessages(false);
        stopChildren();
        endIfReady();
    }

    /** The new behavior never asked to hear of the old one's children, not even of those that ended just now. */
    private void forgetChildren() {
        if (cell.watching() != null) {
            cell.watching().takeBackChildren(cell.ref());
        }
    }

    private void stopChildren() {
        if (cell.childTable() != null) {
            for (LocalActorRef<?> child : cell.childTable().close()) {
                child.stopSoon();
            }
        }
    }

    private boolean hasChildren() {
        return cell.childTable() != null && !cell.childTable().isEmpty();
    }

    private void endIfReady() {
        if (stage == Stage.STOPPING && !hasChildren()) {
            end();
        }
    }

    private void end() {
        Behavior<M> last = cell.behavior;
        cell.behavior = null;
        tell(last, PostStop.INSTANCE);
        stage = Stage.ENDED;
        resetExtras();
        if (cell.watching() != null) {
            cell.watching().takeBackAll(cell.ref());
        }
        if (cell.metrics != null) {
            cell.metrics.stopped.increment();
        }
        cell.discardUnread();
        SystemMessage unread = cell.ref().close(cell);
        cell.discardUnread();
        // The parent first: when it hears of the end as a watcher, the name must be free again.
        tellParent();
        answerLate(unread);
        tellWatchers();
        cell.ref().detach();
        if (ownsDispatcher) {
            cell.dispatcher().shutdown();
        }
    }

    private void tellWatchers() {
        if (watchers != null) {
            for (SystemMessage.Watcher watcher : watchers) {
                tellEnd(watcher);
            }
        }
    }

    private void answerLate(SystemMessage unread) {
        for (SystemMessage message = unread; message != null; message = message.next) {
            if (message instanceof SystemMessage.Watch watch) {
                tellEnd(watch.watcher);
            } else if (message instanceof SystemMessage.Retire retire) {
                tellOutside(() -> retire.then.accept(Retired.NOTHING));
            } else if (message instanceof SystemMessage.Hold hold) {
                tellOutside(hold.whenQuiet);
            }
        }
    }

    /** Whoever waits for this actor may fail, but not at its expense. */
    private void tellOutside(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            failedBeside("told somebody that it has done so", thrown);
        }
    }

    private void tellEnd(SystemMessage.Watcher watcher) {
        boolean isParent = watcher == (Object) cell.ref().parent();
        watcher.ended(cell.ref(), isParent ? failure : null);
    }

    private void tellParent() {
        LocalActorRef<?> parent = cell.ref().parent();
        if (parent == null) {
            cell.localSystem().rootEnded();
        } else {
            boolean ignored =
                    parent.offerSystem(new SystemMessage.ChildStopped(cell.ref(), escalates ? failure : null));
        }
    }

    /** A signal whose outcome changes nothing any more; a failure in it is logged and goes no further. */
    private void tell(Behavior<M> behavior, Signal signal) {
        if (behavior == null) {
            return;
        }
        try {
            behavior.onSignal(cell, signal);
        } catch (Throwable thrown) {
            failedBeside("handled " + signal, thrown);
        }
    }

    private void resetExtras() {
        if (cell.extras() != null) {
            cell.extras().reset();
        }
    }
}
