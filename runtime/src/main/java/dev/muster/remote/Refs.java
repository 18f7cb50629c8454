package dev.muster.remote;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.Ask;
import dev.muster.actor.engine.InternalRef;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.serialization.RefNames;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Refs and the texts that stand for them on the wire.
 *
 * <p>Questions and adapters have no place in the tree of actors; those that travel get a name below {@code /temp},
 * which they lose when they are settled.
 */
final class Refs implements RefNames {
    static final String TEMP = "/temp/";
    private static final String ASK = TEMP + "$";
    private static final String ADAPTER = TEMP + "adapter-";
    private static final int SWEEP_EVERY = 10_000;

    private final Remoting remoting;
    private final LocalActorSystem system;
    private final String prefix;

    /**
     * Actors are counted from one in every process. On the wire their numbers are mixed with the node's, so that no
     * actor of the next process at this address is taken for one of this process. Never makes a number 0, which would
     * mean any.
     */
    private final int salt;

    private final AtomicLong nextTemp = new AtomicLong(1);
    private final Map<String, InternalRef<?>> byName = new ConcurrentHashMap<>();
    private final Map<InternalRef<?>, String> names = new ConcurrentHashMap<>();

    Refs(Remoting remoting, LocalActorSystem system) {
        this.remoting = remoting;
        this.system = system;
        this.prefix = remoting.self().address().toString();
        this.salt = Long.hashCode(remoting.self().uid()) | Integer.MIN_VALUE;
    }

    /** A path of this node's own, as others write it. */
    String here(String localPath) {
        return prefix + localPath;
    }

    @Override
    public String nameOf(ActorRef<?> ref) {
        if (ref instanceof RemoteRef<?> remote) {
            return remote.name();
        }
        if (ref instanceof EndedRef ended) {
            return prefix + ended.path().local() + "#" + ended.path().uid();
        }
        if (ref instanceof Place<?> place && place.nameFromElsewhere() != null) {
            return place.nameFromElsewhere();
        }
        if (ref instanceof InternalRef<?> local && local.system() != system) {
            throw new IllegalArgumentException(
                    ref.path() + " is of another system in this process, and has no address");
        }
        if (ref instanceof Ask<?> || isSecondAddress(ref)) {
            return tempName((InternalRef<?>) ref);
        }
        ActorPath path = ref.path();
        return path.uid() == 0 ? prefix + path.local() : prefix + path.local() + "#" + ((int) path.uid() ^ salt);
    }

    /** An adapter has the path of its owner but is not its owner. */
    private boolean isSecondAddress(ActorRef<?> ref) {
        return ref instanceof InternalRef<?> internal && internal.isSecondAddress();
    }

    private String tempName(InternalRef<?> ref) {
        String known = names.get(ref);
        if (known != null) {
            return known;
        }
        long number = nextTemp.getAndIncrement();
        String local = (ref instanceof Ask<?> ? ASK : ADAPTER) + Long.toString(number, 36);
        String name = prefix + local;
        String before = names.putIfAbsent(ref, name);
        if (before != null) {
            return before;
        }
        byName.put(local, ref);
        if (ref instanceof Ask<?> ask) {
            ask.onSettled(() -> forget(ref, local));
        }
        if (number % SWEEP_EVERY == 0) {
            sweep();
        }
        return name;
    }

    private void forget(InternalRef<?> ref, String local) {
        byName.remove(local);
        names.remove(ref);
    }

    /** Adapters whose actor has stopped. */
    private void sweep() {
        byName.forEach((local, ref) -> {
            if (ref.hasEnded()) {
                forget(ref, local);
            }
        });
    }

    /** How many questions and adapters have a name on the wire now. */
    int temporary() {
        return byName.size();
    }

    private int unmixed(int wireUid) {
        return wireUid == 0 ? 0 : wireUid ^ salt;
    }

    @Override
    public ActorRef<?> resolve(String name) {
        return resolve(RefTexts.parse(name), name);
    }

    private ActorRef<?> resolve(RefTexts text, String name) {
        Place<?> place = remoting.places().find(text.address(), text.local(), text.uid() != 0, name);
        if (place != null) {
            return place;
        }
        if (!text.address().equals(remoting.self().address())) {
            Association association = remoting.associationByHearsay(text.address());
            return association == null
                    ? new EndedRef(system, text.path(false), DeadLetter.Reason.STOPPED)
                    : new RemoteRef<>(remoting, association, name, text.path(false));
        }
        InternalRef<?> found = text.local().startsWith(TEMP)
                ? byName.get(text.local())
                : system.find(text.local(), unmixed(text.uid()));
        return found != null ? found : new EndedRef(system, text.path(true), reasonAt(text.local()));
    }

    /** A question that has its answer, or was given up, has no name any more. */
    private static DeadLetter.Reason reasonAt(String local) {
        return local.startsWith(ASK) ? DeadLetter.Reason.LATE_REPLY : DeadLetter.Reason.STOPPED;
    }
}
