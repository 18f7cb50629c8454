package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.EventStream;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to hear of which events. */
final class Subscriptions implements EventStream {

    private final CopyOnWriteArrayList<Subscription> all = new CopyOnWriteArrayList<>();

    @Override
    public <E> void subscribe(ActorRef<? super E> subscriber, Class<E> type) {
        Objects.requireNonNull(type, "type");
        if (!(subscriber instanceof LocalActorRef<?>) && !(subscriber instanceof AdapterRef<?, ?>)) {
            throw new IllegalArgumentException("only an actor of this system can subscribe, not " + subscriber);
        }
        all.addIfAbsent(new Subscription(subscriber, type));
    }

    @Override
    public void unsubscribe(ActorRef<?> subscriber) {
        all.removeIf(subscription -> subscription.subscriber().equals(subscriber));
    }

    @Override
    public void publish(Object event) {
        Objects.requireNonNull(event, "event");
        for (Subscription subscription : all) {
            if (subscription.type().isInstance(event)) {
                send(subscription, event);
            }
        }
    }

    /**
     * An event that does not arrive is no dead letter: dead letters are events too. A subscriber that has stopped is
     * forgotten; one that is too slow misses events.
     */
    @SuppressWarnings("unchecked")
    private void send(Subscription subscription, Object event) {
        int outcome = subscription.subscriber() instanceof LocalActorRef<?> actor
                ? actor.offer(event, null)
                : ((AdapterRef<Object, ?>) subscription.subscriber()).offer(event);
        if (outcome == Mailbox.CLOSED_ALREADY) {
            all.remove(subscription);
        }
    }

    private record Subscription(ActorRef<?> subscriber, Class<?> type) {}
}
