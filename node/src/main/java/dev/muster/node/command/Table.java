package dev.muster.node.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/** Rows of texts in aligned columns. Cells may have picocli's marks for colours, which take no room. */
public final class Table {

    private static final String GAP = "  ";

    private final Ansi ansi;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(Ansi ansi, String... headings) {
        this.ansi = ansi;
        List<String> marked = new ArrayList<>();
        for (String heading : headings) {
            marked.add("@|bold " + heading + "|@");
        }
        rows.add(marked);
    }

    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                boolean isLast = column == row.size() - 1;
                line.append(ansi.string(cell)).append(isLast ? "" : " ".repeat(width(column) - length(cell)) + GAP);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
    }

    private static int length(String cell) {
        return Ansi.OFF.string(cell).length();
    }
}
