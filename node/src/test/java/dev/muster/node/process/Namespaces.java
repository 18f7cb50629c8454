package dev.muster.node.process;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Networks of their own for a few nodes, with a router between them that loses real packets in one direction. It needs
 * Linux, root and the command {@code ip}; nothing of the machine's own network is changed but for one more interface,
 * by which the tests ask the nodes.
 *
 * <p>The router drops by routing rules, which every kernel has. Random loss is made of short times in which everything
 * is dropped: TCP waits at least 200 ms before it sends again, so each attempt meets another of these times.
 */
final class Namespaces implements AutoCloseable {
    private static final int PORT = 2551;
    private static final int HTTP = 8558;
    private static final long SLICE_MILLIS = 40;

    private final String name;
    private final int net;
    private final int count;
    private final List<Thread> losing = new ArrayList<>();
    private volatile boolean isOver;

    private Namespaces(String name, int net, int count) {
        this.name = name;
        this.net = net;
        this.count = count;
    }

    /** Why this machine cannot do it, if it cannot. */
    static Optional<String> whyNot() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("network namespaces need Linux");
        }
        if (!Files.isExecutable(Path.of("/usr/sbin/ip"))
                && !Files.isExecutable(Path.of("/sbin/ip"))
                && !Files.isExecutable(Path.of("/usr/bin/ip"))) {
            return Optional.of("the command ip is missing");
        }
        String probe = "muster-probe-" + ProcessHandle.current().pid();
        Machine.Ran made = Machine.run(List.of("ip", "netns", "add", probe));
        if (made.code() != 0) {
            return Optional.of("no network namespace can be made, which needs root: " + made.output());
        }
        try {
            for (String line : List.of(
                    "link add probe0 type veth peer name probe1",
                    "rule add from 198.18.1.0/24 to 198.18.2.0/24 blackhole")) {
                Machine.Ran ran = Machine.run(words("ip -n " + probe + " " + line));
                if (ran.code() != 0) {
                    return Optional.of("ip " + line + ": " + ran.output());
                }
            }
            return Optional.empty();
        } finally {
            Machine.run(List.of("ip", "netns", "del", probe));
        }
    }

    /** So many networks, each for one node. */
    static Namespaces create(int count) {
        // 198.18.0.0/15 is set aside for tests like these; the pid keeps two builds on one machine apart.
        long pid = ProcessHandle.current().pid();
        Namespaces made = new Namespaces("muster-" + pid + "-", (int) (pid % 60) * 4, count);
        try {
            made.build();
            return made;
        } catch (AssertionError failed) {
            made.close();
            throw failed;
        }
    }

    private void build() {
        ip("netns add " + router());
        ip("-n " + router() + " link set lo up");
        ip("netns exec " + router() + " sysctl -q -w net.ipv4.ip_forward=1");
        connect(0, "");
        for (int i = 1; i <= count; i++) {
            ip("netns add " + name + i);
            ip("-n " + name + i + " link set lo up");
            connect(i, "-n " + name + i + " ");
        }
    }

    /** A cable between the router and network i; network 0 is that of the machine itself. */
    private void connect(int i, String inside) {
        String far = i == 0 ? "mu" + net + "x" : "eth0";
        String where = i == 0 ? "netns " + ProcessHandle.current().pid() : "netns " + name + i;
        ip("-n " + router() + " link add to" + i + " type veth peer name " + far + " " + where);
        ip("-n " + router() + " addr add " + prefix(i) + ".1/24 dev to" + i);
        ip("-n " + router() + " link set to" + i + " up");
        ip(inside + "addr add " + prefix(i) + ".2/24 dev " + far);
        ip(inside + "link set " + far + " up");
        if (i == 0) {
            for (int node = 1; node <= count; node++) {
                ip("route add " + prefix(node) + ".0/24 via " + prefix(0) + ".1");
            }
        } else {
            ip(inside + "route add default via " + prefix(i) + ".1");
        }
    }

    private String router() {
        return name + "router";
    }

    private String prefix(int i) {
        return "198.18." + (net + i);
    }

    /** Where node i runs, from 1. */
    NodeProcess.Place place(int i) {
        return new NodeProcess.Place(List.of("ip", "netns", "exec", name + i), prefix(i) + ".2", PORT, PORT, HTTP);
    }

    /** Drops every packet from one network to another, or no more. */
    void drop(int from, int to, boolean dropped) {
        ip("-n " + router() + " " + rule(from, to, dropped));
    }

    private String rule(int from, int to, boolean dropped) {
        return "rule " + (dropped ? "add" : "del") + " from " + prefix(from) + ".0/24 to " + prefix(to)
                + ".0/24 blackhole";
    }

    /** Drops most packets of one direction, until {@link #stopLosing}. */
    void lose(int from, int to, double probability) {
        Thread thread = new Thread(() -> loseUntilStopped(from, to, probability), "loss-" + from + "-" + to);
        thread.setDaemon(true);
        losing.add(thread);
        thread.start();
    }

    private void loseUntilStopped(int from, int to, double probability) {
        Random random = new Random(31L * from + to);
        try {
            Process ip = new ProcessBuilder("ip", "-n", router(), "-force", "-batch", "-")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (OutputStream lines = ip.getOutputStream()) {
                boolean isDropped = false;
                while (!isOver) {
                    boolean drops = random.nextDouble() < probability;
                    if (drops != isDropped) {
                        lines.write((rule(from, to, drops) + "\n").getBytes(StandardCharsets.US_ASCII));
                        lines.flush();
                        isDropped = drops;
                    }
                    Machine.pass(SLICE_MILLIS);
                }
                if (isDropped) {
                    lines.write((rule(from, to, false) + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            }
            ip.waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    void stopLosing() {
        isOver = true;
        for (Thread thread : losing) {
            try {
                thread.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", hurry);
            }
        }
        losing.clear();
        isOver = false;
    }

    private static void ip(String line) {
        Machine.Ran ran = Machine.run(words("ip " + line));
        if (ran.code() != 0) {
            throw new AssertionError("ip " + line + ": " + ran.output());
        }
    }

    private static List<String> words(String line) {
        return List.of(line.split(" "));
    }

    /** With the namespaces go their interfaces, and with these the routes to them. */
    @Override
    public void close() {
        stopLosing();
        for (int i = 1; i <= count; i++) {
            Machine.run(List.of("ip", "netns", "del", name + i));
        }
        Machine.run(List.of("ip", "netns", "del", router()));
    }
}
