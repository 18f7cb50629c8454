package dev.muster.simulator.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays every file in {@code scenarios}. When a change of what nodes do is intended, run with
 * {@code -Dscenarios.rewrite=true} and read the difference.
 */
class ScenariosTest {
    private static final Path FOLDER = Path.of("src/test/resources/scenarios");

    static Stream<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void goesAsWritten(Path file) throws IOException {
        String expected = Files.readString(file);

        ScenarioRunner.Result result = ScenarioRunner.play(expected);

        if (Boolean.getBoolean("scenarios.rewrite")) {
            Files.writeString(file, result.text());
        } else {
            assertThat(result.text()).isEqualTo(expected);
        }
        assertThat(result.text()).doesNotContain("FAILED");
    }
}
