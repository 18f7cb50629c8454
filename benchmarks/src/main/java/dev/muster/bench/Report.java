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
        if (bySide.size() > 1) {
            fields.put("ratio", rounded(ratio(row, bySide)));
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
        List<Side> sides = results.values().iterator().next().keySet().stream().toList();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-40s%-15s", "what", "unit"));
        sides.forEach(side -> head.append(String.format(Locale.ROOT, "%-40s", side.title())));
        out.println(
                head.append(sides.size() > 1 ? "times better" : "").toString().stripTrailing());
        results.forEach((row, bySide) -> out.println(line(row, bySide)));
    }

    private List<String> javaOptionsInUse() {
        return ((List<?>) environment.get("javaOptions"))
                .stream().map(String::valueOf).toList();
    }

    private static String line(Row row, Map<Side, Figures> bySide) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-40s%-15s", row.what(), row.unit()));
        bySide.values().forEach(figures -> line.append(String.format(Locale.ROOT, "%-40s", text(figures))));
        if (bySide.size() > 1) {
            line.append(number(ratio(row, bySide)));
        }
        return line.toString().stripTrailing();
    }

    private static String text(Figures figures) {
        return number(figures.median()) + " [" + number(figures.min()) + ".." + number(figures.max()) + "]";
    }

    private static double ratio(Row row, Map<Side, Figures> bySide) {
        List<Figures> figures = List.copyOf(bySide.values());
        return row.ratio(figures.get(0).median(), figures.get(1).median());
    }

    /** As many digits as mean something. */
    static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
