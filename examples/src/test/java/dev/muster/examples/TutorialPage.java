package dev.muster.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document and the fenced blocks in it. */
record TutorialPage(String name, String text) {

    private static final Pattern FENCE = Pattern.compile("^```(.*)$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

    /**
     * A fenced block.
     *
     * @param info what follows the opening fence: a language, and perhaps the example whose output it is
     * @param line where it opens, from 1
     */
    record Block(String info, int line, List<String> lines) {}

    static TutorialPage read(Path file) throws IOException {
        return new TutorialPage(file.getFileName().toString(), Files.readString(file));
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        Block open = null;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher fence = FENCE.matcher(line);
            if (!fence.matches()) {
                if (open != null) {
                    open.lines().add(line);
                }
            } else if (open == null) {
                open = new Block(fence.group(1).strip(), number, new ArrayList<>());
            } else {
                blocks.add(open);
                open = null;
            }
        }
        if (open != null) {
            throw new IllegalStateException(name + ":" + open.line() + ": the block is not closed");
        }
        return blocks;
    }

    List<Block> blocksOf(String language) {
        return blocks().stream()
                .filter(block -> block.info().split(" ")[0].equals(language))
                .toList();
    }

    List<String> links() {
        return LINK.matcher(text).results().map(link -> link.group(1)).toList();
    }

    /** Whether the lines of a block follow each other in {@code source}, whatever their indentation. */
    static boolean occurs(Block block, String source) {
        return flat(source.lines().toList()).contains(flat(block.lines()));
    }

    private static String flat(List<String> lines) {
        StringBuilder text = new StringBuilder("\n");
        lines.forEach(line -> text.append(line.strip()).append('\n'));
        return text.toString();
    }
}
