package dev.muster.node.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What is sent back: status, type, text, and headers besides those that every answer has. */
public record Response(int status, String contentType, String body, Map<String, String> headers) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Response {
        headers = Map.copyOf(headers);
    }

    static Response json(int status, Map<String, ?> fields) {
        return new Response(status, "application/json", JSON.writeValueAsString(fields) + "\n", Map.of());
    }

    static Response text(int status, String text) {
        return new Response(status, "text/plain; charset=utf-8", text + "\n", Map.of());
    }

    /** The form in which Akka's management says things too, so that tools find the reason. */
    static Response message(int status, String message) {
        return json(status, Map.of("message", message));
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
