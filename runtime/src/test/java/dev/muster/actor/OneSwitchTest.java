package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Java 21 and later an actor can be written as one switch over its sealed protocol. */
class OneSwitchTest {

    private static final String SOURCE = """
            import dev.muster.actor.*;

            public final class Switching {
                sealed interface Command permits Add, Get {}
                record Add(int by) implements Command {}
                record Get() implements Command {}

                static Behavior<Command> counter(int n) {
                    return Behaviors.receive(Command.class, (ctx, command) -> switch (command) {
                        case Add add -> counter(n + add.by());
                        case Get get -> {
                            ctx.reply(n);
                            yield Behaviors.same();
                        }
                    });
                }

                public static int run() {
                    try (ActorSystem system = ActorSystem.create("switching")) {
                        ActorRef<Command> counter = system.spawn(counter(0));
                        counter.tell(new Add(3));
                        counter.tell(new Add(4));
                        return counter.ask(new Get(), Integer.class).join();
                    }
                }
            }
            """;

    @Test
    void oneSwitchOverASealedProtocolIsABehavior(@TempDir Path folder) throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "patterns in switch need Java 21, this is " + Runtime.version());
        Optional<ToolProvider> compiler = ToolProvider.findFirst("javac");
        assumeTrue(compiler.isPresent(), "this Java has no compiler");
        Path source = Files.writeString(folder.resolve("Switching.java"), SOURCE);
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = compiler.get().run(out, out, "-cp", classPath(), "-d", folder.toString(), source.toString());
        assertThat(code).as(said.toString()).isZero();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, OneSwitchTest.class.getClassLoader())) {
            assertThat(result(loader.loadClass("Switching"))).isEqualTo(7);
        }
    }

    private static Object result(Class<?> program) throws ReflectiveOperationException {
        try {
            return program.getMethod("run").invoke(null);
        } catch (InvocationTargetException failed) {
            throw new AssertionError(failed.getCause());
        }
    }

    private static String classPath() throws Exception {
        List<String> places = new ArrayList<>();
        for (Class<?> known : List.of(
                Behavior.class, com.typesafe.config.Config.class, org.slf4j.Logger.class, OneSwitchTest.class)) {
            places.add(Path.of(known.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        return String.join(File.pathSeparator, places);
    }
}
