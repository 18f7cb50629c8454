package dev.muster.node.http;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.cluster.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A management server on a free port, and a client that sends exactly the bytes it is told. */
public final class ManagedNode implements AutoCloseable {

    private static final int ANSWER_WITHIN_MILLIS = 20_000;

    private final ManagementServer server;

    public ManagedNode(Cluster cluster) {
        this(cluster, HttpSettings.onLoopback());
    }

    public ManagedNode(Cluster cluster, HttpSettings settings) {
        this(cluster, settings, ConfigFactory.load());
    }

    public ManagedNode(Cluster cluster, HttpSettings settings, Config config) {
        try {
            server = ManagementServer.start(settings, cluster, config);
        } catch (IOException noPort) {
            throw new IllegalStateException("no port could be had", noPort);
        }
    }

    /** What came back. */
    public record Reply(int status, Map<String, String> headers, String body) {

        public JsonNode json() {
            return JsonMapper.builder().build().readTree(body);
        }
    }

    public int port() {
        return server.address().getPort();
    }

    /** {@code host:port}, as the option {@code --at} takes it. */
    public String at() {
        return "127.0.0.1:" + port();
    }

    public Reply get(String path, String... headers) throws IOException {
        return send("GET", path, "", headers);
    }

    /** A form from this machine, with the header that makes it a deliberate one. */
    public Reply change(String method, String path, String form) throws IOException {
        return send(method, path, form, "X-Muster: 1", "Content-Type: application/x-www-form-urlencoded");
    }

    public Reply send(String method, String path, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        boolean hasHost = false;
        for (String header : headers) {
            head.append(header).append("\r\n");
            hasHost |= header.startsWith("Host:");
        }
        head.append(hasHost ? "" : "Host: " + at() + "\r\n").append("Connection: close\r\n");
        if (!body.isEmpty()) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        return raw(head + "\r\n" + body);
    }

    /** Sends these bytes and reads until the other side closes, or the answer is whole. */
    public Reply raw(String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return parsed(readAll(socket.getInputStream()));
        }
    }

    private static String readAll(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[8192];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
            }
        } catch (SocketException reset) {
            // A server that closes while we still send answers so; what was read before counts.
            text.append("");
        }
        return text.toString();
    }

    /** No status at all, 0, when the connection was closed without a word. */
    private static Reply parsed(String text) {
        int blank = text.indexOf("\r\n\r\n");
        if (blank < 0) {
            return new Reply(0, Map.of(), "");
        }
        String[] lines = text.substring(0, blank).split("\r\n");
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        return new Reply(Integer.parseInt(lines[0].split(" ")[1]), headers, text.substring(blank + 4));
    }

    @Override
    public void close() {
        server.close();
    }
}
