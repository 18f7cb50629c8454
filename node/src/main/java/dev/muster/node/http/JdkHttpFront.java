package dev.muster.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The JDK's own HTTP server, with limits: how many threads, how long a head and a body may be, and for how long they
 * may take. Turns its exchanges into our requests and our responses into bytes; decides nothing else.
 */
final class JdkHttpFront implements AutoCloseable {

    static final int MOST_HEAD_BYTES = 8 * 1024;
    static final int MOST_BODY_BYTES = 64 * 1024;

    /**
     * What a header costs besides its text, so that many empty ones are too many too. The same number as HTTP/2 has.
     */
    private static final int HEADER_OVERHEAD_BYTES = 32;

    private static final int SECONDS_FOR_A_REQUEST = 10;
    private static final int THREADS = 8;
    private static final int WAITING_CONNECTIONS = 128;
    private static final int CLOSE_WITHIN_SECONDS = 0;

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy", "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cache-Control", "no-store");

    static {
        limitTheServerOfTheJdk();
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private JdkHttpFront(HttpServer server, ThreadPoolExecutor threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Sets the limits that only system properties can set. The JDK reads them when its server is first used, so this
     * must have run before; what the user has set stays.
     */
    static void limitTheServerOfTheJdk() {
        Map<String, String> limits = Map.of(
                "sun.net.httpserver.maxReqTime", Integer.toString(SECONDS_FOR_A_REQUEST),
                "sun.net.httpserver.maxReqHeaders", "64",
                "sun.net.httpserver.maxReqHeaderSize", Integer.toString(2 * MOST_HEAD_BYTES),
                "sun.net.httpserver.nodelay", "true",
                "jdk.httpserver.maxConnections", "256");
        limits.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }

    static JdkHttpFront start(HttpSettings settings, Function<Request, Response> service) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(settings.hostname(), settings.port()), 0);
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_CONNECTIONS), work -> {
                    Thread thread = new Thread(work, "muster-http-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(exchange, service));
        server.start();
        return new JdkHttpFront(server, threads);
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(CLOSE_WITHIN_SECONDS);
        threads.shutdownNow();
    }

    private static void serve(HttpExchange exchange, Function<Request, Response> service) throws IOException {
        try (exchange) {
            Response response;
            boolean isWhole = true;
            try {
                Request request = request(exchange);
                response = service.apply(request);
            } catch (RefusedRequest refused) {
                response = refused.response();
                isWhole = false;
            }
            send(exchange, response, isWhole);
        }
    }

    private static Request request(HttpExchange exchange) {
        Map<String, List<String>> headers = new HashMap<>();
        long size = exchange.getRequestURI().toString().length();
        for (Map.Entry<String, List<String>> header :
                exchange.getRequestHeaders().entrySet()) {
            headers.put(header.getKey().toLowerCase(Locale.ROOT), List.copyOf(header.getValue()));
            for (String value : header.getValue()) {
                size += header.getKey().length() + value.length() + HEADER_OVERHEAD_BYTES;
            }
        }
        if (size > MOST_HEAD_BYTES) {
            throw new RefusedRequest(431, "the head of the request is longer than " + MOST_HEAD_BYTES + " bytes");
        }
        requirePlainLength(headers);
        String path = exchange.getRequestURI().getRawPath();
        String query = exchange.getRequestURI().getRawQuery();
        return new Request(
                exchange.getRequestMethod(),
                path == null ? "" : path,
                query == null ? "" : query,
                headers,
                exchange.getRemoteAddress().getAddress(),
                exchange.getLocalAddress().getAddress(),
                () -> body(exchange));
    }

    /** Two ways to say how long a body is invite two readers to disagree, so there is one. */
    private static void requirePlainLength(Map<String, List<String>> headers) {
        if (headers.containsKey("transfer-encoding")) {
            throw new RefusedRequest(411, "Transfer-Encoding is not taken; send a Content-Length instead");
        }
        List<String> lengths = headers.getOrDefault("content-length", List.of("0"));
        if (lengths.size() != 1 || !lengths.get(0).matches("\\d{1,18}")) {
            throw new RefusedRequest(400, "Content-Length must be one number");
        }
        if (Long.parseLong(lengths.get(0)) > MOST_BODY_BYTES) {
            throw new RefusedRequest(413, "the body is longer than " + MOST_BODY_BYTES + " bytes");
        }
    }

    /** Its length is known to be allowed; whether it comes is another question. */
    private static byte[] body(HttpExchange exchange) {
        try {
            return exchange.getRequestBody().readNBytes(MOST_BODY_BYTES);
        } catch (IOException cutOff) {
            throw new RefusedRequest(408, "the body did not come within " + SECONDS_FOR_A_REQUEST + " s");
        }
    }

    private static void send(HttpExchange exchange, Response response, boolean keepOpen) throws IOException {
        HEADERS.forEach(exchange.getResponseHeaders()::set);
        response.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", response.contentType());
        if (!keepOpen) {
            exchange.getResponseHeaders().set("Connection", "close");
        }
        byte[] bytes = response.bytes();
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
            exchange.sendResponseHeaders(response.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(response.status(), bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
