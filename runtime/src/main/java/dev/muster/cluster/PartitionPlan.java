package dev.muster.cluster;

import dev.muster.actor.Behavior;
import dev.muster.actor.SpawnOptions;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionSpec;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * A partition of which is said how it is to run, but not yet what: {@link Partition#at(String)} begins one, and
 * {@link #of} makes a partition of it. All words mean what they mean there.
 */
public final class PartitionPlan {
    private final Partition<Object> draft;
    private final boolean saysPolicy;

    /** @param draft a partition that nobody gets to see; it has all but the code */
    private PartitionPlan(Partition<Object> draft, boolean saysPolicy) {
        this.draft = draft;
        this.saysPolicy = saysPolicy;
    }

    static PartitionPlan at(String path) {
        return new PartitionPlan(
                Partition.at(path, () -> {
                    throw new IllegalStateException("a plan has no code");
                }),
                false);
    }

    private PartitionPlan with(Partition<Object> next) {
        return new PartitionPlan(next, saysPolicy);
    }

    /** See {@link Partition#instances(int)}. */
    public PartitionPlan instances(int count) {
        return with(draft.instances(count));
    }

    /** See {@link Partition#instances(int, int)}. */
    public PartitionPlan instances(int least, int most) {
        return with(draft.instances(least, most));
    }

    /** See {@link Partition#tolerating}. */
    public PartitionPlan tolerating(IntUnaryOperator failures) {
        return with(draft.tolerating(failures));
    }

    /** See {@link Partition#expecting}. */
    public PartitionPlan expecting(int instances) {
        return with(draft.expecting(instances));
    }

    /** See {@link Partition#role}. */
    public PartitionPlan role(String role) {
        return with(draft.role(role));
    }

    /** See {@link Partition#handoff}. */
    public PartitionPlan handoff(HandoffPolicy policy) {
        return new PartitionPlan(draft.handoff(policy), true);
    }

    /** See {@link Partition#options}. */
    public PartitionPlan options(SpawnOptions next) {
        return with(draft.options(next));
    }

    /** The partition in which this runs; see {@link Partition#at(String, Supplier)}. */
    public <M> Partition<M> of(Supplier<Behavior<M>> behavior) {
        return asPlanned(Partition.at(draft.path().text(), behavior));
    }

    /** The same with a state that goes with it; see {@link Partition#at(String, Class, Function)}. */
    public <M, S> Partition<M> of(Class<S> stateType, Function<Optional<S>, Behavior<M>> behavior) {
        return asPlanned(Partition.at(draft.path().text(), stateType, behavior));
    }

    /** Which policy is meant if none is named depends on whether there is a state. */
    private <M> Partition<M> asPlanned(Partition<M> plain) {
        PartitionSpec spec = draft.spec();
        HandoffPolicy policy = saysPolicy ? spec.policy() : plain.spec().policy();
        return new Partition<>(
                plain.path(),
                plain.behavior(),
                plain.stateType(),
                plain.messageType(),
                new PartitionSpec(spec.instances(), spec.most(), spec.hint(), spec.role(), policy),
                plain.routing(),
                draft.toleratedFailures(),
                plain.isSingleton(),
                draft.options());
    }

    @Override
    public String toString() {
        return "a plan for the partition " + draft.path();
    }
}
