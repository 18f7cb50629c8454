package dev.muster.node.process;

import dev.muster.node.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node is started. In a build it is the jar that users get, named by {@code muster.process.jar}, with an archive
 * of its classes, because the scenarios start some dozens of processes. From an IDE it is the class path of the tests.
 */
final class NodeProgram {
    private static final Path FOLDER = Path.of("target", "process");
    private static final List<String> SMALL =
            List.of("-Xmx64m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static List<String> command;

    private NodeProgram() {}

    static Path folder() {
        return FOLDER;
    }

    /** Everything up to the command {@code node}. */
    static synchronized List<String> command() {
        if (command == null) {
            command = List.copyOf(found());
        }
        return command;
    }

    /** Another main class of the tests, in the same way. */
    static List<String> command(Class<?> main) {
        List<String> words = java();
        words.addAll(List.of("-cp", classPath(), main.getName()));
        return words;
    }

    private static List<String> found() {
        String jar = System.getProperty("muster.process.jar", "");
        if (!jar.isEmpty() && !Files.isRegularFile(Path.of(jar))) {
            throw new IllegalStateException(jar + " does not exist; mvn verify builds it before these tests");
        }
        if (jar.isEmpty()) {
            return command(Main.class);
        }
        List<String> words = java();
        Path archive = archive(jar);
        if (Files.isRegularFile(archive)) {
            words.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
        }
        words.addAll(List.of("-cp", jar, Main.class.getName()));
        return words;
    }

    private static Path archive(String jar) {
        Path archive = FOLDER.resolve("muster.jsa").toAbsolutePath();
        try {
            Files.createDirectories(FOLDER);
            if (!Files.isRegularFile(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(Path.of(jar))) < 0) {
                Files.deleteIfExists(archive);
                List<String> words = java();
                words.add("-XX:ArchiveClassesAtExit=" + archive);
                words.addAll(List.of("-cp", jar, Main.class.getName(), "train"));
                Machine.run(words);
            }
        } catch (java.io.IOException notMade) {
            System.err.println("nodes start without an archive of classes: " + notMade.getMessage());
        }
        return archive;
    }

    private static List<String> java() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(SMALL);
        return words;
    }

    /** Surefire hides the class path in a jar of its own. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
