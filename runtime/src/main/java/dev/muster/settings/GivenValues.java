package dev.muster.settings;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What somebody wrote below one root of a configuration, apart from defaults: values that come out of a
 * {@code reference.conf}, ours or that of another library on the class path, are nobody's wish.
 *
 * @param known values of keys that exist
 * @param unknown values of all others
 */
record GivenValues(SortedMap<String, ConfigValue> known, SortedMap<String, ConfigValue> unknown) {

    static GivenValues of(ConfigObject root, KnownKeys keys) {
        GivenValues given = new GivenValues(new TreeMap<>(), new TreeMap<>());
        given.walk("", root, keys);
        return given;
    }

    private void walk(String path, ConfigObject section, KnownKeys keys) {
        // Objects have no order of their own; messages should.
        for (String name : new TreeSet<>(section.keySet())) {
            String key = KnownKeys.below(path, name);
            ConfigValue value = section.get(name);
            if (keys.isKey(key)) {
                // As a whole, even if it is an object: a list may be written as -Dseed-nodes.0=... -Dseed-nodes.1=...
                if (isGiven(value)) {
                    known.put(key, value);
                }
            } else if (value instanceof ConfigObject deeper) {
                walk(key, deeper, keys);
            } else if (isGiven(value)) {
                unknown.put(key, value);
            }
        }
    }

    /** Whether somebody wrote it, rather than a library. */
    static boolean isGiven(ConfigValue value) {
        if (value instanceof ConfigObject section) {
            return section.values().stream().anyMatch(GivenValues::isGiven);
        }
        // Null takes back what another file said.
        return value.valueType() != ConfigValueType.NULL && !isReference(value.origin());
    }

    private static boolean isReference(ConfigOrigin origin) {
        return isReference(origin.resource()) || isReference(origin.filename()) || isReference(urlOf(origin));
    }

    private static String urlOf(ConfigOrigin origin) {
        return origin.url() == null ? null : String.valueOf(origin.url());
    }

    private static boolean isReference(String name) {
        if (name == null) {
            return false;
        }
        String path = "/" + name.replace('\\', '/').toLowerCase(Locale.ROOT);
        // The second is included by the reference.conf of Pekko and of Akka, and says which they are.
        return path.endsWith("/reference.conf") || path.endsWith("/version.conf");
    }

    boolean isEmpty() {
        return known.isEmpty() && unknown.isEmpty();
    }

    /** The section by this name, or an empty one. */
    static ConfigObject section(ConfigObject root, String name) {
        return root.get(name) instanceof ConfigObject section
                ? section
                : ConfigFactory.empty().root();
    }
}
