package dev.muster.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The keys that exist: those that {@code reference.conf} has, as paths below {@code muster}. A section that is empty
 * there, such as {@code cluster.role}, is one key, whose names are the user's.
 */
final class KnownKeys {

    static final List<String> SECTIONS = List.of("remote", "cluster", "discovery");

    private final SortedSet<String> keys = new TreeSet<>();

    KnownKeys(ConfigObject reference) {
        for (String section : SECTIONS) {
            collect(section, reference.get(section));
        }
    }

    private void collect(String path, ConfigValue value) {
        if (value instanceof ConfigObject section && !section.isEmpty()) {
            for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
                collect(below(path, entry.getKey()), entry.getValue());
            }
        } else {
            keys.add(path);
        }
    }

    static String below(String path, String name) {
        String step = ConfigUtil.joinPath(name);
        return path.isEmpty() ? step : path + "." + step;
    }

    SortedSet<String> all() {
        return keys;
    }

    boolean isKey(String path) {
        return keys.contains(path);
    }

    boolean isSection(String path) {
        return keys.stream().anyMatch(key -> key.startsWith(path + "."));
    }

    /** What somebody who wrote {@code path} probably meant. */
    Optional<String> nearest(String path) {
        String name = lastStep(path);
        Optional<String> elsewhere = keys.stream()
                .filter(key -> lastStep(key).equals(name))
                .min(Comparator.comparingInt(key -> distance(key, path)));
        if (elsewhere.isPresent()) {
            return elsewhere;
        }
        return keys.stream()
                .min(Comparator.comparingInt(key -> distance(key, path)))
                .filter(key -> distance(key, path) <= Math.max(2, path.length() / 4));
    }

    private static String lastStep(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** How many letters must be added, taken away or exchanged to turn one text into the other. */
    static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int exchanged = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
