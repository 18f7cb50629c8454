package dev.muster.node.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a request before anybody has decided to serve it. Nothing of it is believed yet.
 *
 * @param method in upper case, as it came
 * @param path as it came, with its percent signs
 * @param query as it came; empty when there is none
 * @param headers by lower-case name
 * @param remote who connected
 * @param local the address of ours that was connected to
 * @param body reads the body, once, within the limits; nobody does so for a request that is refused anyway
 */
public record Request(
        String method,
        String path,
        String query,
        Map<String, List<String>> headers,
        InetAddress remote,
        InetAddress local,
        Body body) {

    public Request {
        headers = Map.copyOf(headers);
    }

    /** The bytes that follow the headers. */
    @FunctionalInterface
    public interface Body {
        byte[] read();
    }

    /**
     * The value of a header that may be given once; several are refused, because two readers may pick different ones.
     */
    public Optional<String> header(String name) {
        List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        if (values.size() > 1) {
            throw new RefusedRequest(400, "header " + name + " is given " + values.size() + " times; give it once");
        }
        return values.stream().findFirst();
    }

    /** A read has no effect, whatever it asks for. */
    public boolean isRead() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** From this machine itself, and not passed on by a proxy that happens to run here. */
    public boolean isLocal() {
        return remote.isLoopbackAddress()
                && !headers.containsKey("x-forwarded-for")
                && !headers.containsKey("forwarded");
    }
}
