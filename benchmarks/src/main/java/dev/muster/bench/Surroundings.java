package dev.muster.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.pekko.Version;

/** What somebody needs to know to judge a figure, or to measure it again. */
final class Surroundings {

    private final Instant startedAt = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final double loadAtStart = load();

    /** To be asked at the end, because it says how busy the machine was before and after. */
    Map<String, Object> fields(Comparison comparison) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("startedAt", startedAt.toString());
        fields.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        fields.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        fields.put("arch", System.getProperty("os.arch"));
        fields.put("processor", processor());
        fields.put("processors", Runtime.getRuntime().availableProcessors());
        fields.put("javaOptions", comparison.javaOptions());
        fields.put("rounds", comparison.rounds());
        fields.put("quick", comparison.quick());
        if (comparison.suite() == Suite.HANDOFF) {
            fields.put("seconds", comparison.duration().toSeconds());
        }
        fields.put("loadAtStart", loadAtStart);
        fields.put("loadAtEnd", load());
        fields.put("muster", musterVersion());
        if (comparison.sides().contains(Side.PEKKO)) {
            fields.put("pekko", Version.current());
        }
        if (comparison.sides().contains(Side.SCALECUBE)) {
            fields.put("scalecube", versions().getProperty("scalecube"));
        }
        return fields;
    }

    /** The build writes down what the libraries themselves do not say. */
    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream file = Surroundings.class.getResourceAsStream("versions.properties")) {
            versions.load(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return versions;
    }

    private static String musterVersion() {
        String version = Surroundings.class.getPackage().getImplementationVersion();
        return version == null ? "(not started from its jar)" : version;
    }

    /** How many threads wanted a processor in the last minute, or a negative number where nobody counts. */
    private static double load() {
        return Math.rint(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage() * 100) / 100;
    }

    private static String processor() {
        Path description = Path.of("/proc/cpuinfo");
        try {
            List<String> lines = Files.exists(description) ? Files.readAllLines(description) : List.of();
            return lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
