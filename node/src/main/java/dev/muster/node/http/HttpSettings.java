package dev.muster.node.http;

import com.typesafe.config.Config;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * How a node serves management over HTTP: {@code muster.management.http}.
 *
 * @param enabled whether it does at all
 * @param hostname where it listens, by name or number
 * @param port where it listens; 0 lets the system choose
 * @param token what writers show, and readers from other machines; empty when there is none
 * @param viewerToken what readers may show instead; good for no write
 * @param insecure whether other machines may read without a token
 * @param allowedHosts names under which this server is known besides its own
 */
public record HttpSettings(
        boolean enabled,
        String hostname,
        int port,
        Optional<String> token,
        Optional<String> viewerToken,
        boolean insecure,
        List<String> allowedHosts) {

    private static final int SHORTEST_TOKEN = 16;

    public HttpSettings {
        allowedHosts = List.copyOf(allowedHosts);
        requireLong("token", token);
        requireLong("viewer-token", viewerToken);
    }

    /** Reads the section at {@code muster.management.http}. */
    public static HttpSettings of(Config config) {
        Config http = config.getConfig("muster.management.http");
        return new HttpSettings(
                http.getBoolean("enabled"),
                http.getString("hostname"),
                http.getInt("port"),
                textIn(http, "token"),
                textIn(http, "viewer-token"),
                http.getBoolean("insecure"),
                http.getStringList("allowed-hosts"));
    }

    /** On loopback, at a port that the system chooses, without tokens. */
    public static HttpSettings onLoopback() {
        return new HttpSettings(true, "127.0.0.1", 0, Optional.empty(), Optional.empty(), false, List.of());
    }

    public HttpSettings withPort(int next) {
        return new HttpSettings(enabled, hostname, next, token, viewerToken, insecure, allowedHosts);
    }

    public HttpSettings withTokens(String writer, String viewer) {
        return new HttpSettings(
                enabled, hostname, port, Optional.of(writer), Optional.of(viewer), insecure, allowedHosts);
    }

    /**
     * Refuses to be open to other machines by accident.
     *
     * @throws IllegalArgumentException if it would listen for other machines with neither a token nor the word for it
     */
    void requireProtection() {
        if (isReachableFromOutside() && token.isEmpty() && !insecure) {
            throw new IllegalArgumentException("muster.management.http.hostname is " + hostname
                    + ", which other machines can reach, but there is no token; set muster.management.http.token, or"
                    + " muster.management.http.insecure = on to let everybody read");
        }
    }

    boolean isReachableFromOutside() {
        try {
            return !InetAddress.getByName(hostname).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException(
                    "muster.management.http.hostname is " + hostname
                            + ", which no name server knows; give a name or number of this machine",
                    unknown);
        }
    }

    private static Optional<String> textIn(Config http, String key) {
        return Optional.of(http.getString(key)).filter(text -> !text.isEmpty());
    }

    private static void requireLong(String key, Optional<String> token) {
        if (token.isPresent() && token.get().length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException(
                    "muster.management.http." + key + " has " + token.get().length() + " characters; give at least "
                            + SHORTEST_TOKEN + ", such as 'openssl rand -hex 16' prints");
        }
    }

    @Override
    public String toString() {
        return "HttpSettings[" + hostname + ":" + port + ", token " + (token.isPresent() ? "set" : "not set") + "]";
    }
}
