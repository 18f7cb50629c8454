package dev.muster.interop.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code docs/migrating-from-akka.md}, and what is in it. */
final class Guide {
    static final String NAME = "docs/migrating-from-akka.md";

    private static final String FENCE = "```";
    private static final Path MODULE = module();

    /**
     * A fenced block.
     *
     * @param info what follows the opening fence: a language, and perhaps a name
     * @param line where it opens, from 1
     */
    record Block(String info, int line, List<String> lines) {
        String text() {
            return String.join("\n", lines) + "\n";
        }

        /** Whether its lines follow each other in {@code source}, whatever their indentation. */
        boolean occursIn(String source) {
            return flat(source.lines().toList()).contains(flat(lines));
        }

        private static String flat(List<String> lines) {
            StringBuilder text = new StringBuilder("\n");
            lines.forEach(line -> text.append(line.strip()).append('\n'));
            return text.toString();
        }
    }

    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> headings = new ArrayList<>();

    private Guide(List<String> lines) {
        this.lines = lines;
        Block open = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE) && open == null) {
                open = new Block(line.substring(FENCE.length()).strip(), i + 1, new ArrayList<>());
                blocks.add(open);
            } else if (line.startsWith(FENCE)) {
                open = null;
            } else if (open != null) {
                open.lines().add(line);
            } else if (line.startsWith("#")) {
                headings.add(line.replaceFirst("#+ ", ""));
            }
        }
        assertThat(open).as("a block of %s that is not closed", NAME).isNull();
    }

    static Guide read() {
        return new Guide(reading(() -> Files.readAllLines(root().resolve(NAME))));
    }

    List<String> headings() {
        return headings;
    }

    List<String> lines() {
        return lines;
    }

    /** The one block with this info. */
    Block block(String info) {
        List<Block> found = blocks(info);
        assertThat(found)
                .as("blocks of %s that begin with %s%s", NAME, FENCE, info)
                .hasSize(1);
        return found.get(0);
    }

    List<Block> blocks(String info) {
        return blocks.stream().filter(block -> block.info().equals(info)).toList();
    }

    /** The code that the guide shows parts of. */
    static List<String> shownSources() {
        Path code = MODULE.resolve(Path.of("src", "test", "java", "com", "example", "shop"));
        List<Path> files = reading(() -> {
            try (Stream<Path> all = Files.walk(code)) {
                return all.filter(file -> file.toString().endsWith(".java")).toList();
            }
        });
        return files.stream().map(file -> reading(() -> Files.readString(file))).toList();
    }

    static Path root() {
        return MODULE.getParent();
    }

    /** Tests run in the folder of their module, or in the root when an IDE starts them. */
    private static Path module() {
        Path here = Path.of("").toAbsolutePath();
        return here.endsWith("interop") ? here : here.resolve("interop");
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T reading(Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
