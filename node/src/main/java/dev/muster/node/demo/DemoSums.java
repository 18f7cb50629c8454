package dev.muster.node.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * What the clients of a demo have come to together, in words.
 *
 * @param all the figures of every node that ever had some, the last ones of those that are gone
 * @param living the figures of those that answer now
 */
record DemoSums(Collection<JsonNode> all, Collection<JsonNode> living) {

    /** Empty if nothing was sent. */
    List<String> lines() {
        if (sum(DemoFigures.SENT) == 0) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "load            %,d messages sent, %,d answered, %,d lost, %,d out of order; the clock shows %,d",
                sum(DemoFigures.SENT),
                sum(DemoFigures.ANSWERED),
                sum(DemoFigures.LOST),
                sum(DemoFigures.OUT_OF_ORDER),
                clock()));
        long setBack = most(all, DemoFigures.CLOCK_SET_BACK);
        if (setBack > 0) {
            lines.add("clock           set back " + (setBack == 1 ? "once" : setBack + " times")
                    + ": a crash loses what a singleton has in memory; a move does not");
        }
        return List.copyOf(lines);
    }

    private long sum(String name) {
        return all.stream().mapToLong(figures -> figure(figures, name)).sum();
    }

    /**
     * As those know it that have seen it set back most often: the others may still wait for an answer of a host that
     * has crashed, and know only what was before.
     */
    private long clock() {
        long latest = most(living, DemoFigures.CLOCK_SET_BACK);
        return most(
                living.stream()
                        .filter(figures -> figure(figures, DemoFigures.CLOCK_SET_BACK) == latest)
                        .toList(),
                DemoFigures.CLOCK);
    }

    /** Not the sum: the clients look at one and the same clock, and each that looks in time sees it set back. */
    private static long most(Collection<JsonNode> nodes, String name) {
        return nodes.stream().mapToLong(figures -> figure(figures, name)).max().orElse(0);
    }

    private static long figure(JsonNode figures, String name) {
        return figures.path(name).asLong(0);
    }
}
