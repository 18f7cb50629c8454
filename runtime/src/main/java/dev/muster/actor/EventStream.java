package dev.muster.actor;

/**
 * Tells those who care what happens in the system: {@link DeadLetter}, {@link UnhandledMessage}, and what users
 * publish. Subscribers that stop are forgotten.
 */
public interface EventStream {

    /** Sends every later event of that type, subtypes included, to {@code subscriber}. Asking twice changes nothing. */
    <E> void subscribe(ActorRef<? super E> subscriber, Class<E> type);

    /** Ends all of its subscriptions. */
    void unsubscribe(ActorRef<?> subscriber);

    void publish(Object event);
}
