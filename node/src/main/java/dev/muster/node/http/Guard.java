package dev.muster.node.http;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Decides who may ask what. Everything that a stranger could send is looked at here, before any route sees it.
 *
 * <p>Two kinds of strangers: another machine that can connect, and a web page that the operator happens to have open,
 * whose requests come from the operator's own machine. The first needs a token. The second cannot send our custom
 * header without asking first, which is never granted, and names itself in {@code Host}, {@code Origin} or
 * {@code Sec-Fetch-Site}.
 */
final class Guard {

    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String CHALLENGE = "Bearer realm=\"muster\"";

    private final HttpSettings settings;
    private final FailedTokens failedTokens;
    private final Set<String> hosts = new HashSet<>(LOOPBACK_NAMES);

    Guard(HttpSettings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.failedTokens = new FailedTokens(nanoTime);
        hosts.add(settings.hostname().toLowerCase(Locale.ROOT));
        settings.allowedHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    }

    /** A page whose name was pointed at this machine after it was loaded still names itself in the Host header. */
    void requireKnownHost(Request request) {
        String host = request.header("host")
                .orElseThrow(() -> new RefusedRequest(400, "there is no Host header"))
                .toLowerCase(Locale.ROOT);
        String name = host.replaceFirst(":\\d+$", "");
        if (!hosts.contains(name) && !name.equals(literal(request.local()))) {
            throw new RefusedRequest(
                    421, "this server is not known by that host name; add it to muster.management.http.allowed-hosts");
        }
    }

    /** Refuses, or says who it is that may. */
    String admit(Request request, Route.Access access) {
        return switch (access) {
            case OPEN -> "anybody";
            case READ -> admitReader(request);
            case WRITE -> admitWriter(request);
        };
    }

    private String admitReader(Request request) {
        Optional<Role> role = roleOf(request);
        if (role.isPresent()) {
            return role.get().description;
        }
        if (request.isLocal() || settings.insecure()) {
            return request.isLocal() ? "local" : "insecure";
        }
        throw unauthorized("reading from another machine needs a token: Authorization: Bearer ...");
    }

    private String admitWriter(Request request) {
        requireNoForeignPage(request);
        Optional<Role> role = roleOf(request);
        if (role.isPresent() && role.get() == Role.VIEWER) {
            throw new RefusedRequest(403, "this token may read but not change anything");
        }
        if (!request.method().equals("DELETE") && !Parameters.hasKnownType(request)) {
            throw new RefusedRequest(415, "the body must be a form or JSON; say which in Content-Type");
        }
        if (role.isPresent()) {
            return role.get().description;
        }
        if (!request.isLocal()) {
            throw unauthorized("changing anything from another machine needs a token: Authorization: Bearer ...");
        }
        if (!request.header("x-muster").equals(Optional.of("1"))) {
            throw new RefusedRequest(403, "add the header X-Muster: 1, or a token; it keeps web pages of others out");
        }
        return "local";
    }

    private void requireNoForeignPage(Request request) {
        Optional<String> site = request.header("sec-fetch-site");
        if (site.isPresent() && !site.get().equals("same-origin") && !site.get().equals("none")) {
            throw new RefusedRequest(403, "a page of another site may not change anything here");
        }
        Optional<String> origin = request.header("origin");
        if (origin.isPresent() && !authority(origin.get()).equals(request.header("host"))) {
            throw new RefusedRequest(403, "a page of another origin may not change anything here");
        }
    }

    private static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException noOrigin) {
            return Optional.empty();
        }
    }

    private enum Role {
        OPERATOR("token"),
        VIEWER("viewer token");

        private final String description;

        Role(String description) {
            this.description = description;
        }
    }

    private Optional<Role> roleOf(Request request) {
        Optional<String> authorization = request.header("authorization");
        if (authorization.isEmpty()) {
            return Optional.empty();
        }
        if (failedTokens.areTooMany(request.remote())) {
            throw new RefusedRequest(429, "too many wrong tokens; try again in a second", Map.of("Retry-After", "1"));
        }
        boolean bearer = authorization.get().regionMatches(true, 0, "Bearer ", 0, 7);
        String shown = bearer ? authorization.get().substring(7).strip() : "";
        // Both are always compared, so that the time it takes tells nothing.
        boolean operator = matches(shown, settings.token());
        boolean viewer = matches(shown, settings.viewerToken());
        if (!operator && !viewer) {
            failedTokens.add(request.remote());
            throw unauthorized("the token is wrong");
        }
        return Optional.of(operator ? Role.OPERATOR : Role.VIEWER);
    }

    /** Digests have one length, so that not even the length of the token shows. */
    private static boolean matches(String shown, Optional<String> token) {
        boolean equal = MessageDigest.isEqual(digest(shown), digest(token.orElse("")));
        return equal && token.isPresent();
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    private static RefusedRequest unauthorized(String message) {
        return new RefusedRequest(401, message, Map.of("WWW-Authenticate", CHALLENGE));
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return address.getAddress().length == 16 ? "[" + text.replaceFirst("%.*", "") + "]" : text;
    }
}
