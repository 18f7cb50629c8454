package dev.muster.wire;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings that must fit together, as the JSON in which they travel.
 *
 * <p>Our own values stand under {@code muster}. In a cluster with other systems the two that those compare stand beside
 * them, in their words, and always: a node that lacks them is no node that they can talk to. What others send is
 * translated back into our words, so that the core compares like with like.
 */
final class JoinConfigurationText {
    static final String STRATEGY = "cluster.split-brain-resolver.active-strategy";

    private static final String OWN_ROOT = "muster";
    private static final String FROM_MEMBER = "join.from-member";
    private static final String PROVIDER = "cluster.downing-provider-class";
    private static final String VERSION = "version";
    private static final String MANUAL = "manual";
    private static final int DEEPEST = 16;
    private static final int MOST_VALUES = 256;

    // JSON knows no includes and no substitutions, so a text cannot reach for files or the environment.
    private static final ConfigParseOptions JSON =
            ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON).setAllowMissing(false);

    /**
     * What a text says.
     *
     * @param from the cluster that the asker is a member of, if it is
     * @param isOurs whether it comes from a node of our kind
     * @param foreign the values that are meant for other systems, by their full keys
     */
    record Reading(
            JoinConfiguration configuration,
            Optional<Island> from,
            boolean isOurs,
            SortedMap<String, String> foreign) {}

    private final WireDialect dialect;
    private final JoinConfiguration own;

    JoinConfigurationText(WireDialect dialect, JoinConfiguration own) {
        this.dialect = dialect;
        this.own = own;
    }

    // --- Writing
    // ------------------------------------------------------------------------------------------------------

    String write(JoinConfiguration configuration, Optional<Island> from) {
        TreeMap<String, String> values = new TreeMap<>(foreignValues(configuration));
        configuration.values().forEach((key, value) -> values.put(OWN_ROOT + "." + key, value));
        if (speaksWithOthers()) {
            values.put(OWN_ROOT + "." + VERSION, OWN_ROOT); // by which a node of our kind knows its like
        }
        from.ifPresent(island -> values.put(OWN_ROOT + "." + FROM_MEMBER, island.members() + " " + island.lowest()));
        return render(ConfigFactory.parseMap(values));
    }

    /** The answer to other systems: their own values where we have none, and ours for what is compared. */
    String writeAnswer(SortedMap<String, String> asked) {
        TreeMap<String, String> answers = new TreeMap<>(foreignValues(own));
        answers.put(OWN_ROOT + "." + VERSION, OWN_ROOT);
        // As a fallback, because what is a value with them may be an object with us.
        return render(ConfigFactory.parseMap(answers).withFallback(ConfigFactory.parseMap(asked)));
    }

    /** Whether nodes of other systems may be in the cluster. */
    boolean speaksWithOthers() {
        return dialect != WireDialect.MUSTER;
    }

    private SortedMap<String, String> foreignValues(JoinConfiguration configuration) {
        TreeMap<String, String> values = new TreeMap<>();
        if (speaksWithOthers()) {
            String strategy = strategyName(configuration.values().getOrDefault(STRATEGY, MANUAL));
            values.put(foreignKey(VERSION), OWN_ROOT);
            values.put(foreignKey(PROVIDER), strategy.equals(MANUAL) ? "" : dialect.resolverName());
            if (!strategy.equals(MANUAL)) {
                values.put(foreignKey(STRATEGY), strategy);
            }
        }
        return values;
    }

    private String foreignKey(String key) {
        return dialect.configurationRoot() + "." + key;
    }

    /** A strategy is described by its name and then, after a space, its details, which others do not compare. */
    private static String strategyName(String description) {
        int space = description.indexOf(' ');
        return space < 0 ? description : description.substring(0, space);
    }

    private static String render(Config values) {
        return values.root().render(ConfigRenderOptions.concise());
    }

    // --- Reading
    // ------------------------------------------------------------------------------------------------------

    /** @throws WireException if the text is no JSON object, or too large or deep a one */
    Reading read(String text) {
        requireFlat(text);
        TreeMap<String, String> values = new TreeMap<>();
        try {
            Config parsed = ConfigFactory.parseString(text, JSON);
            collect("", parsed.root(), values);
        } catch (ConfigException e) {
            throw WireException.malformed("configuration is no JSON: " + Texts.shown(String.valueOf(e.getMessage())));
        }
        SortedMap<String, String> ours = under(OWN_ROOT, values);
        Optional<Island> from = Optional.ofNullable(ours.remove(FROM_MEMBER)).map(JoinConfigurationText::island);
        boolean isOurs = !ours.isEmpty();
        ours.remove(VERSION);
        SortedMap<String, String> foreign = new TreeMap<>(values);
        foreign.keySet().removeIf(key -> !key.startsWith(dialect.configurationRoot() + "."));
        JoinConfiguration configuration =
                isOurs ? new JoinConfiguration(ours) : translated(under(dialect.configurationRoot(), values));
        return new Reading(configuration, from, isOurs, Collections.unmodifiableSortedMap(foreign));
    }

    private static Island island(String text) {
        int space = text.indexOf(' ');
        try {
            return space < 0
                    ? Island.UNKNOWN
                    : new Island(Integer.parseInt(text.substring(0, space)), text.substring(space + 1));
        } catch (NumberFormatException e) {
            throw WireException.malformed("no number of members in '" + Texts.shown(text) + "'");
        }
    }

    /** The parser goes into each bracket, so a text of nothing but brackets must not reach it. */
    private static void requireFlat(String text) {
        int depth = 0;
        boolean inText = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (inText && c == '\\') {
                i++;
            } else if (c == '"') {
                inText = !inText;
            } else if (!inText && (c == '{' || c == '[')) {
                depth++;
            } else if (!inText && (c == '}' || c == ']')) {
                depth--;
            }
            if (depth > DEEPEST) {
                throw WireException.tooLarge("the depth of the configuration", depth, DEEPEST);
            }
        }
    }

    private static void collect(String prefix, ConfigObject object, SortedMap<String, String> values) {
        for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
            if (entry.getKey().isEmpty() || !entry.getKey().chars().allMatch(JoinConfigurationText::isKeyCharacter)) {
                continue; // none that anybody here compares
            }
            String key = prefix + entry.getKey();
            if (entry.getValue() instanceof ConfigObject inner) {
                collect(key + ".", inner, values);
            } else if (isSimple(entry.getValue().valueType())) {
                Limits.requireAtMost("values in the configuration", values.size() + 1, MOST_VALUES);
                String value = entry.getValue().unwrapped().toString();
                if (!Texts.isHarmless(value)) {
                    throw WireException.badText(Texts.shown(key), value);
                }
                values.put(key, value);
            }
        }
    }

    private static boolean isKeyCharacter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_';
    }

    private static boolean isSimple(ConfigValueType type) {
        return type == ConfigValueType.STRING || type == ConfigValueType.NUMBER || type == ConfigValueType.BOOLEAN;
    }

    private static SortedMap<String, String> under(String root, SortedMap<String, String> values) {
        TreeMap<String, String> found = new TreeMap<>();
        values.subMap(root + ".", root + "/") // the character after the dot
                .forEach((key, value) -> found.put(key.substring(root.length() + 1), value));
        return found;
    }

    private JoinConfiguration translated(SortedMap<String, String> theirs) {
        String provider = theirs.get(PROVIDER);
        String strategy = theirs.get(STRATEGY);
        if (provider == null || !provider.isEmpty() && isResolver(provider) && strategy == null) {
            return JoinConfiguration.UNKNOWN;
        }
        String name = provider.isEmpty() ? MANUAL : isResolver(provider) ? strategy : provider;
        String mine = own.values().getOrDefault(STRATEGY, "");
        TreeMap<String, String> values = new TreeMap<>();
        values.put(STRATEGY, name.equals(strategyName(mine)) ? mine : name);
        return new JoinConfiguration(values);
    }

    private static boolean isResolver(String provider) {
        return provider.equals(WireDialect.PEKKO.resolverName()) || provider.equals(WireDialect.AKKA.resolverName());
    }
}
