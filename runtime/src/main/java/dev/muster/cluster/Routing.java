package dev.muster.cluster;

import dev.muster.core.state.NodeId;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Which instance of a partition gets a message, if there are several. Each node chooses for itself, among the hosts
 * that its own table names. Hosts that cannot be reached get nothing while there are others, unless the key of a
 * message is theirs, or all get it.
 *
 * <p>Messages that one sender sends to one instance stay in order; two that go to different instances do not.
 *
 * @param <M> the messages of the partition
 */
public sealed interface Routing<M> {

    /** One after the other. */
    static <M> Routing<M> roundRobin() {
        return new RoundRobin<>();
    }

    /** Any. */
    static <M> Routing<M> random() {
        return new Random<>();
    }

    /**
     * The one at which fewest messages wait, by what nodes tell each other now and then and this one has sent since. In
     * a large cluster nodes hear of few others; a host that is not heard of is believed to keep up with its share.
     */
    static <M> Routing<M> leastLoaded() {
        return new LeastLoaded<>(null);
    }

    /**
     * The one whose node carries least.
     *
     * @param load what a node carries, in any unit; asked often and from any thread, so it must answer at once. If it
     *     throws, the message goes to one instance after the other, and the log says so once
     */
    static <M> Routing<M> leastLoaded(ToLongFunction<NodeId> load) {
        return new LeastLoaded<>(Objects.requireNonNull(load, "load"));
    }

    /**
     * The same one for the same key, as long as the hosts are the same. When a host comes or goes, most keys stay where
     * they are.
     *
     * @param key what of a message decides; must have a {@code hashCode} that is alike on all nodes, as texts, numbers
     *     and records of these have. A message for which it returns null or throws has no key: such ones go to one
     *     instance after the other, and the log says so once
     */
    static <M> Routing<M> consistentHash(Function<? super M, ?> key) {
        return new ConsistentHash<>(Objects.requireNonNull(key, "key"));
    }

    /** All of them. Who asks gets the first answer; the others are dead letters, {@code LATE_REPLY}. */
    static <M> Routing<M> broadcast() {
        return new Broadcast<>();
    }

    /** See {@link #roundRobin}. */
    record RoundRobin<M>() implements Routing<M> {}

    /** See {@link #random}. */
    record Random<M>() implements Routing<M> {}

    /**
     * See {@link #leastLoaded}.
     *
     * @param load null for the number of messages that were sent there
     */
    record LeastLoaded<M>(ToLongFunction<NodeId> load) implements Routing<M> {}

    /** See {@link #consistentHash}. */
    record ConsistentHash<M>(Function<? super M, ?> key) implements Routing<M> {}

    /** See {@link #broadcast}. */
    record Broadcast<M>() implements Routing<M> {}
}
