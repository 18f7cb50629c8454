package dev.muster.core.exchange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings that all members must share, as texts by key. It holds nothing but the compared keys, so no secret can
 * travel in it.
 */
public record JoinConfiguration(SortedMap<String, String> values) {
    /** From a peer that does not say: nothing to compare. */
    public static final JoinConfiguration UNKNOWN = new JoinConfiguration(new TreeMap<>());

    public JoinConfiguration {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** One sentence for every key on which the two differ; keys that only one side has are not compared. */
    public List<String> differencesTo(JoinConfiguration joiner) {
        List<String> differences = new ArrayList<>();
        for (Map.Entry<String, String> entry : values.entrySet()) {
            String theirs = joiner.values.get(entry.getKey());
            if (theirs != null && !theirs.equals(entry.getValue())) {
                differences.add(entry.getKey() + " is '" + entry.getValue() + "' in the cluster but '" + theirs
                        + "' on the joining node; use the same value on all nodes");
            }
        }
        return differences;
    }
}
