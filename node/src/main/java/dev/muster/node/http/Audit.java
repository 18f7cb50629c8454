package dev.muster.node.http;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down every attempt to change something: who, with which right, from where, what, and what became of it. */
final class Audit {

    static final String LOGGER = "dev.muster.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final int LONGEST = 200;

    private static final int MOST_REFUSALS_PER_SECOND = 20;

    private final LongSupplier nanoTime;
    private long secondStartNanos;
    private int refusalsInSecond;
    private int unwritten;

    Audit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.secondStartNanos = nanoTime.getAsLong();
    }

    void done(Request request, String who, Response response, Map<String, String> parameters) {
        String asked = plain(new TreeMap<>(parameters).toString());
        LOG.info("{}", line(request, who, "answered with " + response.status() + "; asked for " + asked));
    }

    /** Refused ones cost a stranger nothing, so not all of them are written down when there are many. */
    synchronized void refused(Request request, RefusedRequest refusal) {
        long now = nanoTime.getAsLong();
        if (now - secondStartNanos >= TimeUnit.SECONDS.toNanos(1)) {
            secondStartNanos = now;
            refusalsInSecond = 0;
        }
        if (++refusalsInSecond > MOST_REFUSALS_PER_SECOND) {
            unwritten++;
            return;
        }
        String others = unwritten == 0 ? "" : " (" + unwritten + " more were refused before)";
        unwritten = 0;
        LOG.warn(
                "{}",
                line(request, "nobody", "refused with " + refusal.status() + ": " + refusal.getMessage() + others));
    }

    private static String line(Request request, String who, String outcome) {
        String query = request.query().isEmpty() ? "" : "?" + request.query();
        return "HTTP " + plain(request.method() + " " + request.path() + query) + " by " + who + " from "
                + request.remote().getHostAddress() + " with '"
                + plain(request.headers()
                        .getOrDefault("user-agent", List.of(""))
                        .get(0)) + "' was " + outcome;
    }

    /** A line of a log must stay one line, whatever the other side sends. */
    private static String plain(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() <= LONGEST ? printable : printable.substring(0, LONGEST) + "...";
    }
}
