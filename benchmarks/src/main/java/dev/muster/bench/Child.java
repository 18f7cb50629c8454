package dev.muster.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Runs benchmarks of one side in a process of its own, so that no side sees what another did to its JVM. */
final class Child {

    private static final TypeReference<Map<String, Double>> FOUND = new TypeReference<>() {};

    private final List<String> javaOptions;
    private final PrintWriter err;
    private final JsonMapper json = JsonMapper.builder().build();

    Child(List<String> javaOptions, PrintWriter err) {
        this.javaOptions = javaOptions;
        this.err = err;
    }

    /** Returns the figures found, by the id of their row. */
    Map<String, Double> run(Side side, Comparison comparison, List<String> benchmarks)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName()));
        command.addAll(List.of(
                side.name(),
                comparison.suite().name(),
                comparison.quick() ? "quick" : "full",
                comparison.duration().toString()));
        command.addAll(benchmarks);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread endWithUs = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(endWithUs);
        try {
            Map<String, Double> found = read(process);
            int exitCode = process.waitFor();
            if (exitCode != 0) {
                throw new ChildFailedException("the process of " + side.title() + " for " + String.join(",", benchmarks)
                        + " failed with exit code " + exitCode + "; what it said is above");
            }
            return found;
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(endWithUs);
        }
    }

    private Map<String, Double> read(Process process) throws IOException {
        Map<String, Double> found = new HashMap<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{")) {
                    found.putAll(json.readValue(line, FOUND));
                } else {
                    err.println(line);
                }
            }
        }
        return found;
    }
}
