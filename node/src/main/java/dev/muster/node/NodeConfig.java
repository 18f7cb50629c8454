package dev.muster.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts together what a node runs with. What comes first wins: {@code --set}, the other options, the file, what the
 * command line does unless told otherwise, and the defaults of all modules.
 *
 * @param file a file of settings
 * @param settings lines {@code key=value}
 * @param host for the wire and HTTP alike
 * @param port of the wire
 * @param http port of HTTP
 * @param seeds {@code host:port}, or whole addresses
 */
public record NodeConfig(
        Optional<Path> file,
        List<String> settings,
        Optional<String> host,
        Optional<Integer> port,
        Optional<Integer> http,
        List<String> seeds,
        List<String> roles) {

    static final String HTTP = "muster.management.http";
    static final String CANONICAL = "muster.remote.artery.canonical";
    static final int DEFAULT_PORT = 2551;

    public NodeConfig {
        settings = List.copyOf(settings);
        seeds = List.copyOf(seeds);
        roles = List.copyOf(roles);
    }

    /** A node of this machine, as a demo has several of them. */
    public static NodeConfig local(List<String> settings, int port, int http, int seedPort) {
        return new NodeConfig(
                Optional.empty(),
                settings,
                Optional.of("127.0.0.1"),
                Optional.of(port),
                Optional.of(http),
                List.of("127.0.0.1:" + seedPort),
                List.of());
    }

    /** @throws IllegalArgumentException naming what is wrong with which option, and what to write instead */
    public Config resolved() {
        Config given = fromSettings();
        Config fromFile = fromFile();
        Config base = given.withFallback(fromFile).withFallback(ofTheCommandLine(fromFile.isEmpty()));
        Config named = ConfigFactory.load(base);
        return ConfigFactory.load(given.withFallback(fromOptions(named.getString("muster.node.system")))
                .withFallback(base));
    }

    /** Whether somebody chose the port of HTTP, so that no other one will do. */
    public boolean choosesHttpPort() {
        return http.isPresent()
                || fromSettings().withFallback(fromFile()).hasPath(HTTP + ".port")
                || ConfigFactory.systemProperties().hasPath(HTTP + ".port");
    }

    private Config fromSettings() {
        Config all = ConfigFactory.empty();
        for (String setting : settings) {
            all = parsed(setting).withFallback(all);
        }
        return all;
    }

    private static Config parsed(String setting) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    "--set '" + setting + "' has no value; write it as key=value, like muster.node.system=orders");
        }
        String key = setting.substring(0, equals).strip();
        String value = setting.substring(equals + 1).strip();
        try {
            return ConfigFactory.parseString(key + " = " + value);
        } catch (ConfigException noHocon) {
            return asText(key, value, setting);
        }
    }

    /** What is no HOCON, such as an address with its colons, is a text as it stands. */
    private static Config asText(String key, String value, String setting) {
        try {
            return ConfigFactory.empty().withValue(key, ConfigValueFactory.fromAnyRef(value));
        } catch (ConfigException noKey) {
            throw new IllegalArgumentException(
                    "--set '" + setting + "' has no key that can be read; write it as key=value", noKey);
        }
    }

    private Config fromFile() {
        if (file.isEmpty()) {
            return ConfigFactory.empty();
        }
        if (!Files.isReadable(file.get()) || Files.isDirectory(file.get())) {
            throw new IllegalArgumentException(
                    "--config '" + file.get() + "' cannot be read; give a file of settings in HOCON");
        }
        try {
            return ConfigFactory.parseFile(file.get().toFile());
        } catch (ConfigException malformed) {
            throw new IllegalArgumentException("--config " + malformed.getMessage(), malformed);
        }
    }

    /**
     * What somebody who types a command expects without saying so. A file may speak of the port in the words of another
     * system, so with a file the port is left to it.
     */
    private static Config ofTheCommandLine(boolean withoutFile) {
        Config config = ConfigFactory.parseMap(Map.of(HTTP + ".enabled", true));
        return withoutFile
                ? config.withValue(CANONICAL + ".port", ConfigValueFactory.fromAnyRef(DEFAULT_PORT))
                : config;
    }

    private Config fromOptions(String system) {
        Config config = ConfigFactory.empty();
        if (host.isPresent()) {
            config = with(with(config, CANONICAL + ".hostname", host.get()), HTTP + ".hostname", host.get());
        }
        if (port.isPresent()) {
            config = with(config, CANONICAL + ".port", port.get());
        }
        if (http.isPresent()) {
            config = with(with(config, HTTP + ".port", http.get()), HTTP + ".enabled", true);
        }
        if (!seeds.isEmpty()) {
            config = with(config, "muster.cluster.seed-nodes", addresses(system));
        }
        return roles.isEmpty() ? config : with(config, "muster.cluster.roles", roles);
    }

    private List<String> addresses(String system) {
        List<String> addresses = new ArrayList<>();
        for (String seed : seeds) {
            if (!seed.matches("([a-z]+://[^@/]+@)?.+:\\d{1,5}")) {
                throw new IllegalArgumentException(
                        "--seed '" + seed + "' is no address; write host:port, like 127.0.0.1:2551");
            }
            addresses.add(seed.contains("://") ? seed : "muster://" + system + "@" + seed);
        }
        return addresses;
    }

    private static Config with(Config config, String key, Object value) {
        return config.withValue(key, ConfigValueFactory.fromAnyRef(value));
    }
}
