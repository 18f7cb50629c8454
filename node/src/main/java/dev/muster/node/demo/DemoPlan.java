package dev.muster.node.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which nodes a demo has, and where.
 *
 * @param nodes how many
 * @param port of the wire of the first one; the others follow
 * @param http port of HTTP of the first one; the others follow
 * @param hasLoad whether there are partitions, and clients that send to them
 */
public record DemoPlan(int nodes, int port, int http, boolean hasLoad) {

    public static final String HOST = "127.0.0.1";
    public static final String SYSTEM = "demo";

    public int port(int index) {
        return port + index;
    }

    public int http(int index) {
        return http + index;
    }

    /** As members show it. */
    public String name(int index) {
        return HOST + ":" + port(index);
    }

    public String url(int index) {
        return "http://" + HOST + ":" + http(index) + "/";
    }

    /** The settings that all nodes have, as {@code key=value}. */
    public List<String> settings() {
        String system = "muster.node.system=" + SYSTEM;
        return hasLoad ? List.of(system, DemoLoad.SETTING + "=on") : List.of(system);
    }

    /** The command that starts a node again, with another one as the way in: one that lives, if any does. */
    public String restartCommand(int index, IntPredicate isAlive) {
        int seed = IntStream.range(0, nodes)
                .filter(other -> other != index && isAlive.test(other))
                .findFirst()
                .orElse(index == 0 ? 1 : 0);
        return "./muster node --port " + port(index) + " --http " + http(index) + " --set "
                + String.join(" --set ", settings()) + (nodes > 1 ? " --seed " + name(seed) : "");
    }

    /** The first port that somebody else has, with the option that moves it. */
    public Optional<Taken> firstTaken() {
        Optional<Taken> wire = IntStream.range(0, nodes)
                .map(this::port)
                .filter(it -> !isFree(it))
                .mapToObj(it -> new Taken(it, "--port"))
                .findFirst();
        return wire.isPresent()
                ? wire
                : IntStream.range(0, nodes)
                        .map(this::http)
                        .filter(it -> !isFree(it))
                        .mapToObj(it -> new Taken(it, "--http"))
                        .findFirst();
    }

    /** A port that cannot be used. */
    public record Taken(int port, String option) {}

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As servers do it: a port that was let go a moment ago is free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
