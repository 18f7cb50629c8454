package dev.muster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a project of empty files, with a java and a Maven that only write down how they were called. */
class LauncherTest {

    private static final Path LAUNCHER =
            Path.of("..", "muster").toAbsolutePath().normalize();
    private static final Instant SOURCES_SAVED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant JARS_BUILT = SOURCES_SAVED.plusSeconds(60);
    private static final Instant LATER = JARS_BUILT.plusSeconds(60);

    @TempDir
    private Path folder;

    private Path root;

    /** Making one takes a while, and goes on after the command. */
    private boolean useArchives;

    @BeforeEach
    void makeProject() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the launcher is a shell script");
        // Characters that mean something to a shell or to a pattern must mean nothing in the name of a folder.
        root = Files.createDirectory(folder.resolve("a [b] * 'c'"));
        Files.copy(LAUNCHER, root.resolve("muster"));
        for (String source : List.of("pom.xml", "runtime/src/main/R", "node/src/main/N", "benchmarks/src/main/B")) {
            save(source, SOURCES_SAVED);
        }
        save("node/target/muster.jar", JARS_BUILT);
        save("benchmarks/target/muster-bench.jar", JARS_BUILT);
        script("jdk/bin/java", "echo \"java $*\"");
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        script("bin/mvn", "echo \"mvn $*\" >>\"" + folder.resolve("maven-calls") + "\"");
    }

    @Test
    void aCommandRunsTheJarOfNode() throws Exception {
        assertThat(muster("simulate", "--seed", "1")).endsWith("node/target/muster.jar simulate --seed 1");
        assertThat(modulesBuilt()).isEmpty();
    }

    @Test
    void benchRunsTheJarOfTheBenchmarks() throws Exception {
        assertThat(muster("bench", "actors", "--json")).endsWith("benchmarks/target/muster-bench.jar actors --json");
        assertThat(modulesBuilt()).isEmpty();
    }

    @Test
    void aChangeInWhatBothUseBuildsEachWhenItIsStarted() throws Exception {
        save("runtime/src/main/R", LATER);

        muster("simulate");
        assertThat(modulesBuilt()).containsExactly("node");
        muster("bench", "actors");
        assertThat(modulesBuilt()).containsExactly("node", "benchmarks");
        muster("simulate");
        assertThat(modulesBuilt()).hasSize(2);
    }

    @Test
    void aChangeInBenchmarksBuildsNothingElse() throws Exception {
        save("benchmarks/src/main/B", LATER);

        muster("simulate");
        assertThat(modulesBuilt()).isEmpty();
        muster("bench", "actors");
        assertThat(modulesBuilt()).containsExactly("benchmarks");
    }

    @Test
    void aChangeInNodeBuildsNoBenchmarks() throws Exception {
        save("node/src/main/N", LATER);

        muster("bench", "actors");
        assertThat(modulesBuilt()).isEmpty();
        muster("simulate");
        assertThat(modulesBuilt()).containsExactly("node");
    }

    @Test
    void anArchiveOfClassesIsUsedWhileItIsNewerThanTheJar() throws Exception {
        useArchives = true;
        save("node/target/muster-17.0.1.jsa", LATER);

        assertThat(muster("members"))
                .contains("-XX:SharedArchiveFile="
                        + root.resolve("node/target/muster-17.0.1.jsa").toRealPath())
                .endsWith("node/target/muster.jar members");
        assertThat(muster("bench", "actors")).doesNotContain("SharedArchiveFile");

        useArchives = false;
        assertThat(muster("members")).doesNotContain("SharedArchiveFile");
    }

    private String muster(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", root.resolve("muster").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        if (!useArchives) {
            builder.environment().put("MUSTER_NO_ARCHIVE", "1");
        }
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().merge("PATH", root.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out.strip();
    }

    private List<String> modulesBuilt() throws IOException {
        Path calls = folder.resolve("maven-calls");
        return Files.exists(calls)
                ? Files.readAllLines(calls).stream()
                        .map(call -> call.replaceAll(".* -pl (\\S+) .*", "$1"))
                        .toList()
                : List.of();
    }

    private void save(String file, Instant time) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "");
        Files.setLastModifiedTime(path, FileTime.from(time));
        for (Path parent = path.getParent(); !parent.equals(root); parent = parent.getParent()) {
            Files.setLastModifiedTime(parent, FileTime.from(time));
        }
    }

    private void script(String file, String body) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "#!/bin/sh\n" + body + "\n");
        assertThat(path.toFile().setExecutable(true)).isTrue();
    }
}
