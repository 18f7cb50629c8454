package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.SpawnOptions;
import dev.muster.core.state.HandoffPolicy;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A partition of which is said first how it is to run, and then what. */
class PartitionPlanTest {
    record Last(int number) {}

    private static Behavior<String> behavior() {
        return Behaviors.empty();
    }

    @Test
    void itMakesWhatTheOtherFormMakes() {
        Partition<String> planned = Partition.at("billing/invoices")
                .instances(2, 5)
                .tolerating(n -> (n - 1) / 2)
                .expecting(3)
                .handoff(HandoffPolicy.ordered())
                .role("backend")
                .options(SpawnOptions.blocking())
                .of(PartitionPlanTest::behavior);
        Partition<String> direct = Partition.at("billing/invoices", PartitionPlanTest::behavior)
                .instances(2, 5)
                .expecting(3)
                .handoff(HandoffPolicy.ordered())
                .role("backend");
        assertThat(planned.path()).isEqualTo(direct.path());
        assertThat(planned.spec()).isEqualTo(direct.spec());
        assertThat(planned.isSingleton()).isFalse();
        assertThat(planned.stateType()).isEmpty();
        assertThat(planned.messageType()).isEmpty();
        assertThat(planned.routing()).isEqualTo(Routing.roundRobin());
        assertThat(planned.options()).isEqualTo(SpawnOptions.blocking());
        assertThat(planned.specFor(9).instances()).isEqualTo(5);
        assertThat(planned.behavior().apply(Optional.empty(), 1L)).isEqualTo(behavior());
    }

    @Test
    void thePolicyIsThatOfTheFormUnlessOneIsNamed() {
        PartitionPlan plan = Partition.at("desk").instances(2);
        assertThat(plan.of(PartitionPlanTest::behavior).spec().policy()).isEqualTo(HandoffPolicy.stateless());
        Partition<String> withState = plan.of(Last.class, left -> behavior());
        assertThat(withState.spec().policy()).isEqualTo(HandoffPolicy.singleton());
        assertThat(withState.spec().instances()).isEqualTo(2);
        assertThat(withState.stateType()).contains(Last.class);
        assertThat(plan.handoff(HandoffPolicy.disposable())
                        .of(PartitionPlanTest::behavior)
                        .spec()
                        .policy())
                .isEqualTo(HandoffPolicy.disposable());
    }

    @Test
    void whatIsWrongIsRefusedWhereItIsSaid() {
        assertThatThrownBy(() -> Partition.at("a//b")).hasMessageContaining("a//b");
        PartitionPlan plan = Partition.at("desk");
        assertThatThrownBy(() -> plan.instances(0)).hasMessage("a partition has 1 to 1000 instances, not 0");
        assertThatThrownBy(() -> plan.role("r".repeat(256)))
                .hasMessage("the role of a partition has at most 255 bytes as UTF-8, not 256");
        assertThatThrownBy(() -> plan.tolerating(nodes -> nodes)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plan.handoff(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> plan.handoff(HandoffPolicy.ordered()).of(Last.class, left -> behavior()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the state of desk is only handed over under option 2b");
    }
}
