package dev.muster.node.process;

import dev.muster.node.client.ClusterView;
import dev.muster.testkit.relay.FreePorts;
import dev.muster.testkit.relay.Relays;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Nodes as real processes on this machine, called A, B, C and so on in the order of their addresses. Waiting is done by
 * asking them over HTTP; what does not come in time is an error that says what is missing and shows the ends of all
 * logs.
 */
final class Processes implements AutoCloseable {
    private static final long POLL_MILLIS = 100;
    /** However busy the machine is, nobody waits for longer than this times the bound. */
    private static final int MOST_PATIENCE = 10;

    private final String name;
    private final Path folder;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final Thread atExit = new Thread(this::destroyAll);

    private Processes(String name) {
        this.name = name;
        this.folder = NodeProgram.folder().resolve(name);
        try {
            Files.createDirectories(folder);
            try (var old = Files.list(folder)) {
                for (Path file :
                        old.filter(it -> it.toString().endsWith(".log")).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** So many places on loopback. Nothing runs yet. */
    static Processes of(String name, int count) {
        Processes processes = new Processes(name);
        int[] ports = FreePorts.take(count);
        int[] https = FreePorts.take(count);
        for (int i = 0; i < count; i++) {
            processes.add(new NodeProcess.Place(List.of(), "127.0.0.1", ports[i], ports[i], https[i]));
        }
        return processes;
    }

    /** So many places on loopback, each of which the others reach through a relay only. */
    static Processes behind(Relays relays, String name, int count) {
        Processes processes = new Processes(name);
        int[] ports = FreePorts.take(count);
        int[] behind = FreePorts.take(count);
        int[] https = FreePorts.take(count);
        for (int i = 0; i < count; i++) {
            relays.open(ports[i], behind[i]);
            processes.add(new NodeProcess.Place(List.of(), "127.0.0.1", ports[i], behind[i], https[i]));
        }
        return processes;
    }

    /** Places in networks of their own. */
    static Processes at(List<NodeProcess.Place> places, String name) {
        Processes processes = new Processes(name);
        places.forEach(processes::add);
        return processes;
    }

    private void add(NodeProcess.Place place) {
        String letter = String.valueOf((char) ('A' + nodes.size()));
        nodes.add(new NodeProcess(letter, place, folder));
    }

    /**
     * What all of them are started with: seeds by their letters, in this order, and settings as after {@code --set}.
     */
    Processes with(String seeds, String... settings) {
        List<String> addresses =
                seeds.chars().mapToObj(c -> node((char) c).hostAndPort()).toList();
        List<String> all = new ArrayList<>(List.of("muster.node.system=" + name));
        all.addAll(List.of(settings));
        nodes.forEach(node -> node.configure(addresses, all));
        return this;
    }

    NodeProcess node(char letter) {
        return nodes.get(letter - 'A');
    }

    List<NodeProcess> all() {
        return List.copyOf(nodes);
    }

    /** Those with these letters. */
    List<NodeProcess> nodes(String letters) {
        return letters.chars().mapToObj(c -> node((char) c)).toList();
    }

    List<NodeProcess> allBut(NodeProcess... others) {
        return nodes.stream()
                .filter(node -> !Arrays.asList(others).contains(node))
                .toList();
    }

    /** Starts all and waits until they are one cluster. */
    Processes form() {
        nodes.forEach(NodeProcess::start);
        awaitFormed(nodes, Duration.ofSeconds(20));
        return this;
    }

    // --- Waiting
    // ---------------------------------------------------------------------------------------------------------

    /** Waits until each of these sees exactly these as up, and nobody as unreachable. */
    void awaitFormed(List<NodeProcess> members, Duration within) {
        await("one cluster of " + members, within, () -> {
            List<String> missing = new ArrayList<>();
            for (NodeProcess node : members) {
                String problem = differs(node.view(), members);
                if (!problem.isEmpty()) {
                    missing.add(node + " " + problem);
                }
            }
            return missing;
        });
    }

    private static String differs(ClusterView view, List<NodeProcess> members) {
        if (view.members().isEmpty()) {
            return "does not answer, or is in no cluster";
        }
        TreeSet<String> wanted =
                members.stream().map(NodeProcess::hostAndPort).collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> up = view.members().stream()
                .filter(row -> row.status().equals("Up"))
                .map(ClusterView.Row::shortName)
                .collect(Collectors.toCollection(TreeSet::new));
        if (view.members().size() != members.size() || !wanted.equals(up)) {
            return "sees " + view.members();
        }
        return view.unreachable().isEmpty() ? "" : "cannot reach " + view.unreachable();
    }

    /** Waits until each of these has been told that nobody hears from {@code subject}. */
    void awaitUnreachable(NodeProcess subject, List<NodeProcess> observers, Duration within) {
        await(
                subject + " unreachable for " + observers,
                within,
                () -> observers.stream()
                        .filter(node -> node.view().unreachable().keySet().stream()
                                .noneMatch(it -> ClusterView.shortened(it).equals(subject.hostAndPort())))
                        .map(node -> node + " does not say so")
                        .toList());
    }

    /** Waits until none of these knows this incarnation any more. */
    void awaitRemoved(String uid, List<NodeProcess> observers, Duration within) {
        await(
                uid + " removed for " + observers,
                within,
                () -> observers.stream()
                        .filter(node -> {
                            ClusterView view = node.view();
                            return view.members().isEmpty()
                                    || view.members().stream()
                                            .anyMatch(row -> row.uid().equals(uid));
                        })
                        .map(node -> node + " still has it")
                        .toList());
    }

    /** Waits until this node has logged a line with these words after the mark. */
    void awaitLogged(NodeProcess node, long mark, String words, Duration within) {
        await(
                "'" + words + "' in the log of " + node,
                within,
                () -> node.logSince(mark).contains(words) ? List.of() : List.of("not there yet"));
    }

    /** Waits until this node says that its membership has ended. */
    void awaitEnded(NodeProcess node, long mark, Duration within) {
        awaitLogged(node, mark, node.hostAndPort() + ": membership has ended", within);
    }

    /**
     * Asks again and again until nothing is missing. Time for which the machine had other things to do does not count,
     * up to a limit.
     */
    void await(String what, Duration within, Supplier<List<String>> missing) {
        long beginNanos = System.nanoTime();
        long busyNanos = Machine.busyNanos();
        while (true) {
            List<String> now = missing.get();
            if (now.isEmpty()) {
                return;
            }
            long elapsed = System.nanoTime() - beginNanos;
            long otherwiseBusy = Math.min(elapsed, Machine.busyNanos() - busyNanos);
            boolean isLate = elapsed - otherwiseBusy > within.toNanos();
            if (isLate || elapsed > within.toNanos() * MOST_PATIENCE) {
                throw failure(what + " did not come within " + within.toMillis() + " ms ("
                        + TimeUnit.NANOSECONDS.toMillis(elapsed) + " ms passed, for "
                        + TimeUnit.NANOSECONDS.toMillis(otherwiseBusy) + " of them programs waited for a processor): "
                        + String.join("; ", now));
            }
            Machine.pass(POLL_MILLIS);
        }
    }

    // --- What must not happen
    // --------------------------------------------------------------------------------------------

    /** Where the logs of all end now. */
    Map<NodeProcess, Long> marks() {
        Map<NodeProcess, Long> marks = new LinkedHashMap<>();
        nodes.forEach(node -> marks.put(node, node.mark()));
        return marks;
    }

    /** Fails if one of these nodes has logged these words since then. */
    void assertNotLogged(Map<NodeProcess, Long> marks, List<NodeProcess> by, String words) {
        for (NodeProcess node : by) {
            Optional<String> line = node.logSince(marks.get(node))
                    .lines()
                    .filter(it -> it.contains(words))
                    .findFirst();
            if (line.isPresent()) {
                throw failure(node + " logged what should not have happened: " + line.get());
            }
        }
    }

    /** With the ends of all logs. */
    AssertionError failure(String message) {
        StringBuilder text = new StringBuilder(message);
        nodes.forEach(node -> text.append(node.tail(25)));
        return new AssertionError(text.toString());
    }

    @Override
    public void close() {
        destroyAll();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void destroyAll() {
        nodes.forEach(NodeProcess::destroy);
    }
}
