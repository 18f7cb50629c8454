package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.PartitionPath;
import dev.muster.node.FakeCluster;
import dev.muster.node.Terminal;
import dev.muster.node.http.ManagedNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** What somebody sees who watches while partitions move. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WatchedMovesTest {

    /** What is printed, and whoever waits for it. */
    private static final class Screen extends StringWriter {
        @Override
        public void flush() {
            synchronized (this) {
                notifyAll();
            }
        }

        synchronized void await(String pattern) throws InterruptedException {
            while (!toString().replaceAll(" +", " ").contains(pattern)) {
                wait();
            }
        }
    }

    @Test
    void nothingHasEndedWhenTheWatchedNodeHasRestarted() throws InterruptedException {
        FakeCluster cluster = FakeCluster.of(3).partition("billing", 3).partition("audit", 2);
        Screen screen = new Screen();
        Terminal terminal = new Terminal(new PrintWriter(screen), new PrintWriter(new StringWriter()), false, false);
        Runnable hearsTheTable =
                () -> cluster.partition("billing", 3).partition("audit", 2).partition("orders", 3);
        try (ManagedNode node = new ManagedNode(cluster)) {
            CommandLine watch = new CommandLine(new WatchCommand(terminal));
            watch.setExecutionExceptionHandler((interrupted, command, line) -> 0);
            cluster.afterLooks(() -> {}, cluster::restart, () -> {}, hearsTheTable);
            Thread watching = new Thread(() -> watch.execute("--every", "1ms", "--for", "1h", "--at", node.at()));
            watching.start();
            screen.await("starts orders (on 127.0.0.1:2553)");
            watching.interrupt();
            watching.join();
        }
        assertThat(screen.toString()).doesNotContain("ended", "billing", "audit");
    }

    @Test
    void movesAreToldAsTheyHappenButNotWhatIsThereAtFirst() throws InterruptedException {
        FakeCluster cluster = FakeCluster.of(3).partition("billing", 1, 3).partition("audit", 1);
        Screen screen = new Screen();
        Terminal terminal = new Terminal(new PrintWriter(screen), new PrintWriter(new StringWriter()), false, false);
        try (ManagedNode node = new ManagedNode(cluster)) {
            CommandLine watch = new CommandLine(new WatchCommand(terminal));
            watch.setExecutionExceptionHandler((interrupted, command, line) -> 0);
            Thread watching = new Thread(() -> watch.execute("--every", "1ms", "--for", "1h", "--at", node.at()));
            watching.start();
            screen.await("leads 127.0.0.1:2551");

            var unused = cluster.migrate(new PartitionPath("audit"), NodeAddress.parse("muster://test@127.0.0.1:2552"));
            screen.await("moves audit (from 127.0.0.1:2551 to 127.0.0.1:2552)");

            cluster.remove(3).partition("billing", 1, 2);
            screen.await("removed 127.0.0.1:2553");
            screen.await("starts billing (on 127.0.0.1:2552)");
            watching.interrupt();
            watching.join();
        }
        assertThat(screen.toString().replaceAll(" +", " "))
                .contains("lost its host billing (127.0.0.1:2553)")
                .doesNotContain("starts audit", "starts billing (on 127.0.0.1:2551)");
    }
}
