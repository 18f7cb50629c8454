package dev.muster.actor.engine;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.AskTimeoutException;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.NotDeliveredException;
import dev.muster.actor.UnexpectedReplyException;
import dev.muster.environment.Timers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * A question on its way: the address that the reply goes to, and the future it completes. The first of reply, time-out
 * and refusal wins; whatever comes after it is a dead letter.
 *
 * <p>Nothing keeps it but the message, the asker and its timer, and the timer is cancelled by the reply, so a question
 * that was answered or given up leaves nothing behind.
 */
public final class Ask<R> extends CompletableFuture<R> implements InternalRef<Object>, Runnable {

    private static final VarHandle SETTLED;
    private static final VarHandle SPARE;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(Ask.class, "settled", boolean.class);
            SPARE = MethodHandles.lookup().findVarHandle(Ask.class, "spare", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LocalActorSystem system;
    private final Class<R> replyType;
    private final ActorRef<?> target;
    private final Duration timeout;
    private final boolean completesInPlace;
    private Timers.Timer timer;

    /** What has to be given up together with the question, such as its name on the wire. */
    private volatile Runnable cleanUp;

    private volatile boolean settled;

    /** How many may refuse it while somebody is left who might answer. Only by {@link #SPARE}. */
    @SuppressWarnings("unused")
    private int spare;

    Ask(LocalActorSystem system, Class<R> replyType, ActorRef<?> target, Duration timeout, boolean completesInPlace) {
        this.system = system;
        this.replyType = replyType;
        this.target = target;
        this.timeout = timeout;
        this.completesInPlace = completesInPlace;
    }

    void startTimer() {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of an ask must be positive, was " + timeout);
        }
        timer = system.environment().timers().schedule(timeout.toNanos(), this);
    }

    /** Runs {@code task} once the question is settled, at once if it is. */
    public void onSettled(Runnable task) {
        cleanUp = task;
        if (settled) {
            task.run();
        }
    }

    @Override
    public boolean hasEnded() {
        return settled;
    }

    private boolean settleOnce() {
        if (!SETTLED.compareAndSet(this, false, true)) {
            return false;
        }
        Runnable task = cleanUp;
        if (task != null) {
            task.run();
        }
        return true;
    }

    /** The reply. */
    @Override
    public void tell(Object reply, ActorRef<?> ignored) {
        if (reply == null) {
            throw new NullPointerException("a reply must not be null");
        }
        if (!settleOnce()) {
            system.deadLetterOffice().undelivered(reply, null, this, DeadLetter.Reason.LATE_REPLY);
            return;
        }
        cancelTimer();
        if (replyType != null && !replyType.isInstance(reply)) {
            settle(
                    null,
                    new UnexpectedReplyException("asked " + InternalRef.shown(target) + " for a " + replyType.getName()
                            + ", but the reply was a " + reply.getClass().getName()));
        } else {
            settle(reply, null);
        }
    }

    /** The time-out, called by the timer; before its time if the system is closed. */
    @Override
    public void run() {
        if (settleOnce()) {
            String asked = InternalRef.shown(target);
            AskTimeoutException late = new AskTimeoutException(
                    system.isClosed()
                            ? "the actor system " + system.name() + " was closed before " + asked + " replied"
                            : asked + " did not reply within " + timeout);
            // Never here: a callback attached in this very moment would hold up all timers.
            completeElsewhere(null, late);
        }
    }

    @Override
    public void copied(int more) {
        SPARE.getAndAdd(this, more);
    }

    @Override
    public void undelivered(ActorRef<?> recipient, DeadLetter.Reason reason) {
        boolean isLast = (int) SPARE.getAndAdd(this, -1) <= 0;
        if (isLast && settleOnce()) {
            cancelTimer();
            settle(
                    null,
                    new NotDeliveredException(
                            InternalRef.shown(recipient), InternalRef.why(recipient, reason), reason));
        }
    }

    /**
     * Whoever waits must not hold up the one who replies, nor the timer: callbacks run on the default dispatcher. Where
     * there is none yet, completing runs nothing (but one that is attached right now), and can be done here.
     */
    private void settle(Object reply, Throwable failure) {
        if (completesInPlace || getNumberOfDependents() == 0) {
            completeWith(reply, failure);
        } else {
            completeElsewhere(reply, failure);
        }
    }

    private void completeElsewhere(Object reply, Throwable failure) {
        if (completesInPlace) {
            completeWith(reply, failure);
            return;
        }
        try {
            system.defaultDispatcher().execute(() -> completeWith(reply, failure));
        } catch (RejectedExecutionException systemHasEnded) {
            completeWith(reply, failure);
        }
    }

    @SuppressWarnings("unchecked")
    private void completeWith(Object reply, Throwable failure) {
        boolean isNew = failure != null ? completeExceptionally(failure) : complete((R) reply);
        if (!isNew && failure == null) {
            system.deadLetterOffice().undelivered(reply, null, this, DeadLetter.Reason.LATE_REPLY);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (settleOnce()) {
            cancelTimer();
        }
        return super.cancel(mayInterruptIfRunning);
    }

    /** What depends on it is a plain future: only the question itself is an address. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    private void cancelTimer() {
        // Somebody may reply while the question is still being put together.
        Timers.Timer started = timer;
        if (started != null) {
            started.cancel();
        }
    }

    @Override
    public LocalActorSystem system() {
        return system;
    }

    @Override
    public ActorPath path() {
        return new ActorPath(system.name(), List.of("temp", "ask"), 0);
    }

    @Override
    public String toString() {
        return "ask of " + InternalRef.shown(target);
    }
}
