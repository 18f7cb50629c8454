package dev.muster.core.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reads the sources of all modules: lines that fit, no leftover markers, a map of the specification that is true. */
class TidyTest {

    private static final int WIDEST_LINE = 120;

    // Put together from pieces, or this file would find itself.
    private static final Pattern LEFTOVER_MARKER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS_AND_MEMBER = Pattern.compile("([A-Z]\\w*)(?:[.#](\\w+))?(?:\\(.*\\))?");

    private static final Path SPEC_MAP = Repository.root().resolve("docs").resolve("spec-map.md");

    @Test
    void javaLinesFitInto120Columns() throws IOException {
        assertThat(linesThat(line -> line.codePointCount(0, line.length()) > WIDEST_LINE, ".java"))
                .isEmpty();
    }

    @Test
    void noMarkersAreLeftOver() throws IOException {
        assertThat(linesThat(line -> LEFTOVER_MARKER.matcher(line).find(), ".java", ".txt", ".conf", ".properties"))
                .isEmpty();
    }

    @Test
    void everyClassAndTestOfTheSpecMapExists() throws IOException {
        assumeTrue(Files.exists(Repository.root().resolve("README.md")), "a project without README needs no map yet");
        assertThat(SPEC_MAP)
                .as("the map from each rule of the specification to its class and test")
                .exists();

        List<String> unresolved = new ArrayList<>();
        List<Path> sources = Repository.sources();
        List<String> lines = Files.readAllLines(SPEC_MAP);
        for (int number = 1; number <= lines.size(); number++) {
            for (String name : namesIn(lines.get(number - 1))) {
                if (!resolves(name, sources)) {
                    unresolved.add("spec-map.md:" + number + ": `" + name + "` is no class, member or file");
                }
            }
        }
        assertThat(unresolved).isEmpty();
    }

    /** What the second and third column of a table row put in backticks: the classes and the tests. */
    private static List<String> namesIn(String line) {
        String[] cells = line.strip().split("(?<!\\\\)\\|", -1);
        List<String> names = new ArrayList<>();
        for (int column = 2; line.startsWith("|") && column <= 3 && column < cells.length; column++) {
            IN_BACKTICKS.matcher(cells[column]).results().forEach(name -> names.add(name.group(1)));
        }
        return names;
    }

    private static boolean resolves(String name, List<Path> sources) throws IOException {
        if (name.contains("/") || name.endsWith(".txt")) {
            return Files.exists(Repository.root().resolve(name))
                    || sources.stream().anyMatch(file -> file.endsWith(Path.of(name)));
        }
        Matcher matcher = CLASS_AND_MEMBER.matcher(name);
        if (!matcher.matches()) {
            // Something else than a class: a setting, a value.
            return true;
        }
        Optional<Path> file = sources.stream()
                .filter(source -> source.endsWith(matcher.group(1) + ".java"))
                .findFirst();
        return file.isPresent() && (matcher.group(2) == null || mentions(file.get(), matcher.group(2)));
    }

    private static boolean mentions(Path file, String member) throws IOException {
        return Pattern.compile("\\b" + member + "\\b")
                .matcher(Files.readString(file))
                .find();
    }

    private static List<String> linesThat(Predicate<String> isUntidy, String... endings) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Repository.sources()) {
            if (List.of(endings).stream().anyMatch(file.toString()::endsWith)) {
                List<String> lines = Files.readAllLines(file);
                for (int number = 1; number <= lines.size(); number++) {
                    if (isUntidy.test(lines.get(number - 1))) {
                        found.add(Repository.root().relativize(file) + ":" + number);
                    }
                }
            }
        }
        return found;
    }
}
