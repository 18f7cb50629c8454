package dev.muster.bench;

import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * One side's process: runs the benchmarks that it is told to, and prints what it found, a line of JSON for each.
 *
 * <p>Arguments: side, suite, {@code quick} or {@code full}, a duration, then the ids of benchmarks.
 */
final class ChildMain {

    private ChildMain() {}

    public static void main(String[] args) throws Exception {
        // Whatever fails ends the process at once, with its stack trace: a side may have left threads running.
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace(System.err);
            Runtime.getRuntime().halt(1);
        });
        measure(args);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void measure(String[] args) throws Exception {
        Side side = Side.valueOf(args[0]);
        Suite suite = Suite.valueOf(args[1]);
        boolean quick = args[2].equals("quick");
        Duration duration = Duration.parse(args[3]);
        JsonMapper json = JsonMapper.builder().build();
        for (int i = 4; i < args.length; i++) {
            Benchmark benchmark = suite.benchmark(args[i]).orElseThrow();
            Map<String, Double> found = benchmark.measure(side, quick, duration);
            System.out.println(json.writeValueAsString(found));
        }
    }
}
