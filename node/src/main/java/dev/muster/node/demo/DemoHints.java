package dev.muster.node.demo;

import dev.muster.node.client.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Help.Ansi;

/** What one may try while a demo runs: commands that work as they stand, so they name nodes that live now. */
public final class DemoHints {

    private final DemoPlan plan;
    private final DemoNodes nodes;
    private final Ansi ansi;

    public DemoHints(DemoPlan plan, DemoNodes nodes, Ansi ansi) {
        this.plan = plan;
        this.nodes = nodes;
        this.ansi = ansi;
    }

    /** @param gone which nodes may be started again */
    public List<String> lines(List<Integer> gone) {
        List<String> lines = new ArrayList<>(List.of("", ansi.string("@|bold Try in another terminal:|@")));
        victim().ifPresent(index -> {
            nodes.pid(index).ifPresent(pid -> lines.add(line("kill -9 " + pid, "crash a node")));
            lines.add(line("./muster leave " + plan.name(index) + at(), "let it leave"));
        });
        lines.add(line("./muster members" + at(), "who is in it"));
        lines.add(line("./muster explain" + at(), "why it is as it is"));
        if (plan.hasLoad()) {
            lines.addAll(aboutPartitions());
        }
        gone.forEach(index -> lines.add("  " + restartCommand(index)));
        lines.add("Ctrl-C ends the demo.");
        return lines;
    }

    /** The command that starts a node again. */
    public String restartCommand(int index) {
        return plan.restartCommand(index, nodes::isAlive);
    }

    private List<String> aboutPartitions() {
        List<String> lines = new ArrayList<>();
        lines.add(line("./muster partitions" + at(), "where counters and the clock run"));
        victim().ifPresent(index -> lines.add(
                line("./muster migrate clock --to " + plan.name(index) + at(), "move the clock; it goes on counting")));
        lines.add(line("./muster handoffs --all" + atAll(), "what is on the move"));
        lines.add(line("./muster explain partition clock" + at(), "why it is where it is"));
        lines.add(line("./muster rebalance --dry-run" + at(), "what would be moved"));
        return lines;
    }

    /** What it does is a comment of the shell, so that a whole line may be copied however long its command is. */
    private static String line(String command, String what) {
        return String.format("  %-42s # %s", command, what);
    }

    /** A node that is worth being killed, to see what happens: the last one that lives. */
    private OptionalInt victim() {
        return living().max();
    }

    private IntStream living() {
        return IntStream.range(0, plan.nodes()).filter(nodes::isAlive);
    }

    /** The first node that lives, unless commands find it by themselves. */
    private String at() {
        int index = living().findFirst().orElse(0);
        return isFoundWithoutAt(index) ? "" : at(index);
    }

    /** Every node that lives, unless commands find all of them by themselves. */
    private String atAll() {
        return living().allMatch(this::isFoundWithoutAt)
                ? ""
                : living().mapToObj(this::at).collect(Collectors.joining());
    }

    private String at(int index) {
        return " --at " + DemoPlan.HOST + ":" + plan.http(index);
    }

    private boolean isFoundWithoutAt(int index) {
        return plan.http(0) == Target.DEFAULT_PORT && index < Target.usual().size();
    }
}
