package dev.muster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import dev.muster.settings.ConfigurationException.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings together what was written where: {@code muster} wins over {@code pekko} or {@code akka}, and these win over
 * {@code reference.conf}.
 */
final class Sources {

    static final String ROOT = "muster.";
    static final String STRATEGY = "cluster.split-brain-resolver.active-strategy";
    static final String AUTO_DOWN = "cluster.auto-down-unreachable-after";

    private static final String RESOLVER = ".SplitBrainResolverProvider";

    private final Config reference = referenceOnly();
    private final KnownKeys keys = new KnownKeys(GivenValues.section(reference.root(), "muster"));
    private final Map<String, ConfigValue> chosen = new TreeMap<>();
    private final Map<String, String> writtenAs = new TreeMap<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    Sources(Config config) {
        ConfigObject whole =
                config.withFallback(ConfigFactory.defaultReference()).resolve().root();
        GivenValues given = GivenValues.of(onlyOurSections(GivenValues.section(whole, "muster")), keys);
        chosen.putAll(given.known());
        List<OlderSection> older = OlderSection.in(whole, keys);
        if (!older.isEmpty()) {
            takeOlder(older.get(0), given);
            older.stream()
                    .skip(1)
                    .forEach(section -> warnings.add("the section " + section.root()
                            + " is ignored, because the section " + older.get(0).root() + " is there too"));
        }
        ConfigValue provider = given.unknown().remove(OlderSection.DOWNING_PROVIDER);
        if (provider != null) {
            understandProvider(ROOT + OlderSection.DOWNING_PROVIDER, provider, given);
        }
        given.unknown().forEach(this::reportUnknown);
    }

    /** Our defaults as they are in the jar, whatever system properties say. */
    private static Config referenceOnly() {
        return ConfigFactory.parseResources(Sources.class.getClassLoader(), "reference.conf")
                .withOnlyPath("muster")
                .resolve();
    }

    /** The older sections of a whole configuration, the one that counts first. */
    static List<OlderSection> older(Config whole) {
        return OlderSection.in(
                whole.root(), new KnownKeys(GivenValues.section(referenceOnly().root(), "muster")));
    }

    private static ConfigObject onlyOurSections(ConfigObject muster) {
        ConfigObject ours = muster;
        for (String name : muster.keySet()) {
            ours = KnownKeys.SECTIONS.contains(name) ? ours : ours.withoutKey(name);
        }
        return ours;
    }

    private void takeOlder(OlderSection older, GivenValues given) {
        older.withdraw(given.known().keySet());
        chosen.putAll(older.values());
        writtenAs.putAll(older.writtenAs());
        older.take(OlderSection.TRANSPORT).ifPresent(transport -> checkTransport(older, transport, given));
        older.take(OlderSection.DOWNING_PROVIDER)
                .ifPresentOrElse(
                        provider ->
                                understandProvider(older.root() + "." + OlderSection.DOWNING_PROVIDER, provider, given),
                        () -> sayWhoDecides(older, given));
        older.take(ProviderReader.PATH); // whoever reads this has been asked to make a node
        if (!older.values().isEmpty()) {
            warnings.add(older.usedSentence());
            if (!chosen.containsKey("remote.protocol-name")) {
                chosen.put("remote.protocol-name", named(older.root(), "the section " + older.root()));
            }
        }
        older.ignoredSentence().ifPresent(warnings::add);
    }

    private void checkTransport(OlderSection older, ConfigValue transport, GivenValues given) {
        String path = older.root() + "." + OlderSection.TRANSPORT;
        String text = String.valueOf(transport.unwrapped());
        boolean hasTls = given.known().containsKey("remote.tls.certificate");
        if (text.equals("tls-tcp") && !hasTls) {
            problems.add(problem(path, transport, "asks for TLS, so say with which files: set muster.remote.tls"));
        } else if (!text.equals("tcp") && !text.equals("tls-tcp")) {
            warnings.add(
                    path + " is " + text + ", but Muster speaks TCP; nodes with another transport cannot be reached");
        }
    }

    /**
     * Elsewhere a class decides who is declared down, and a strategy says how that class does it. Here the strategy is
     * all there is.
     */
    private void understandProvider(String path, ConfigValue provider, GivenValues given) {
        String text = String.valueOf(provider.unwrapped());
        boolean isDecided = given.known().containsKey(STRATEGY) || chosen.containsKey(AUTO_DOWN);
        if (text.isEmpty() && !isDecided) {
            chosen.put(STRATEGY, named("manual", provider.origin().description()));
            writtenAs.put(STRATEGY, path);
            warnings.add(path + " is empty, so nobody is declared down except by an operator");
        } else if (text.endsWith(RESOLVER) && !chosen.containsKey(STRATEGY)) {
            chosen.put(STRATEGY, named("keep-majority", provider.origin().description()));
            writtenAs.put(STRATEGY, path);
        } else if (!text.isEmpty() && !text.endsWith(RESOLVER) && !isDecided) {
            problems.add(problem(
                    path, provider, "is a class that Muster does not have; choose a strategy by " + ROOT + STRATEGY));
        }
    }

    /** There, nobody decides then; nodes of which one has a strategy would not let each other in. */
    private void sayWhoDecides(OlderSection older, GivenValues given) {
        boolean isClustered = older.values().keySet().stream().anyMatch(path -> path.startsWith("cluster."));
        if (isClustered && !given.known().containsKey(STRATEGY) && !chosen.containsKey(AUTO_DOWN)) {
            String path = older.root() + "." + OlderSection.DOWNING_PROVIDER;
            chosen.put(STRATEGY, named("manual", "no " + path));
            writtenAs.put(STRATEGY, path);
            warnings.add(path + " is not set, so nobody is declared down except by an operator, as it is there; for a "
                    + "strategy set " + ROOT + STRATEGY + ", and the same on all members");
        }
    }

    private void reportUnknown(String path, ConfigValue value) {
        if (keys.isSection(path)) {
            problems.add(problem(ROOT + path, value, "is a section, not a value; write its keys in braces"));
            return;
        }
        // Without the value: it may be a password that somebody hoped we would want.
        warnings.add(ROOT + path + " (" + value.origin().description() + ") is no key of Muster"
                + keys.nearest(path)
                        .map(nearest -> "; did you mean " + ROOT + nearest + "?")
                        .orElse(""));
    }

    private static Problem problem(String path, ConfigValue value, String remedy) {
        return new Problem(
                path, value.render(SettingsReader.CONCISE), value.origin().description(), remedy);
    }

    private static ConfigValue named(String value, String origin) {
        return ConfigValueFactory.fromAnyRef(value, origin);
    }

    /** All keys with the value that counts. */
    Config complete() {
        Config complete = reference;
        for (Map.Entry<String, ConfigValue> entry : chosen.entrySet()) {
            complete = complete.withValue(ROOT + entry.getKey(), entry.getValue());
        }
        return complete;
    }

    Config reference() {
        return reference;
    }

    KnownKeys keys() {
        return keys;
    }

    /** Whether anybody wrote this key, or one that means the same. */
    boolean isGiven(String path) {
        return chosen.containsKey(path);
    }

    /** The key as the user wrote it. */
    String writtenAs(String path) {
        return writtenAs.getOrDefault(path, ROOT + path);
    }

    List<String> warnings() {
        return warnings;
    }

    List<Problem> problems() {
        return problems;
    }
}
