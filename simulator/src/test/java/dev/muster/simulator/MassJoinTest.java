package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.ClusterMath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MassJoinTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 50, 200})
    void everybodyIsUpWithinTheRoundsThatTheFormulaAllows(int nodes) {
        MassJoin.Result result = MassJoin.run(1, nodes);

        assertThat(result.isComplete()).isTrue();
        assertThat(result.gossipRounds()).isLessThan(10 + 2 * ClusterMath.convergenceRounds(nodes));
        assertThat(result.traceHash()).isEqualTo(MassJoin.run(1, nodes).traceHash());
    }
}
