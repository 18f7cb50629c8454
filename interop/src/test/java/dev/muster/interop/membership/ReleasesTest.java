package dev.muster.interop.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import dev.muster.interop.node.Release;
import dev.muster.interop.node.Setup;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Older releases of Pekko, and addresses as Akka writes them: the same bytes, so all the same must work. */
@Tag("interop")
class ReleasesTest {

    @ParameterizedTest
    @EnumSource(
            value = Release.class,
            names = {"OF_1_0", "OF_1_1"})
    void olderReleasesAreUnderstood(Release release) {
        try (MixedCluster cluster = new MixedCluster(Setup.of().with(release))) {
            liveThroughAll(cluster, Kind.PEKKO);
        }
        try (MixedCluster cluster = new MixedCluster(Setup.of().with(release))) {
            liveThroughAll(cluster, Kind.MUSTER);
        }
    }

    @Test
    void addressesOfAkkaAreUnderstood() {
        for (Kind first : Kind.values()) {
            try (MixedCluster cluster = new MixedCluster(Setup.of().speaking("akka"))) {
                liveThroughAll(cluster, first);
            }
        }
    }

    private static void liveThroughAll(MixedCluster cluster, Kind first) {
        List<Node> nodes = cluster.form(first, first.other(), first, first.other());
        Node one = nodes.get(0);
        Node other = nodes.get(1);
        talk(one, other);
        talk(other, one);

        Node watched = nodes.get(3);
        one.tell("watch " + watched.path("echo"));
        one.hears("watching");
        watched.kill();
        cluster.forget(watched);
        assertThat(one.hears("terminated")).startsWith("terminated " + watched.path("echo"));
        cluster.awaitAllUp();

        Node leaver = nodes.get(2);
        leaver.tell("leave " + leaver.address());
        leaver.hears("removed");
        cluster.forget(leaver);
        cluster.awaitAllUp();
    }

    private static void talk(Node asking, Node asked) {
        asking.tell("flood " + asked.path("echo") + " 500");
        assertThat(asking.hears("flooded")).isEqualTo("flooded 500 wrong 0");
        asking.tell("struct " + asked.path("echo") + " so");
        assertThat(asking.hears("struct")).isEqualTo("struct so 2");
        asking.tell("order " + asked.path("shop") + " Bob");
        assertThat(asking.hears("placed")).isEqualTo("placed Bob 7.35");
    }
}
