package dev.muster.bench;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What a comparison found, as a table for people or as JSON for scripts. */
record Report(String name, Map<String, Object> environment, Map<Row, Map<Side, Figures>> results) {

    /** The fields that scripts rely on, see {@code docs/performance.md}. */
    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("environment", environment);
        fields.put(
                "results",
                results.entrySet().stream()
                        .map(result -> fields(result.getKey(), result.getValue()))
                        .toList());
        return JsonMapper.builder().build().writeValueAsString(fields);
    }

    private static Map<String, Object> fields(Row row, Map<Side, Figures> bySide) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", row.what());
        fields.put("unit", row.unit());
        fields.put("higherIsBetter", row.higherIsBetter());
        bySide.forEach((side, figures) -> fields.put(side.id(), fields(figures)));
        Map<Side, Double> ratios = ratios(row, bySide);
        ratios.values().stream().findFirst().ifPresent(ratio -> fields.put("ratio", rounded(ratio)));
        if (ratios.size() > 1) {
            Map<String, Double> byPeer = new LinkedHashMap<>();
            ratios.forEach((side, ratio) -> byPeer.put(side.id(), rounded(ratio)));
            fields.put("ratios", byPeer);
        }
        return fields;
    }

    private static Map<String, Object> fields(Figures figures) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("median", rounded(figures.median()));
        fields.put("min", rounded(figures.min()));
        fields.put("max", rounded(figures.max()));
        fields.put("rounds", figures.rounds());
        return fields;
    }

    void print(PrintWriter out) {
        out.println(environment.get("java") + ", " + environment.get("processors") + " x "
                + environment.get("processor") + ", load " + environment.get("loadAtStart") + " before and "
                + environment.get("loadAtEnd") + " after");
        out.println(String.join(" ", javaOptionsInUse()) + ", rounds: " + environment.get("rounds")
                + "; median [lowest..highest]");
        out.println();
        List<Side> sides = results.values().stream()
                .flatMap(bySide -> bySide.keySet().stream())
                .distinct()
                .toList();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-40s%-15s", "what", "unit"));
        sides.forEach(side -> head.append(String.format(Locale.ROOT, "%-40s", side.title())));
        out.println(
                head.append(sides.size() > 1 ? "times better" : "").toString().stripTrailing());
        results.forEach((row, bySide) -> out.println(line(row, sides, bySide)));
    }

    private List<String> javaOptionsInUse() {
        return ((List<?>) environment.get("javaOptions"))
                .stream().map(String::valueOf).toList();
    }

    private static String line(Row row, List<Side> sides, Map<Side, Figures> bySide) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-40s%-15s", row.what(), row.unit()));
        for (Side side : sides) {
            Figures figures = bySide.get(side);
            line.append(String.format(Locale.ROOT, "%-40s", figures == null ? "" : text(figures)));
        }
        ratios(row, bySide)
                .forEach((side, ratio) ->
                        line.append(number(ratio)).append(sides.size() > 2 ? " than " + side.title() + "  " : ""));
        return line.toString().stripTrailing();
    }

    private static String text(Figures figures) {
        return number(figures.median()) + " [" + number(figures.min()) + ".." + number(figures.max()) + "]";
    }

    /** How many times better Muster is than each of the others, in their order. */
    private static Map<Side, Double> ratios(Row row, Map<Side, Figures> bySide) {
        Map<Side, Double> ratios = new LinkedHashMap<>();
        Figures mine = bySide.get(Side.MUSTER);
        bySide.forEach((side, figures) -> {
            if (side != Side.MUSTER) {
                ratios.put(side, row.ratio(mine.median(), figures.median()));
            }
        });
        return ratios;
    }

    /** As many digits as mean something. */
    static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
