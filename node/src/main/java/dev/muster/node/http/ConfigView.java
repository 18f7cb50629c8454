package dev.muster.node.http;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The settings a node runs with, as JSON fields, without anything that a reader could use to become somebody else. */
final class ConfigView {

    static final String MASK = "***";

    /** A configuration also holds all system properties, so only these sections are shown. */
    private static final List<String> SECTIONS = List.of("muster", "akka", "pekko");

    private static final List<String> SECRET_WORDS =
            List.of("token", "password", "passwd", "passphrase", "secret", "credential", "private", "auth", "apikey");

    private ConfigView() {}

    static Map<String, Object> of(Config config) {
        Map<String, Object> shown = new LinkedHashMap<>();
        for (String section : SECTIONS) {
            if (config.hasPath(section) && config.getValue(section) instanceof ConfigObject values) {
                shown.put(section, masked(values.unwrapped()));
            }
        }
        return shown;
    }

    private static Object masked(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.entrySet().stream()
                    .map(entry ->
                            Map.entry(entry.getKey().toString(), entry.getValue() == null ? "" : entry.getValue()))
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(entry -> copy.put(entry.getKey(), maskedField(entry.getKey(), entry.getValue())));
            return copy;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(ConfigView::masked).toList();
        }
        // A user and password in front of a host, as in scheme://user:password@host.
        return value instanceof String text ? text.replaceAll("://[^/@\\s:]+:[^/@\\s]+@", "://" + MASK + "@") : value;
    }

    private static Object maskedField(String key, Object value) {
        boolean isEmpty = value instanceof String text && text.isEmpty();
        return isSecret(key) && !isEmpty && !(value instanceof Boolean) && !(value instanceof Map)
                ? MASK
                : masked(value);
    }

    private static boolean isSecret(String key) {
        String plain = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return plain.endsWith("key") || SECRET_WORDS.stream().anyMatch(plain::contains);
    }
}
