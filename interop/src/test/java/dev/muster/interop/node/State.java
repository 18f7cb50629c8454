package dev.muster.interop.node;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What one node knows of all, by their ports.
 *
 * @param leader 0 for none
 */
public record State(String self, int leader, TreeMap<Integer, String> members, TreeSet<Integer> unreachable) {

    static String write(String self, int leader, Map<Integer, String> members, List<Integer> unreachable) {
        return "self=" + self + " leader=" + leader + " members="
                + new TreeMap<>(members)
                        .entrySet().stream()
                                .map(it -> it.getKey() + ":" + it.getValue())
                                .collect(Collectors.joining(","))
                + " unreachable="
                + unreachable.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    }

    static State read(String text) {
        Map<String, String> fields = new TreeMap<>();
        for (String field : text.split(" ")) {
            String[] parts = field.split("=", 2);
            fields.put(parts[0], parts[1]);
        }
        TreeMap<Integer, String> members = new TreeMap<>();
        for (String member : list(fields.get("members"))) {
            String[] parts = member.split(":", 2);
            members.put(Integer.valueOf(parts[0]), parts[1]);
        }
        TreeSet<Integer> unreachable = new TreeSet<>();
        list(fields.get("unreachable")).forEach(port -> unreachable.add(Integer.valueOf(port)));
        return new State(fields.get("self"), Integer.parseInt(fields.get("leader")), members, unreachable);
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }
}
