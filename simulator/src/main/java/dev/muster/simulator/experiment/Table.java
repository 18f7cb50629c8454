package dev.muster.simulator.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures in rows: as text for people, and by key for scripts. */
public record Table(List<Column> columns, List<List<Object>> rows) {
    private static final String NO_NUMBER = "-";
    private static final String GAP = "  ";

    /**
     * @param key the name in JSON
     * @param decimals how many digits after the point are shown
     */
    public record Column(String key, String heading, int decimals) {
        static Column of(String key, String heading) {
            return new Column(key, heading, 0);
        }
    }

    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "a row must have " + columns.size() + " values, had " + row.size() + ": " + row);
            }
        }
    }

    /** The rows by key. What is not a number, because it was never reached, is null. */
    public List<Map<String, Object>> records() {
        List<Map<String, Object>> records = new ArrayList<>();
        for (List<Object> row : rows) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                fields.put(columns.get(i).key(), plain(row.get(i)));
            }
            records.add(fields);
        }
        return records;
    }

    private static Object plain(Object value) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? Math.rint(number * 1000) / 1000 : null;
        }
        return value;
    }

    /** Lines of equal columns: words to the left, numbers to the right. */
    public String text() {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns.stream().map(Column::heading).toList());
        for (List<Object> row : rows) {
            List<String> line = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                line.add(shown(row.get(i), columns.get(i).decimals()));
            }
            cells.add(line);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : cells) {
            StringBuilder written = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                written.append(i == 0 ? "" : GAP).append(padded(line.get(i), widthOf(i, cells), isWords(i)));
            }
            text.append(written.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int widthOf(int column, List<List<String>> cells) {
        return cells.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private boolean isWords(int column) {
        return rows.stream().anyMatch(row -> row.get(column) instanceof String);
    }

    private static String padded(String cell, int width, boolean left) {
        String space = " ".repeat(width - cell.length());
        return left ? cell + space : space + cell;
    }

    private static String shown(Object value, int decimals) {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%,." + decimals + "f", number) : NO_NUMBER;
        }
        return value instanceof Number count ? String.format(Locale.ROOT, "%,d", count.longValue()) : value.toString();
    }
}
