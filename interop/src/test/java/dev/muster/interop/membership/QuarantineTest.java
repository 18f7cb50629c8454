package dev.muster.interop.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process stands still until the others have removed it, and goes on; they let it no longer in, and it learns why.
 */
@Tag("interop")
class QuarantineTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void oneThatWasRemovedInItsSleepIsToldAndGivesUp(Kind paused) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(paused.other(), paused.other(), paused);
            Node sleeper = nodes.get(2);

            sleeper.pauseProcess();
            cluster.forget(sleeper);
            cluster.awaitAllUp();
            sleeper.resumeProcess();

            sleeper.hears("removed");
            assertThat(sleeper.log()).anyMatch(line -> line.contains("quarantined"));
            sleeper.close();
            sleeper.awaitEnd();

            cluster.startAt(paused, sleeper.port()).hears("up");
            cluster.awaitAllUp();
        }
    }
}
