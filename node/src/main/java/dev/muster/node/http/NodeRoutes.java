package dev.muster.node.http;

import com.typesafe.config.Config;
import dev.muster.cluster.Cluster;
import dev.muster.node.http.Route.Access;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The routes about the node itself: its settings, what it has counted, and the list of all routes. */
final class NodeRoutes {

    private final Cluster cluster;
    private final Config config;
    private final Supplier<SortedMap<String, Long>> figures;
    private final List<Route> listed = new ArrayList<>();

    NodeRoutes(Cluster cluster, Config config, Supplier<SortedMap<String, Long>> figures) {
        this.cluster = cluster;
        this.config = config;
        this.figures = figures;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/cluster/config", Access.READ, "settings, secrets masked", c -> settings()),
                new Route("GET", "/cluster/counters", Access.READ, "what this node counted", c -> counters()),
                new Route("GET", "/", Access.READ, "this list", this::list));
    }

    /** Tells what there is to be listed, which includes these routes themselves. */
    void list(List<Route> all) {
        listed.addAll(all);
    }

    private Response settings() {
        return Response.json(200, ConfigView.of(config));
    }

    private Response counters() {
        SortedMap<String, Long> counters = new TreeMap<>(cluster.counters());
        counters.putAll(figures.get());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", cluster.selfAddress().toString());
        fields.put("counters", counters);
        return Response.json(200, fields);
    }

    private Response list(Call call) {
        return call.acceptsHtml() ? html() : Response.text(200, text());
    }

    private String text() {
        StringBuilder text = new StringBuilder("Muster management\n");
        for (Route route : listed) {
            text.append(String.format("%n%-7s%-28s%s", route.method(), route.path(), route.summary()));
        }
        return text.toString();
    }

    /** Nothing in it comes from anywhere but the table of routes, and it has no script. */
    private Response html() {
        StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<title>Muster</title></head><body>\n<h1>Muster management</h1>\n<table>\n");
        for (Route route : listed) {
            boolean canBeOpened = route.method().equals("GET") && !route.hasVariable();
            String path = canBeOpened ? "<a href=\"" + route.path() + "\">" + route.path() + "</a>" : route.path();
            page.append(
                    "<tr><td>" + route.method() + "</td><td>" + path + "</td><td>" + route.summary() + "</td></tr>\n");
        }
        return new Response(
                200,
                "text/html; charset=utf-8",
                page.append("</table>\n</body></html>\n").toString(),
                Map.of());
    }
}
