package dev.muster.interop.membership;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process stands still for a while and goes on; whoever was waiting to join is weakly up meanwhile. */
@Tag("interop")
class PauseTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void oneThatStoodStillIsReachableAgain(Kind paused) {
        // Nobody decides in this time, so it is all about what is noticed.
        try (MixedCluster cluster = new MixedCluster("pekko.cluster.split-brain-resolver.stable-after=60s")) {
            List<Node> nodes = cluster.form(paused.other(), paused.other(), paused);
            Node sleeper = nodes.get(2);

            sleeper.pauseProcess();
            for (Node node : nodes.subList(0, 2)) {
                node.await(
                        "holds " + sleeper + " unreachable",
                        state -> state.unreachable().contains(sleeper.port()));
            }
            sleeper.resumeProcess();
            cluster.awaitAllUp();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aJoinerIsWeaklyUpWhileSomebodyIsUnreachable(Kind joining) {
        try (MixedCluster cluster = new MixedCluster("pekko.cluster.split-brain-resolver.stable-after=60s")) {
            List<Node> nodes = cluster.form(joining.other(), joining.other(), joining);
            Node sleeper = nodes.get(2);
            sleeper.pauseProcess();
            nodes.get(0)
                    .await(
                            "holds " + sleeper + " unreachable",
                            state -> state.unreachable().contains(sleeper.port()));

            Node joiner = cluster.start(joining);
            for (Node node : List.of(nodes.get(0), nodes.get(1))) {
                node.await(
                        "sees " + joiner + " weakly up",
                        Duration.ofSeconds(40),
                        state -> "WeaklyUp".equals(state.members().get(joiner.port())));
            }
            sleeper.resumeProcess();
            cluster.awaitAllUp();
        }
    }
}
