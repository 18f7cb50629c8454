package dev.muster.node.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the first node that answers. Nodes that cannot be reached are skipped, and the one that answered last is asked
 * first from then on.
 */
public final class ManagementClient {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(6);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<Target> targets;
    private final Optional<String> token;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();

    public ManagementClient(List<Target> targets, Optional<String> token) {
        this.targets = new ArrayList<>(targets);
        this.token = token;
    }

    /** @throws NotReachableException if no node answers */
    public Answer get(String path) throws InterruptedException {
        return ask(path, HttpRequest.newBuilder().GET());
    }

    /**
     * Asks for a change.
     *
     * @param parameters sent as a form
     * @throws NotReachableException if no node answers
     */
    public Answer send(String method, String path, Map<String, String> parameters) throws InterruptedException {
        String form = parameters.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return ask(
                path,
                HttpRequest.newBuilder()
                        .method(method, BodyPublishers.ofString(form))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("X-Muster", "1"));
    }

    /** A text as it may stand in a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private Answer ask(String path, HttpRequest.Builder request) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        for (Target target : List.copyOf(targets)) {
            try {
                Answer answer = ask(target, path, request.copy());
                targets.remove(target);
                targets.add(0, target);
                return answer;
            } catch (IOException unreachable) {
                failures.add(target + " (" + reason(unreachable) + ")");
            }
        }
        throw new NotReachableException("no node answered at " + String.join(", ", failures)
                + "; start one with './muster demo' or './muster node', or say with --at where one serves HTTP");
    }

    private Answer ask(Target target, String path, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        HttpResponse<String> response =
                http.send(request.uri(target.uri(path)).timeout(ANSWER_TIMEOUT).build(), BodyHandlers.ofString());
        try {
            JsonNode body = JSON.readTree(response.body());
            return new Answer(target, response.statusCode(), body);
        } catch (JacksonException noJson) {
            throw new IOException("what answers there is no node of Muster", noJson);
        }
    }

    private static String reason(IOException problem) {
        if (problem instanceof HttpConnectTimeoutException) {
            return "no connection within " + CONNECT_TIMEOUT.toSeconds() + " s";
        }
        if (problem instanceof HttpTimeoutException) {
            return "no answer within " + ANSWER_TIMEOUT.toSeconds() + " s";
        }
        if (problem instanceof ConnectException) {
            return isAboutTheName(problem)
                    ? "the name cannot be resolved; check its spelling, or give an IP address"
                    : "nobody listens";
        }
        return problem.getMessage() == null ? problem.getClass().getSimpleName() : problem.getMessage();
    }

    /** The JDK's client wraps that in failures to connect, one inside the other. */
    private static boolean isAboutTheName(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }
}
