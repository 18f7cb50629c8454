package dev.muster.node.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a node serves HTTP. */
public record Target(String host, int port) {

    public static final int DEFAULT_PORT = 8558;

    /** How many ports from the default one on are tried when nobody says where; as many as a demo has nodes. */
    private static final int DEFAULT_TARGETS = 5;

    private static final Pattern FORM =
            Pattern.compile("(?:http://)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?/?");

    /**
     * Reads {@code host:port}, or a host alone.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static Target parse(String text) {
        Matcher matcher = FORM.matcher(text);
        int port = matcher.matches() && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : DEFAULT_PORT;
        if (!matcher.matches() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no place of a node; write the host and port of its HTTP, like 127.0.0.1:8558");
        }
        return new Target(matcher.group(1), port);
    }

    /** Where nodes of this machine usually are. */
    public static List<Target> usual() {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < DEFAULT_TARGETS; i++) {
            targets.add(new Target("127.0.0.1", DEFAULT_PORT + i));
        }
        return targets;
    }

    URI uri(String path) {
        return URI.create("http://" + this + path);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
