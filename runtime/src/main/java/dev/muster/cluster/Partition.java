package dev.muster.cluster;

import dev.muster.actor.Behavior;
import dev.muster.actor.SpawnOptions;
import dev.muster.core.partition.InstanceCount;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * An actor that belongs to the cluster rather than to a node: it has a path, and runs where the partition table says,
 * in as many instances as are wanted. When a host leaves, its instances move to other nodes, as {@link #handoff} says;
 * when a host is removed without a word, they start on other nodes, anew.
 *
 * <p>Each instance has an epoch, which is greater than that of all before it on other nodes; one that is started again
 * on the same host keeps its own. It is a token for the world outside: a database that refuses whatever comes with a
 * smaller one than it has seen cannot be written by an instance that was replaced and does not know it yet. Epochs
 * begin anew only where all nodes have died that had the table.
 *
 * @param behavior made anew for each instance, from what the one before it left by
 *     {@link dev.muster.actor.HandingOver}, and from its epoch
 * @param stateType what instances leave to each other; empty if nothing
 * @param messageType what they understand, so that it can travel from every node that knows this partition; empty if
 *     that is known otherwise
 * @param toleratedFailures from the number of nodes that may host it to the number that may fail; empty if the number
 *     of instances does not follow the nodes
 * @param isSingleton whether there may never be more than one instance
 * @param options how each instance is run
 */
public record Partition<M>(
        PartitionPath path,
        BiFunction<Optional<Object>, Long, Behavior<M>> behavior,
        Optional<Class<?>> stateType,
        Optional<Class<M>> messageType,
        PartitionSpec spec,
        Routing<M> routing,
        Optional<IntUnaryOperator> toleratedFailures,
        boolean isSingleton,
        SpawnOptions options) {
    public Partition {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(behavior, "behavior");
        Objects.requireNonNull(stateType, "stateType");
        Objects.requireNonNull(messageType, "messageType");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(routing, "routing");
        Objects.requireNonNull(toleratedFailures, "toleratedFailures");
        Objects.requireNonNull(options, "options");
        if (stateType.isPresent() && spec.policy().migration() != HandoffPolicy.Migration.FORWARD) {
            throw new IllegalArgumentException("the state of " + path + " is only handed over under option 2b, but its "
                    + "policy is " + spec.policy() + "; use HandoffPolicy.singleton(), or leave the state out");
        }
        if (isSingleton && !spec.policy().isExclusive()) {
            throw new IllegalArgumentException("the partition " + path + " is a singleton, but under its policy "
                    + spec.policy() + " the old instance goes on while the new one begins, and after a crash nobody "
                    + "waits for the old one to end; use HandoffPolicy.singleton(), durable() or disposable(), or "
                    + "Partition.at if there may be two for a while");
        }
        if (isSingleton && (spec.most() > 1 || toleratedFailures.isPresent())) {
            throw new IllegalArgumentException("the partition " + path + " is a singleton, so it has one instance, not "
                    + (toleratedFailures.isPresent() ? "as many as tolerate failures" : "up to " + spec.most())
                    + "; use Partition.at if there may be several");
        }
    }

    /**
     * What is wanted, before anything is said of what runs there; {@link PartitionPlan#of} says that:
     *
     * <pre>{@code
     * Partition.at("billing/invoices").instances(2).role("backend").of(() -> invoices())
     * }</pre>
     */
    public static PartitionPlan at(String path) {
        return PartitionPlan.at(path);
    }

    /** With one instance, which may be on any node of Muster. */
    public static <M> Partition<M> at(String path, Supplier<Behavior<M>> behavior) {
        return stateless(path, withoutEpoch(behavior), HandoffPolicy.stateless(), false);
    }

    private static <M> LongFunction<Behavior<M>> withoutEpoch(Supplier<Behavior<M>> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return epoch -> behavior.get();
    }

    private static <M, S> BiFunction<Optional<S>, Long, Behavior<M>> withoutEpoch(
            Function<Optional<S>, Behavior<M>> behavior) {
        Objects.requireNonNull(behavior, "behavior");
        return (state, epoch) -> behavior.apply(state);
    }

    /**
     * With one instance and a state that goes with it: when it moves, it hears {@link dev.muster.actor.HandingOver},
     * and what it gives then is what the next one is made from.
     *
     * @param behavior gets what the instance before has left; nothing for the first one, and after a crash
     */
    public static <M, S> Partition<M> at(String path, Class<S> stateType, Function<Optional<S>, Behavior<M>> behavior) {
        return stateful(path, stateType, withoutEpoch(behavior), false);
    }

    private static <M, S> Partition<M> stateful(
            String path, Class<S> stateType, BiFunction<Optional<S>, Long, Behavior<M>> behavior, boolean isSingleton) {
        Objects.requireNonNull(stateType, "stateType");
        Objects.requireNonNull(behavior, "behavior");
        return new Partition<>(
                new PartitionPath(path),
                (state, epoch) -> behavior.apply(state.map(stateType::cast), epoch),
                Optional.of(stateType),
                Optional.empty(),
                new PartitionSpec(1, "", HandoffPolicy.singleton()),
                Routing.roundRobin(),
                Optional.empty(),
                isSingleton,
                SpawnOptions.defaults());
    }

    /** One instance in the whole cluster, and none besides it while it moves. */
    public static <M> Partition<M> singleton(String path, Supplier<Behavior<M>> behavior) {
        return stateless(path, withoutEpoch(behavior), HandoffPolicy.singleton(), true);
    }

    /**
     * The same for one that acts on the world outside.
     *
     * @param behavior gets the epoch of the instance, to be shown to whoever must not listen to an older one
     */
    public static <M> Partition<M> singleton(String path, LongFunction<Behavior<M>> behavior) {
        return stateless(path, behavior, HandoffPolicy.singleton(), true);
    }

    /** The same with a state, see {@link #at(String, Class, Function)}. */
    public static <M, S> Partition<M> singleton(
            String path, Class<S> stateType, Function<Optional<S>, Behavior<M>> behavior) {
        return stateful(path, stateType, withoutEpoch(behavior), true);
    }

    /** The same with both, a state and the epoch of the instance. */
    public static <M, S> Partition<M> singleton(
            String path, Class<S> stateType, BiFunction<Optional<S>, Long, Behavior<M>> behavior) {
        return stateful(path, stateType, behavior, true);
    }

    private static <M> Partition<M> stateless(
            String path, LongFunction<Behavior<M>> behavior, HandoffPolicy policy, boolean isSingleton) {
        Objects.requireNonNull(behavior, "behavior");
        return new Partition<>(
                new PartitionPath(path),
                (nothing, epoch) -> behavior.apply(epoch),
                Optional.empty(),
                Optional.empty(),
                new PartitionSpec(1, "", policy),
                Routing.roundRobin(),
                Optional.empty(),
                isSingleton,
                SpawnOptions.defaults());
    }

    /**
     * How many instances there are to be, each on another node; fewer if there are not enough nodes, and more if it
     * takes more to outlive the failures that {@link #tolerating} speaks of.
     */
    public Partition<M> instances(int count) {
        return instances(count, count);
    }

    /**
     * At least so many instances, and under load up to so many; each on another node, as far as there are enough. If
     * {@link #tolerating} asks for more, there are at least as many as that; it does not matter which is said first.
     */
    public Partition<M> instances(int least, int most) {
        return with(new PartitionSpec(least, most, spec.hint(), spec.role(), spec.policy()));
    }

    /**
     * As many instances as it takes to outlive failures: one more than may fail, given how many nodes may host it. The
     * number follows the nodes. It is never less than {@link #instances} says. All nodes must say the same.
     *
     * @param failures from the number of nodes to the number that may fail, which must be less. It is asked again when
     *     nodes come or go, on the dispatcher for work that waits; if it throws, the number stays as it was
     */
    public Partition<M> tolerating(IntUnaryOperator failures) {
        InstanceCount.surviving(failures).minimum(1); // a function that would let all nodes fail is refused at once
        return new Partition<>(
                path, behavior, stateType, messageType, spec, routing, Optional.of(failures), isSingleton, options);
    }

    /** How many instances may be needed soon, if load may raise their number: see {@link #instances(int, int)}. */
    public Partition<M> expecting(int instances) {
        return with(new PartitionSpec(spec.instances(), spec.most(), instances, spec.role(), spec.policy()));
    }

    /** What is wanted with so many nodes that may host it. */
    public PartitionSpec specFor(int nodes) {
        if (toleratedFailures.isEmpty() || nodes == 0) {
            return spec;
        }
        int outliving = InstanceCount.surviving(toleratedFailures.get()).minimum(nodes);
        int least = Math.max(spec.instances(), Math.min(PartitionSpec.MOST_INSTANCES, outliving));
        return new PartitionSpec(least, Math.max(least, spec.most()), spec.hint(), spec.role(), spec.policy());
    }

    /** Only members with this role host it; it has at most 255 bytes as UTF-8. */
    public Partition<M> role(String role) {
        return with(new PartitionSpec(spec.instances(), spec.most(), spec.hint(), role, spec.policy()));
    }

    /** What is promised while it moves. */
    public Partition<M> handoff(HandoffPolicy policy) {
        return with(new PartitionSpec(spec.instances(), spec.most(), spec.hint(), spec.role(), policy));
    }

    private Partition<M> with(PartitionSpec next) {
        return new Partition<>(
                path, behavior, stateType, messageType, next, routing, toleratedFailures, isSingleton, options);
    }

    /** Which instance gets a message; one after the other if nothing is said. */
    public Partition<M> routing(Routing<M> next) {
        return new Partition<>(
                path, behavior, stateType, messageType, spec, next, toleratedFailures, isSingleton, options);
    }

    /**
     * The messages that it understands: a sealed type, or a record. Say so if nodes send to it that never host it, and
     * the configuration does not name its messages.
     */
    public Partition<M> messages(Class<M> type) {
        return new Partition<>(
                path, behavior, stateType, Optional.of(type), spec, routing, toleratedFailures, isSingleton, options);
    }

    /**
     * How its instances are run: {@link SpawnOptions#blocking} for one that waits inside its handlers, so that it keeps
     * no thread from other actors. Children say so for themselves.
     */
    public Partition<M> options(SpawnOptions next) {
        return new Partition<>(
                path, behavior, stateType, messageType, spec, routing, toleratedFailures, isSingleton, next);
    }
}
