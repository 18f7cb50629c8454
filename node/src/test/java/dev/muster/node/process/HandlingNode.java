package dev.muster.node.process;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.HandingOver;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.PartitionPath;
import dev.muster.node.NodeLauncher;
import dev.muster.node.RuntimeNodeLauncher;
import dev.muster.node.Terminal;
import dev.muster.node.command.NodeCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * A node that may host two partitions, whose instances write down what they handle, and when by the clock of the
 * machine, which all its processes share. One such node also sends them numbers, at an even rate.
 */
final class HandlingNode {
    /** Keeps the order of a sender, and begins anew on each host. */
    static final String LANE = "lane";

    /** There is one at a time, and its count goes with it. */
    static final String DESK = "desk";

    /** For all nodes: partitions go nowhere by themselves while a host is there. */
    static final String STAY = "muster.cluster.partitions.rebalance-interval=off";

    private static final String HOST_ROLE = "host";
    private static final long MILLIS_BETWEEN = 5;
    private static final Pattern LINE =
            Pattern.compile("handled (\\w+) epoch=(\\d+) number=(\\d+) count=(\\d+) at=(\\d+) end");

    private HandlingNode() {}

    record Numbered(long number) {}

    /** How many messages the instances of the desk have handled, one after the other. */
    record Count(long handled) {}

    /** What an instance has written about one message. The epoch of the lane is not told, and 0. */
    record Handled(NodeProcess node, String path, long epoch, long number, long count, long nanos) {}

    /** Lets all run such nodes: the last one sends so many to each partition, and the others may host them. */
    static void runBy(Processes cluster, int messages) {
        List<NodeProcess> all = cluster.all();
        NodeProcess sender = all.get(all.size() - 1);
        sender.runs(program(messages));
        for (NodeProcess host : cluster.allBut(sender)) {
            host.runs(program(0));
            host.alsoSet("muster.cluster.roles=[" + HOST_ROLE + "]");
        }
    }

    private static List<String> program(int messages) {
        List<String> words = new ArrayList<>(NodeProgram.command(HandlingNode.class));
        words.add(Integer.toString(messages));
        return words;
    }

    /** The first word says how many to send to each, the second one is the name of the command. */
    public static void main(String[] words) {
        int messages = Integer.parseInt(words[0]);
        NodeLauncher launcher = options -> hosting(new RuntimeNodeLauncher().start(options), messages);
        Terminal terminal = new Terminal(writer(System.out), writer(System.err), false, false);
        CommandLine command = new CommandLine(new NodeCommand(launcher, terminal));
        System.exit(command.execute(Arrays.copyOfRange(words, 2, words.length)));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static NodeLauncher.RunningNode hosting(NodeLauncher.RunningNode node, int messages) {
        Cluster cluster = node.cluster();
        List<ActorRef<Numbered>> refs = List.of(
                cluster.host(Partition.at(LANE, HandlingNode::lane)
                        .handoff(HandoffPolicy.ordered())
                        .role(HOST_ROLE)
                        .messages(Numbered.class)),
                cluster.host(Partition.singleton(DESK, Count.class, HandlingNode::desk)
                        .role(HOST_ROLE)
                        .messages(Numbered.class)));
        Thread sender = new Thread(() -> send(cluster, refs, messages), "sending");
        sender.setDaemon(true);
        sender.start();
        return node;
    }

    private static void send(Cluster cluster, List<ActorRef<Numbered>> refs, int messages) {
        while (messages > 0 && !canSend(cluster)) {
            Machine.pass(MILLIS_BETWEEN);
        }
        for (long number = 1; number <= messages; number++) {
            for (ActorRef<Numbered> ref : refs) {
                ref.tell(new Numbered(number));
            }
            Machine.pass(MILLIS_BETWEEN);
        }
    }

    /** What is sent before would be a dead letter. */
    private static boolean canSend(Cluster cluster) {
        return cluster.selfMember().status() == MemberStatus.UP
                && List.of(LANE, DESK).stream()
                        .allMatch(path -> cluster.snapshot()
                                .partitions()
                                .find(new PartitionPath(path))
                                .filter(row -> !row.instances().isEmpty())
                                .isPresent());
    }

    private static Behavior<Numbered> lane() {
        return lane(0);
    }

    private static Behavior<Numbered> lane(long before) {
        return Behaviors.receive(Numbered.class, (context, message) -> {
            write(LANE, 0, message, before + 1, System.nanoTime());
            return lane(before + 1);
        });
    }

    private static Behavior<Numbered> desk(Optional<Count> left, long epoch) {
        return desk(left.map(Count::handled).orElse(0L), epoch);
    }

    private static Behavior<Numbered> desk(long before, long epoch) {
        return Behaviors.receive(Numbered.class)
                .on(Numbered.class, (context, message) -> {
                    write(DESK, epoch, message, before + 1, System.nanoTime());
                    return desk(before + 1, epoch);
                })
                .onSignal(HandingOver.class, (context, handing) -> {
                    handing.state(new Count(before));
                    return Behaviors.same();
                })
                .build();
    }

    private static void write(String path, long epoch, Numbered message, long count, long nanos) {
        System.out.println("handled " + path + " epoch=" + epoch + " number=" + message.number() + " count=" + count
                + " at=" + nanos + " end");
    }

    /** What the instances of a partition have handled since these marks, in the order of time. */
    static List<Handled> handled(String path, Map<NodeProcess, Long> marks) {
        List<Handled> all = new ArrayList<>();
        marks.forEach((node, mark) -> node.logSince(mark).lines().forEach(line -> {
            Matcher parts = LINE.matcher(line);
            if (parts.find() && parts.group(1).equals(path)) {
                all.add(new Handled(
                        node, path, number(parts, 2), number(parts, 3), number(parts, 4), number(parts, 5)));
            }
        }));
        all.sort(Comparator.comparingLong(Handled::nanos));
        return all;
    }

    private static long number(Matcher parts, int group) {
        return Long.parseLong(parts.group(group));
    }
}
