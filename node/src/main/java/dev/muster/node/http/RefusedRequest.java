package dev.muster.node.http;

import java.util.Map;

/** A request that is not served, with the status and the sentence that the other side gets to read. */
final class RefusedRequest extends RuntimeException {

    private final int status;
    private final Map<String, String> headers;

    RefusedRequest(int status, String message) {
        this(status, message, Map.of());
    }

    RefusedRequest(int status, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status;
        this.headers = Map.copyOf(headers);
    }

    int status() {
        return status;
    }

    Response response() {
        Response plain = Response.message(status, getMessage());
        return new Response(status, plain.contentType(), plain.body(), headers);
    }
}
