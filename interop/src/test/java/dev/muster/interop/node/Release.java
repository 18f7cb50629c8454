package dev.muster.interop.node;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which Pekko the nodes of that kind run. The older ones are only there with the profile {@code interop}. */
public enum Release {
    NEWEST(""),
    OF_1_0("1.0.3"),
    OF_1_1("1.1.5");

    private final String version;

    Release(String version) {
        this.version = version;
    }

    /** That of this test, with the jars of Pekko replaced. */
    String classPath() {
        String own = System.getProperty("java.class.path");
        if (version.isEmpty()) {
            return own;
        }
        List<String> parts = new ArrayList<>(jars());
        for (String part : own.split(File.pathSeparator)) {
            if (!Path.of(part).getFileName().toString().startsWith("pekko-")) {
                parts.add(part);
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    private List<String> jars() {
        Path folder = Path.of(System.getProperty("interop.releases"), version);
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(
                    "no jars of Pekko " + version + "; the profile interop copies them", missing);
        }
    }
}
