package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.examples.TutorialPage.Block;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the documents to the code: each Java block of the tutorial and the README occurs in a source file of this
 * module, and each block of output is what the example it names prints.
 */
class TutorialTest {

    private static final Path MODULE = module();
    private static final Path ROOT = MODULE.getParent();
    private static final Path TUTORIAL = ROOT.resolve("docs").resolve("tutorial");
    private static final Pattern COMMAND = Pattern.compile("java -cp examples/target/muster-examples\\.jar (\\S+)");

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> files = Files.list(TUTORIAL)) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    static List<Path> numberedPages() throws IOException {
        return pages().stream()
                .filter(page -> page.getFileName().toString().matches("\\d\\d-.*"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyJavaBlockIsCodeOfTheExamples(Path file) throws IOException {
        TutorialPage page = TutorialPage.read(file);
        List<String> sources = sources();
        for (Block block : page.blocksOf("java")) {
            assertThat(sources.stream().anyMatch(source -> TutorialPage.occurs(block, source)))
                    .as("%s:%d: the block is in no source file of examples word for word", file, block.line())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyOutputIsWhatItsExamplePrints(Path file) throws Exception {
        for (Block block : TutorialPage.read(file).blocksOf("text")) {
            String[] info = block.info().split(" ");
            assertThat(info)
                    .as("%s:%d: \"```text Example\" names the example that prints it", file, block.line())
                    .hasSize(2);
            assertThat(outputOf(info[1]))
                    .as("what %s prints, as shown at %s:%d", info[1], file, block.line())
                    .isEqualTo(block.lines());
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path file) throws IOException {
        assertThat(TutorialPage.read(file).links())
                .filteredOn(link -> !link.startsWith("http"))
                .allSatisfy(link -> assertThat(file.resolveSibling(link)).exists());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandStartsAnExampleThatExists(Path file) throws IOException {
        assertThat(COMMAND.matcher(TutorialPage.read(file).text()).results().map(command -> command.group(1)))
                .allSatisfy(name -> assertThat(mainOf(name)).isNotNull());
    }

    @ParameterizedTest
    @MethodSource("numberedPages")
    void everyPageShowsCodeAndIsInTheIndex(Path file) throws IOException {
        assertThat(TutorialPage.read(file).blocksOf("java")).isNotEmpty();
        assertThat(TutorialPage.read(TUTORIAL.resolve("README.md")).links())
                .contains(file.getFileName().toString());
    }

    @Test
    void everyExampleIsShownWithItsOutput() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path page : pages()) {
            TutorialPage.read(page).blocksOf("text").forEach(block -> shown.add(block.info()));
        }
        assertThat(shown)
                .contains(
                        "text PingPong",
                        "text WorkerPool",
                        "text AskPatterns",
                        "text BlockingActor",
                        "text TicketPrinters",
                        "text SeatNumbers",
                        "text Counter");
    }

    @Test
    void aBlockThatDriftedIsNoticed() throws IOException {
        Block block = TutorialPage.read(TUTORIAL.resolve("01-ping-pong.md"))
                .blocksOf("java")
                .get(0);
        List<String> sources = sources();
        for (int changed = 0; changed < block.lines().size(); changed++) {
            List<String> lines = new ArrayList<>(block.lines());
            lines.set(changed, lines.get(changed) + "x");
            Block drifted = new Block(block.info(), block.line(), lines);
            assertThat(sources).noneMatch(source -> TutorialPage.occurs(drifted, source));
        }
    }

    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(MODULE.resolve("src"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    private static List<String> outputOf(String example) throws Exception {
        Method main = mainOf("dev.muster.examples." + example);
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Method mainOf(String className) throws ReflectiveOperationException {
        return Class.forName(className).getMethod("main", String[].class);
    }

    /** Tests run in the folder of their module, or in the root when an IDE starts them. */
    private static Path module() {
        Path here = Path.of("").toAbsolutePath();
        return here.endsWith("examples") ? here : here.resolve("examples");
    }
}
