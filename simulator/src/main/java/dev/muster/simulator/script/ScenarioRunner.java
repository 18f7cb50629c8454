package dev.muster.simulator.script;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultAction.Direction;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.trace.TraceSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Plays a scenario: text in, text out. The file holds commands, and below each command, after {@code >}, what it
 * answers. Playing a file gives the same file with the answers as they are now, so a comparison is a readable
 * difference.
 *
 * <pre>
 * # comment                        set NAME VALUE...              before the cluster is made
 * seed 7                           seeds a b                      the seed list; the first node when left out
 * cluster a b c                    starts them one after another; the first is the oldest and leads
 * run 10s                          run until converged            (at most two minutes)
 * start f [misconfigured]          crash c      restart c         pause c      resume c
 * split a b | c d e                cut a -> b   cut a -- b        isolate d in|out|both      heal
 * loss 80% [d [in|out|both]]       delay 100ms 900ms              resets
 * leave c [at a]                   down c [at a]                  jump c 1h    drift c 50000
 * members [a]                      alive                          leader
 * events                           what was told since the last time     forget      the same without a word
 * expect alive a b c               expect converged               expect leader a
 * </pre>
 */
public final class ScenarioRunner {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final List<Checker> checkers;
    private final TraceSink sink;
    private final List<String> names = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final StringBuilder output = new StringBuilder();
    private ClusterSettings settings = ClusterSettings.defaults();
    private List<String> seeds = List.of();
    private long seed = 1;
    private SimulatedCluster cluster;
    private ScenarioText text;
    private boolean failed;
    private int line;

    private ScenarioRunner(List<Checker> checkers, TraceSink sink) {
        this.checkers = checkers;
        this.sink = sink;
    }

    /**
     * What came of a scenario.
     *
     * @param text the commands with the answers as they are
     * @param asExpected whether that is exactly the text that was played, and no expectation or checker failed
     */
    public record Result(String text, boolean asExpected) {}

    public static Result play(String scenario) {
        return play(scenario, List.of(), null);
    }

    /** @param sink reads along; null for nobody */
    public static Result play(String scenario, List<Checker> checkers, TraceSink sink) {
        return new ScenarioRunner(checkers, sink).run(scenario);
    }

    private Result run(String scenario) {
        for (String each : scenario.lines().toList()) {
            line++;
            if (!each.startsWith(">")) {
                output.append(each.stripTrailing()).append('\n');
                perform(each.replaceAll("#.*", "").strip());
            }
        }
        if (cluster != null) {
            cluster.violations().forEach(violation -> fail("violation " + violation));
        }
        return new Result(output.toString(), !failed && output.toString().equals(scenario));
    }

    private void perform(String command) {
        if (command.isEmpty()) {
            return;
        }
        List<String> words = Arrays.asList(command.split("\\s+"));
        try {
            perform(words.get(0), words.subList(1, words.size()));
        } catch (IndexOutOfBoundsException | IllegalArgumentException problem) {
            throw new ScenarioFailure(line, "cannot do '" + command + "': " + problem.getMessage());
        }
    }

    private void perform(String verb, List<String> rest) {
        switch (verb) {
            case "seed" -> seed = Long.parseLong(rest.get(0));
            case "set" -> settings = ScenarioSettings.with(settings, rest.get(0), rest.subList(1, rest.size()));
            case "seeds" -> seeds = rest;
            case "cluster" -> makeCluster(rest);
            case "run" -> run(rest);
            case "start" -> start(rest);
            case "crash" -> rest.forEach(name -> cluster.crash(slot(name)));
            case "restart" -> rest.forEach(name -> cluster.restart(slot(name)));
            case "pause" -> rest.forEach(name -> cluster.pause(slot(name)));
            case "resume" -> rest.forEach(name -> cluster.resume(slot(name)));
            case "leave" -> cluster.command(speaker(rest), new Command.Leave(address(rest.get(0))));
            case "down" -> cluster.command(speaker(rest), new Command.Down(address(rest.get(0))));
            case "jump" -> cluster.jumpWallClock(slot(rest.get(0)), ScenarioSettings.duration(rest.get(1)));
            case "drift" -> cluster.drift(slot(rest.get(0)), Integer.parseInt(rest.get(1)));
            default -> performOnNetwork(verb, rest);
        }
    }

    private void performOnNetwork(String verb, List<String> rest) {
        switch (verb) {
            case "split" -> split(rest);
            case "cut" -> cut(rest);
            case "isolate" -> isolate(slot(rest.get(0)), direction(rest, 1));
            case "heal" -> cluster.heal();
            case "loss" -> loss(rest);
            case "delay" ->
                cluster.slow(
                        FaultAction.EVERYBODY,
                        ScenarioSettings.duration(rest.get(0)),
                        ScenarioSettings.duration(rest.get(1)));
            case "resets" -> cluster.resetConnections(true);
            default -> look(verb, rest);
        }
    }

    private void look(String verb, List<String> rest) {
        switch (verb) {
            case "members" -> watched(rest).forEach(node -> answer(text.view(node)));
            case "events" -> {
                events.forEach(this::answer);
                events.clear();
            }
            case "forget" -> events.clear();
            case "alive" -> answer(text.list(cluster.runningNodes()));
            case "leader" ->
                cluster.runningNodes().forEach(node -> answer(text.name(node) + " says " + leaderOf(node)));
            case "expect" -> expect(rest);
            default -> throw new IllegalArgumentException("no such command");
        }
    }

    // --- Making and running
    // -------------------------------------------------------------------------------------------

