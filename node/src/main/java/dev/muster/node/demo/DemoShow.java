package dev.muster.node.demo;

import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.Change;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.PartitionChanges;
import dev.muster.node.client.PartitionView;
import dev.muster.node.client.Target;
import dev.muster.node.command.LiveBlock;
import dev.muster.node.command.MemberTable;
import dev.muster.node.command.Table;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/**
 * What one sees of a demo: a table that keeps itself up to date, and above it what happens. Used by one thread, except
 * for the sums at its end.
 */
public final class DemoShow {

    private static final int REFRESHES_PER_LOOK_AT_TRAFFIC = 4;
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final DemoPlan plan;
    private final DemoNodes nodes;
    private final Terminal terminal;
    private final boolean speaks;
    private final LiveBlock block;
    private final ManagementClient client;
    private final DemoTraffic traffic;
    private final Map<String, Since> statuses = new HashMap<>();
    private ClusterView view = ClusterView.NOTHING;
    private Optional<PartitionView> known = Optional.empty();
    private int refreshes;

    /** @param speaks whether to print at all on standard output; otherwise events go to standard error */
    public DemoShow(DemoPlan plan, DemoNodes nodes, Terminal terminal, boolean speaks) {
        this.plan = plan;
        this.nodes = nodes;
        this.terminal = terminal;
        this.speaks = speaks;
        this.block = new LiveBlock(terminal);
        this.client = new ManagementClient(
                IntStream.range(0, plan.nodes())
                        .mapToObj(i -> new Target(DemoPlan.HOST, plan.http(i)))
                        .toList(),
                Optional.empty());
        this.traffic = new DemoTraffic(plan);
    }

    private record Since(String status, long nanos) {}

    /** Looks once, tells what has changed, and draws the table anew. */
    public void refresh(List<String> footer) throws InterruptedException {
        nodes.obituaries().forEach(sentence -> tell("ended           " + sentence));
        // Before the members: so whoever was lost by then is no member any more.
        Optional<PartitionView> there = plan.hasLoad() && up() > 0 ? partitions() : Optional.empty();
        look("/cluster/members").map(ClusterView::of).ifPresent(next -> {
            Change.between(view, next).forEach(change -> tell(change.toString()));
            view = next;
        });
        there.ifPresent(now -> {
            known.ifPresent(
                    before -> PartitionChanges.between(before, now, view).forEach(change -> tell(change.toString())));
            known = there;
        });
        if (plan.hasLoad() && up() > 0 && refreshes++ % REFRESHES_PER_LOOK_AT_TRAFFIC == 0) {
            traffic.refresh();
        }
        if (speaks) {
            draw(footer);
        }
    }

    /**
     * Tells what the clients of the nodes have sent and got back, if they have. By any thread, while the nodes live.
     */
    public void tellSums() {
        if (plan.hasLoad()) {
            traffic.awaitLook(LAST_LOOK);
            traffic.refresh();
            traffic.awaitLook(LAST_LOOK);
            traffic.lines().forEach(this::tell);
        }
    }

    /** Nobody answers while all are starting, and when all are gone, which the obituaries tell. */
    private Optional<JsonNode> look(String path) throws InterruptedException {
        try {
            Answer answer = client.get(path);
            return answer.isGood() ? Optional.of(answer.body()) : Optional.empty();
        } catch (NotReachableException nobody) {
            return Optional.empty();
        }
    }

    /** Nothing if whoever answers has not heard yet of what is known here. */
    private Optional<PartitionView> partitions() throws InterruptedException {
        return look("/cluster/partitions")
                .map(PartitionView::of)
                .filter(now -> known.filter(now::isOlderThan).isEmpty());
    }

    /** Says something that stays on the screen, with the time. */
    public void tell(String line) {
        say(TIME.format(LocalTime.now(ZoneId.systemDefault())) + "  " + line);
    }

    /** Says something that stays on the screen. */
    public void say(String line) {
        if (speaks) {
            block.tell(line);
        } else {
            terminal.err().println(line);
            terminal.err().flush();
        }
    }

    public long up() {
        return view.upAndReachable();
    }

    public boolean isAnybodyAlive() {
        return IntStream.range(0, plan.nodes()).anyMatch(nodes::isAlive);
    }

    /** Which nodes have ended, so that one may start them again. */
    public List<Integer> gone() {
        return IntStream.range(0, plan.nodes())
                .filter(i -> !nodes.isAlive(i))
                .filter(i ->
                        view.members().stream().noneMatch(row -> row.shortName().equals(plan.name(i))))
                .boxed()
                .toList();
    }

    private void draw(List<String> footer) {
        Ansi ansi = terminal.hasColours() ? Ansi.ON : Ansi.OFF;
        Table table = new Table(ansi, "node", "process", "status", "since", "", "unreachable for", "HTTP");
        for (int i = 0; i < plan.nodes(); i++) {
            row(table, i);
        }
        view.members().stream()
                .filter(row -> IntStream.range(0, plan.nodes())
                        .noneMatch(i -> plan.name(i).equals(row.shortName())))
                .forEach(row -> table.row(
                        row.shortName(),
                        "",
                        MemberTable.coloured(row.status()),
                        since(row.shortName(), row.status()),
                        view.isLeader(row) ? "leader" : "",
                        MemberTable.observers(view, row),
                        ""));
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines());
        List<String> sums = traffic.lines();
        if (!sums.isEmpty()) {
            lines.add("");
            lines.addAll(sums);
        }
        lines.addAll(footer);
        block.show(lines);
    }

    private void row(Table table, int index) {
        String name = plan.name(index);
        Optional<ClusterView.Row> member = view.members().stream()
                .filter(row -> row.shortName().equals(name))
                .reduce((older, newer) -> newer);
        String status = member.map(ClusterView.Row::status).orElse(nodes.isAlive(index) ? "starting" : "gone");
        table.row(
                name,
                nodes.pid(index).isPresent() ? Long.toString(nodes.pid(index).getAsLong()) : "",
                MemberTable.coloured(status),
                since(name, status),
                member.filter(view::isLeader).isPresent() ? "leader" : "",
                member.map(row -> MemberTable.observers(view, row)).orElse(""),
                plan.url(index));
    }

    private String since(String name, String status) {
        Since known = statuses.get(name);
        if (known == null || !known.status().equals(status)) {
            known = new Since(status, System.nanoTime());
            statuses.put(name, known);
        }
        Duration age = Duration.ofNanos(System.nanoTime() - known.nanos());
        return age.toSeconds() < 60
                ? age.toSeconds() + " s"
                : String.format(Locale.ROOT, "%d:%02d min", age.toMinutes(), age.toSecondsPart());
    }
}
