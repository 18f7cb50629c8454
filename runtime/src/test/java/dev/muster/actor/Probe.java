package dev.muster.actor;

import java.util.ArrayList;
import java.util.List;

/** An actor of a virtual world that remembers what it was told, signals included. */
final class Probe<M> {

    private final List<Object> heard = new ArrayList<>();
    private final ActorRef<M> ref;

    Probe(ActorSystem system) {
        ref = system.spawn(new Remembering(), null, SpawnOptions.defaults().withUnboundedMailbox());
    }

    ActorRef<M> ref() {
        return ref;
    }

    /** What it heard so far, in order. */
    List<Object> heard() {
        return heard;
    }

    <T> List<T> heard(Class<T> type) {
        return heard.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** Watches an actor from now on. */
    void watch(ActorRef<?> other) {
        tellInternally(new Watch(other));
    }

    void unwatch(ActorRef<?> other) {
        tellInternally(new Unwatch(other));
    }

    @SuppressWarnings("unchecked")
    private void tellInternally(Object message) {
        ((ActorRef<Object>) (ActorRef<?>) ref).tell(message);
    }

    private record Watch(ActorRef<?> other) {}

    private record Unwatch(ActorRef<?> other) {}

    private final class Remembering extends Behavior<M> {
        @Override
        public Behavior<M> onMessage(ActorContext<M> ctx, M message) {
            if ((Object) message instanceof Watch watch) {
                ctx.watch(watch.other());
            } else if ((Object) message instanceof Unwatch unwatch) {
                ctx.unwatch(unwatch.other());
            } else {
                heard.add(message);
            }
            return this;
        }

        @Override
        public Behavior<M> onSignal(ActorContext<M> ctx, Signal signal) {
            heard.add(signal);
            return this;
        }
    }
}
