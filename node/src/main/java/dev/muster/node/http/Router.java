package dev.muster.node.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds the route of a request by exact text.
 *
 * <p>The path is compared as it came: nothing is decoded, no dots are followed, no slash is added. Only what stands in
 * the place of a variable is decoded, once. So there is one spelling for each route, and nothing to smuggle past it.
 */
final class Router {

    private final List<Route> routes;

    Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** A route, and what stands in the place of its variable. */
    record Match(Route route, String subject) {}

    List<Route> routes() {
        return routes;
    }

    /** The route for a request; refuses with 404 or 405 when there is none. */
    Match find(String method, String path) {
        String wanted = method.equals("HEAD") ? "GET" : method;
        List<Route> here = routes.stream().filter(route -> route.matches(path)).toList();
        if (here.isEmpty()) {
            throw new RefusedRequest(404, "there is nothing at this path; GET / lists what there is");
        }
        for (Route route : here) {
            if (route.method().equals(wanted)) {
                return new Match(
                        route,
                        route.hasVariable()
                                ? decoded(path.substring(route.prefix().length()))
                                : "");
            }
        }
        String allowed = String.join(", ", allowed(here));
        throw new RefusedRequest(405, "this path takes " + allowed + " only", Map.of("Allow", allowed));
    }

    private static List<String> allowed(List<Route> here) {
        TreeSet<String> methods = new TreeSet<>();
        for (Route route : here) {
            methods.add(route.method());
            if (route.method().equals("GET")) {
                methods.add("HEAD");
            }
        }
        return new ArrayList<>(methods);
    }

    /** Percent signs only; a plus stays a plus, as it does in a path. */
    static String decoded(String text) {
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                bytes.put(raw[i]);
                continue;
            }
            int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
            int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw new RefusedRequest(400, "a percent sign in the path is not followed by two hex digits");
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException notText) {
            throw new RefusedRequest(400, "the path is not UTF-8");
        }
    }
}
