package dev.muster.node.process;

import dev.muster.cluster.Cluster;
import dev.muster.node.NodeLauncher;
import dev.muster.node.RuntimeNodeLauncher;
import dev.muster.node.Terminal;
import dev.muster.node.command.NodeCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** A node as any other, which also prints what it has counted, twice a second while that changes. */
final class CountingNode {
    private static final String COUNTED = "counted ";
    private static final Pattern COUNT = Pattern.compile("([a-z][a-z.-]+)=(\\d+)");

    private CountingNode() {}

    public static void main(String[] words) {
        NodeLauncher launcher = options -> counting(new RuntimeNodeLauncher().start(options));
        Terminal terminal = new Terminal(writer(System.out), writer(System.err), false, false);
        CommandLine command = new CommandLine(new NodeCommand(launcher, terminal));
        // The first word is the name of the command.
        System.exit(command.execute(Arrays.copyOfRange(words, 1, words.length)));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static NodeLauncher.RunningNode counting(NodeLauncher.RunningNode node) {
        Thread printer = new Thread(() -> print(node.cluster()), "counting");
        printer.setDaemon(true);
        printer.start();
        return node;
    }

    private static void print(Cluster cluster) {
        SortedMap<String, Long> last = new TreeMap<>();
        while (true) {
            SortedMap<String, Long> refused = new TreeMap<>(cluster.counters());
            refused.keySet().removeIf(name -> !name.startsWith("remote.refused"));
            if (!refused.equals(last)) {
                System.out.println(COUNTED + refused);
                last = refused;
            }
            Machine.pass(500);
        }
    }

    /** The refusals that such a node has counted so far, by kind. */
    static SortedMap<String, Long> refusals(NodeProcess node) {
        SortedMap<String, Long> counts = new TreeMap<>();
        String line =
                node.logSince(0).lines().filter(it -> it.startsWith(COUNTED)).reduce("", (earlier, later) -> later);
        Matcher count = COUNT.matcher(line);
        while (count.find()) {
            counts.put(count.group(1), Long.parseLong(count.group(2)));
        }
        return counts;
    }
}
