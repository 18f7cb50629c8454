package dev.muster.cluster;

import dev.muster.actor.Behavior;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An actor that belongs to the cluster rather than to a node: it has a path, and runs where the partition table says,
 * in as many instances as are wanted. When a host leaves, its instances move to other nodes, as {@link #handoff} says;
 * when a host is removed without a word, they start on other nodes, anew.
 *
 * @param behavior made anew for each instance, from what the one before it left by {@link dev.muster.actor.HandingOver}
 * @param stateType what instances leave to each other; empty if nothing
 * @param messageType what they understand, so that it can travel from every node that knows this partition; empty if
 *     that is known otherwise
 */
public record Partition<M>(
        PartitionPath path,
        Function<Optional<Object>, Behavior<M>> behavior,
        Optional<Class<?>> stateType,
        Optional<Class<M>> messageType,
        PartitionSpec spec,
        Routing<M> routing) {
    public Partition {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(behavior, "behavior");
        Objects.requireNonNull(stateType, "stateType");
        Objects.requireNonNull(messageType, "messageType");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(routing, "routing");
        if (stateType.isPresent() && spec.policy().migration() != HandoffPolicy.Migration.FORWARD) {
            throw new IllegalArgumentException("the state of " + path + " is only handed over under option 2b, but its "
                    + "policy is " + spec.policy() + "; use HandoffPolicy.singleton(), or leave the state out");
        }
    }

    /** With one instance, which may be on any node of Muster. */
    public static <M> Partition<M> at(String path, Supplier<Behavior<M>> behavior) {
        return stateless(path, behavior, HandoffPolicy.stateless());
    }

    /**
     * With one instance and a state that goes with it: when it moves, it hears {@link dev.muster.actor.HandingOver},
     * and what it gives then is what the next one is made from.
     *
     * @param behavior gets what the instance before has left; nothing for the first one, and after a crash
     */
    public static <M, S> Partition<M> at(String path, Class<S> stateType, Function<Optional<S>, Behavior<M>> behavior) {
        Objects.requireNonNull(stateType, "stateType");
        Objects.requireNonNull(behavior, "behavior");
        return new Partition<>(
                new PartitionPath(path),
                state -> behavior.apply(state.map(stateType::cast)),
                Optional.of(stateType),
                Optional.empty(),
                new PartitionSpec(1, "", HandoffPolicy.singleton()),
                Routing.roundRobin());
    }

    /** One instance in the whole cluster, and none besides it while it moves. */
    public static <M> Partition<M> singleton(String path, Supplier<Behavior<M>> behavior) {
        return stateless(path, behavior, HandoffPolicy.singleton());
    }

    /** The same with a state, see {@link #at(String, Class, Function)}. */
    public static <M, S> Partition<M> singleton(
            String path, Class<S> stateType, Function<Optional<S>, Behavior<M>> behavior) {
        return at(path, stateType, behavior);
    }

    private static <M> Partition<M> stateless(String path, Supplier<Behavior<M>> behavior, HandoffPolicy policy) {
        Objects.requireNonNull(behavior, "behavior");
        return new Partition<>(
                new PartitionPath(path),
                nothing -> behavior.get(),
                Optional.empty(),
                Optional.empty(),
                new PartitionSpec(1, "", policy),
                Routing.roundRobin());
    }

    /** How many instances there are to be, each on another node; fewer if there are not enough nodes. */
    public Partition<M> instances(int count) {
        return with(new PartitionSpec(count, spec.role(), spec.policy()));
    }

    /** Only members with this role host it. */
    public Partition<M> role(String role) {
        return with(new PartitionSpec(spec.instances(), role, spec.policy()));
    }

    /** What is promised while it moves. */
    public Partition<M> handoff(HandoffPolicy policy) {
        return with(new PartitionSpec(spec.instances(), spec.role(), policy));
    }

    private Partition<M> with(PartitionSpec next) {
        return new Partition<>(path, behavior, stateType, messageType, next, routing);
    }

    /** Which instance gets a message; one after the other if nothing is said. */
    public Partition<M> routing(Routing<M> next) {
        return new Partition<>(path, behavior, stateType, messageType, spec, next);
    }

    /**
     * The messages that it understands: a sealed type, or a record. Say so if nodes send to it that never host it, and
     * the configuration does not name its messages.
     */
    public Partition<M> messages(Class<M> type) {
        return new Partition<>(path, behavior, stateType, Optional.of(type), spec, routing);
    }
}
