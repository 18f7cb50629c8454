package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts the finished jar as users do. Sizes are small, so it asks whether everything runs, not how fast. Those that
 * wait for many processes, and for a cluster that takes its time to declare one dead, are left out.
 */
@Execution(ExecutionMode.CONCURRENT)
class JarIT {

    @ParameterizedTest
    @EnumSource(
            value = Suite.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"HANDOFF", "FAILOVER"})
    void everyBenchmarkRunsOnAllSidesAndPrintsOneObject(Suite suite) throws Exception {
        String peers = suite.peers().stream().map(Side::id).collect(Collectors.joining(","));
        JsonNode json = bench(suite.id(), "--against", peers, "--quick", "--rounds", "1", "--json");

        List<String> rows = suite.benchmarks().stream()
                .flatMap(benchmark -> benchmark.rows().stream())
                .map(Row::what)
                .toList();
        assertThat(json.get("results").valueStream().map(it -> it.get("what").asString()))
                .containsExactlyElementsOf(rows);
        for (JsonNode result : json.get("results")) {
            assertThat(result.get("muster").get("median").asDouble()).isNotNegative();
            if (result.has("pekko")) {
                assertThat(result.get("pekko").get("median").asDouble()).isNotNegative();
                assertThat(result.get("ratio").asDouble()).isPositive();
            }
        }
    }

    private static JsonNode bench(String... arguments) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(java, "-jar", System.getProperty("bench.jar"));
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return JsonMapper.builder().build().readTree(out);
    }
}
