package dev.muster.settings;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A {@code pekko} or {@code akka} section that a user brings along, read in Muster's words. Keys below {@code remote}
 * and {@code cluster} that both have are taken; so is where classic remoting listened.
 *
 * @param root the name of the section
 * @param values what it says about keys that Muster has, by Muster's path
 * @param writtenAs the full path that the user wrote, by Muster's path
 * @param others everything else in it, by path below the root
 */
record OlderSection(
        String root,
        SortedMap<String, ConfigValue> values,
        SortedMap<String, String> writtenAs,
        SortedMap<String, ConfigValue> others) {

    /** Where the two differ in the name but not in what is meant. Artery's own key wins where both are written. */
    private static final Map<String, String> RENAMED = Map.of(
            "remote.netty.tcp.hostname", "remote.artery.canonical.hostname",
            "remote.netty.tcp.port", "remote.artery.canonical.port",
            "remote.netty.tcp.bind-hostname", "remote.artery.bind.hostname",
            "remote.netty.tcp.bind-port", "remote.artery.bind.port");

    static final String DOWNING_PROVIDER = "cluster.downing-provider-class";
    static final String TRANSPORT = "remote.artery.transport";

    private static final int MOST_NAMES_SHOWN = 50;

    /**
     * The sections that say anything, the one to use first: the first of the two in which Muster understands something.
     */
    static List<OlderSection> in(ConfigObject whole, KnownKeys keys) {
        List<OlderSection> found = new ArrayList<>();
        for (String root : List.of("pekko", "akka")) {
            GivenValues given = GivenValues.of(GivenValues.section(whole, root), keys);
            if (!given.isEmpty()) {
                found.add(of(root, given));
            }
        }
        found.sort(Comparator.comparing(section -> !section.isUnderstood()));
        return found;
    }

    private boolean isUnderstood() {
        return !values.isEmpty()
                || others.containsKey(ProviderReader.PATH)
                || others.containsKey(DOWNING_PROVIDER)
                || others.containsKey(TRANSPORT);
    }

    private static OlderSection of(String root, GivenValues given) {
        OlderSection section = new OlderSection(root, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(given.unknown()));
        given.known().forEach((path, value) -> {
            // Discovery has the same name there but other methods. Who is let in without TLS is said to Muster itself.
            if (path.startsWith("discovery.") || path.equals("remote.insecure")) {
                section.others.put(path, value);
            } else {
                section.use(path, path, value);
            }
        });
        RENAMED.forEach((theirs, ours) -> {
            ConfigValue value = section.others.get(theirs);
            if (value != null && !section.values.containsKey(ours)) {
                section.use(theirs, ours, value);
                section.others.remove(theirs);
            }
        });
        return section;
    }

    private void use(String theirs, String ours, ConfigValue value) {
        values.put(ours, value);
        writtenAs.put(ours, root + "." + theirs);
    }

    /** Forgets what the user also wrote below {@code muster}, which wins. */
    void withdraw(Iterable<String> paths) {
        for (String path : paths) {
            values.remove(path);
            writtenAs.remove(path);
        }
    }

    /** The value of a key that Muster has no use for but must understand; it then does not count as ignored. */
    Optional<ConfigValue> take(String path) {
        return Optional.ofNullable(others.remove(path));
    }

    String usedSentence() {
        return "the section " + root + " is used where muster says nothing: " + shown(List.copyOf(writtenAs.values()))
                + "; write these keys below muster";
    }

    Optional<String> ignoredSentence() {
        List<String> ignored =
                others.keySet().stream().map(path -> root + "." + path).toList();
        return ignored.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "the section " + root + " has keys that Muster does not read, ignored: " + shown(ignored));
    }

    private static String shown(List<String> names) {
        String text = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMES_SHOWN)));
        return names.size() > MOST_NAMES_SHOWN ? text + " and " + (names.size() - MOST_NAMES_SHOWN) + " more" : text;
    }
}
