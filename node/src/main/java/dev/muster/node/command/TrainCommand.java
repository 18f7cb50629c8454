package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.NodeConfig;
import dev.muster.node.NodeLauncher;
import dev.muster.node.ServedNode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.Target;
import dev.muster.node.demo.DemoLoad;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;

/**
 * Does in two seconds what nodes and commands do, so that the JVM can write down which classes they need. The launcher
 * runs it once after a build; the archive of classes it leaves makes every later start faster.
 */
@Command(name = "train", hidden = true, description = "For the launcher: visits all classes that a start needs.")
public final class TrainCommand implements Callable<Integer> {

    private static final int NODES = 2;
    private static final List<String> SETTINGS = List.of("muster.node.system=train", DemoLoad.SETTING + "=on");
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_MILLIS = 50;

    private final NodeLauncher launcher;
    private final Terminal terminal;

    public TrainCommand(NodeLauncher launcher, Terminal terminal) {
        this.launcher = launcher;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<ServedNode> nodes = new ArrayList<>();
        int[] ports = freePorts();
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(ServedNode.start(launcher, NodeConfig.local(SETTINGS, ports[i], 0, ports[0])));
            }
            look(nodes);
            return ExitCode.DONE;
        } catch (ServedNode.NotStartedException problem) {
            terminal.err().println("muster: " + problem.getMessage());
            return ExitCode.ANSWER_IS_NO;
        } finally {
            nodes.forEach(ServedNode::leaveAndStop);
        }
    }

    private void look(List<ServedNode> nodes) throws InterruptedException {
        List<Target> targets = nodes.stream()
                .map(node -> new Target("127.0.0.1", node.http().orElseThrow().getPort()))
                .toList();
        ManagementClient client = new ManagementClient(targets, Optional.empty());
        long deadlineNanos = System.nanoTime() + LONGEST_NANOS;
        while (System.nanoTime() < deadlineNanos) {
            Answer answer = client.get("/cluster/members");
            ClusterView view = ClusterView.of(answer.body());
            MemberTable.lines(view, terminal).forEach(terminal.err()::println);
            if (view.up() == NODES) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0);
                ServerSocket other = new ServerSocket(0)) {
            return new int[] {one.getLocalPort(), other.getLocalPort()};
        }
    }
}
