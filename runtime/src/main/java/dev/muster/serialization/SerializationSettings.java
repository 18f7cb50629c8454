package dev.muster.serialization;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code muster.serialization}.
 *
 * <p>The only place where classes are found by their names: names of our own configuration, which whoever starts the
 * process has written.
 */
final class SerializationSettings {

    private static final Logger LOG = LoggerFactory.getLogger(SerializationSettings.class);
    private static final String PATH = "muster.serialization";
    private static final Set<String> KEYS = Set.of(
            "protocols",
            "foreign",
            "serializers",
            "max-depth",
            "max-string-length",
            "max-elements",
            "max-inflated-bytes");

    private final Config settings;
    private final ClassLoader loader;
    private final SerializationBuilder builder = new SerializationBuilder();

    private SerializationSettings(Config settings, ClassLoader loader) {
        this.settings = settings;
        this.loader = loader;
    }

    /** A builder with all that the configuration names, and all that is wrong with it. */
    static SerializationBuilder read(Config config, ClassLoader loader) {
        // Some callers hold the whole configuration, others the part below "muster".
        Config settings = config.getConfig(config.hasPath(PATH) ? PATH : "serialization");
        return new SerializationSettings(settings, loader).read();
    }

    private SerializationBuilder read() {
        Set<String> unknown = new TreeSet<>(settings.root().keySet());
        unknown.removeAll(KEYS);
        for (String key : unknown) {
            LOG.warn("{}.{} is no setting and has no effect; known are {}", PATH, key, new TreeSet<>(KEYS));
        }
        reportingProblems(this::readLimits);
        reportingProblems(this::readProtocols);
        reportingProblems(this::readSerializers);
        reportingProblems(this::readForeign);
        return builder;
    }

    private void readLimits() {
        builder.limits(new SerializationLimits(
                settings.getInt("max-depth"),
                bytes("max-string-length"),
                settings.getInt("max-elements"),
                bytes("max-inflated-bytes")));
    }

    private int bytes(String key) {
        return (int) Math.min(Integer.MAX_VALUE, settings.getBytes(key));
    }

    private void readProtocols() {
        for (String name : settings.getStringList("protocols")) {
            withClass("protocols", name, builder::protocol);
        }
    }

    private void readSerializers() {
        for (String name : settings.getStringList("serializers")) {
            withClass("serializers", name, this::addSerializer);
        }
    }

    private void addSerializer(Class<?> type) {
        if (!MessageSerializer.class.isAssignableFrom(type)) {
            builder.problem(PATH + ".serializers: " + type.getName() + " does not implement MessageSerializer");
            return;
        }
        try {
            builder.serializer((MessageSerializer) type.getConstructor().newInstance());
        } catch (ReflectiveOperationException | LinkageError | RuntimeException problem) {
            Throwable cause = problem.getCause() == null ? problem : problem.getCause();
            builder.problem(PATH + ".serializers: " + type.getName()
                    + " has no public constructor without parameters that works: " + cause);
        }
    }

    private void readForeign() {
        List<? extends Config> entries = settings.getConfigList("foreign");
        for (Config entry : entries) {
            reportingProblems(() -> readForeign(entry));
        }
    }

    private void readForeign(Config entry) {
        String manifest = entry.getString("manifest");
        int serializerId = entry.getInt("serializer-id");
        withClass("foreign", entry.getString("class"), type -> builder.foreign(manifest, serializerId, type));
    }

    private void withClass(String key, String name, Consumer<Class<?>> use) {
        try {
            use.accept(Class.forName(name, false, loader));
        } catch (ClassNotFoundException | LinkageError missing) {
            builder.problem(PATH + "." + key + ": there is no class " + name
                    + "; a class inside another is written as com.example.Orders$Command");
        }
    }

    private void reportingProblems(Runnable reading) {
        try {
            reading.run();
        } catch (ConfigException wrong) {
            builder.problem(wrong.getMessage());
        } catch (SerializationSetupException wrong) {
            wrong.problems().forEach(each -> builder.problem(PATH + "." + each));
        }
    }
}