    private void makeCluster(List<String> starting) {
        // In the order of their names, so that the order of addresses, which decides who leads, is the order of names.
        TreeSet<String> known = new TreeSet<>(seeds);
        known.addAll(starting);
        known.forEach(this::slot);
        List<String> seedNames = seeds.isEmpty() ? starting.subList(0, 1) : seeds;
        List<NodeAddress> addresses = seedNames.stream().map(this::address).toList();
        settings = settings.withJoin(settings.join().withSeedNodes(addresses));
        cluster = new SimulatedCluster(seed, settings, LinkProfile.REGION, checkers, sink);
        text = new ScenarioText(cluster, names::get, this::nameOf);
        cluster.subscribe(this::note);
        for (String name : starting) {
            cluster.start(slot(name));
            cluster.runFor(Duration.ofSeconds(1));
        }
    }

    private void note(SimulatedNode node, ClusterEvent event) {
        if (ScenarioText.isTold(event)) {
            events.add(String.format(
                    Locale.ROOT, "%.1fs %s: %s", cluster.nowNanos() / 1e9, text.name(node), text.event(event)));
        }
    }

    private void run(List<String> rest) {
        if (!rest.get(0).equals("until")) {
            cluster.runFor(ScenarioSettings.duration(rest.get(0)));
            return;
        }
        long until = cluster.nowNanos() + LONGEST_WAIT.toNanos();
        while (cluster.nowNanos() < until && !hasConverged()) {
            cluster.runFor(GLANCE);
        }
        if (!hasConverged()) {
            fail("not converged after " + LONGEST_WAIT.toSeconds() + " s");
        }
    }

    /** Everybody who runs is a member, has converged, and is up. */
    private boolean hasConverged() {
        for (SimulatedNode node : cluster.runningNodes()) {
            var snapshot = node.snapshot();
            if (!snapshot.converged()
                    || snapshot.state().members().size()
                            != cluster.runningNodes().size()) {
                return false;
            }
        }
        return true;
    }

    private void start(List<String> rest) {
        if (rest.contains("misconfigured")) {
            cluster.startMisconfigured(slot(rest.get(0)));
        } else {
            rest.forEach(name -> cluster.start(slot(name)));
        }
    }

    // --- Network
    // ------------------------------------------------------------------------------------------------------

    private void split(List<String> rest) {
        List<Integer> groups = new ArrayList<>();
        List<Integer> slots = new ArrayList<>();
        int group = 0;
        for (String word : rest) {
            if (word.equals("|")) {
                group++;
            } else {
                slots.add(slot(word));
                groups.add(group);
            }
        }
        for (int i = 0; i < slots.size(); i++) {
            for (int j = 0; j < slots.size(); j++) {
                if (!groups.get(i).equals(groups.get(j))) {
                    cluster.cut(slots.get(i), slots.get(j));
                }
            }
        }
    }

    private void cut(List<String> rest) {
        int from = slot(rest.get(0));
        int to = slot(rest.get(2));
        cluster.cut(from, to);
        if (rest.get(1).equals("--")) {
            cluster.cut(to, from);
        }
    }

    private void isolate(int slot, Direction direction) {
        for (int other = 0; other < names.size(); other++) {
            if (other != slot && direction != Direction.OUT) {
                cluster.cut(other, slot);
            }
            if (other != slot && direction != Direction.IN) {
                cluster.cut(slot, other);
            }
        }
    }

    private void loss(List<String> rest) {
        double probability = Double.parseDouble(rest.get(0).replace("%", "")) / 100;
        int slot = rest.size() > 1 ? slot(rest.get(1)) : FaultAction.EVERYBODY;
        cluster.lose(slot, direction(rest, 2), probability);
    }

    private static Direction direction(List<String> words, int index) {
        return words.size() > index ? Direction.valueOf(words.get(index).toUpperCase(Locale.ROOT)) : Direction.BOTH;
    }

    // --- Looking
    // ------------------------------------------------------------------------------------------------------

    private void expect(List<String> rest) {
        List<String> wanted = rest.subList(1, rest.size());
        switch (rest.get(0)) {
            case "alive" -> {
                String alive = text.list(cluster.runningNodes());
                expect(alive.equals(String.join(" ", wanted.stream().sorted().toList())), "alive are " + alive);
            }
            case "converged" -> expect(hasConverged(), "not converged");
            case "leader" ->
                cluster.runningNodes()
                        .forEach(node -> expect(
                                leaderOf(node).equals(wanted.get(0)), text.name(node) + " says " + leaderOf(node)));
            default -> throw new IllegalArgumentException("nothing to expect by that name");
        }
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            fail(otherwise);
        }
    }

    private void fail(String why) {
        failed = true;
        answer("FAILED: " + why);
    }

    private void answer(String said) {
        output.append("> ").append(said).append('\n');
    }

    private String leaderOf(SimulatedNode node) {
        return node.snapshot().leader().map(text::name).orElse("none");
    }

    private List<SimulatedNode> watched(List<String> rest) {
        return rest.isEmpty()
                ? cluster.runningNodes()
                : rest.stream()
                        .map(this::slot)
                        .map(cluster::node)
                        .flatMap(Optional::stream)
                        .toList();
    }

    // --- Names
    // --------------------------------------------------------------------------------------------------------

    /** Who gives the command: the node after {@code at}, else the one it is about. */
    private int speaker(List<String> rest) {
        return slot(rest.size() > 2 && rest.get(1).equals("at") ? rest.get(2) : rest.get(0));
    }

    private int slot(String name) {
        if (!names.contains(name)) {
            names.add(name);
        }
        return names.indexOf(name);
    }

    private NodeAddress address(String name) {
        return RunPlan.addressOf(slot(name));
    }

    private String nameOf(NodeAddress address) {
        for (int slot = 0; slot < names.size(); slot++) {
            if (RunPlan.addressOf(slot).equals(address)) {
                return names.get(slot);
            }
        }
        return address.hostAndPort();
    }
}
