package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What every ref of this engine shares: asking is the same whatever the ref leads to. */
public interface InternalRef<M> extends ActorRef<M> {

    LocalActorSystem system();

    @Override
    default void tell(M message) {
        tell(message, null);
    }

    @Override
    default <R> CompletableFuture<R> ask(M message, Class<R> replyType) {
        return ask(message, replyType, system().settings().askTimeout());
    }

    @Override
    default <R> CompletableFuture<R> ask(M message, Class<R> replyType, Duration timeout) {
        return start(
                new Ask<>(system(), Objects.requireNonNull(replyType, "replyType"), this, timeout, false), message);
    }

    /** For the runtime itself: what hangs on this future runs where the reply is given. */
    default <R> CompletableFuture<R> askInPlace(M message, Class<R> replyType, Duration timeout) {
        return start(new Ask<>(system(), Objects.requireNonNull(replyType, "replyType"), this, timeout, true), message);
    }

    private <R> Ask<R> start(Ask<R> ask, M message) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to " + shown());
        }
        ask.startTimer();
        tell(message, ask);
        return ask;
    }

    @Override
    @SuppressWarnings("unchecked")
    default <R> CompletableFuture<R> ask(Function<ActorRef<R>, M> message, Duration timeout) {
        Ask<R> ask = new Ask<>(system(), null, this, timeout, false);
        return start(ask, message.apply((ActorRef<R>) ask));
    }

    /**
     * Takes a message that is read when its turn comes.
     *
     * @return false if this ref cannot do that, or not now; then nothing has happened
     */
    default boolean tellUnread(Unread message, ActorRef<?> replyTo) {
        return false;
    }

    /** What people call it, in errors and in the log. */
    default String shown() {
        return path().toString();
    }

    /** Why a message to it was not delivered, for people. */
    default String why(DeadLetter.Reason reason) {
        return reason.name();
    }

    /** Whether nobody will handle what is sent to it any more. */
    default boolean hasEnded() {
        return false;
    }

    /** Whether it shares the path of an actor without being that actor. */
    default boolean isSecondAddress() {
        return false;
    }

    /** Told to a reply target when the message that it came with will never be handled. */
    default void undelivered(ActorRef<?> recipient, DeadLetter.Reason reason) {}

    /** Told to a reply target when the message that it came with goes to so many more: one of them may answer. */
    default void copied(int more) {}

    static String shown(ActorRef<?> ref) {
        return ref instanceof InternalRef<?> internal
                ? internal.shown()
                : ref.path().toString();
    }

    static String why(ActorRef<?> recipient, DeadLetter.Reason reason) {
        return recipient instanceof InternalRef<?> internal ? internal.why(reason) : reason.name();
    }

    /** Tells whoever waits for a reply, if anybody does, before the first of the copies goes. */
    static void tellCopied(ActorRef<?> replyTo, int more) {
        if (replyTo instanceof InternalRef<?> waiting) {
            waiting.copied(more);
        }
    }

    /** Tells whoever waits for a reply, if anybody does. */
    static void tellUndelivered(ActorRef<?> replyTo, ActorRef<?> recipient, DeadLetter.Reason reason) {
        if (replyTo instanceof InternalRef<?> waiting) {
            waiting.undelivered(recipient, reason);
        }
    }
}
