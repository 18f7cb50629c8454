package dev.muster.core.partition;

import dev.muster.core.state.PartitionPath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why whoever leads wrote each row as it did last, for people who ask. Only that node knows, and only while it leads:
 * reasons are not worth a place in every table.
 */
final class Decisions {
    private static final int LONGEST = 300;

    private final TreeMap<PartitionPath, String> reasons = new TreeMap<>();

    /** Keeps one reason for each partition that there is; who was not decided about keeps the one that it had. */
    void remember(Map<PartitionPath, RowDraft> drafts) {
        reasons.keySet().retainAll(drafts.keySet());
        drafts.forEach((path, draft) -> {
            if (!draft.reason.isEmpty()) {
                reasons.put(path, shortened(draft.reason));
            }
        });
    }

    private static String shortened(String reason) {
        return reason.length() <= LONGEST ? reason : reason.substring(0, LONGEST) + "...";
    }

    Optional<String> of(PartitionPath path) {
        return Optional.ofNullable(reasons.get(path));
    }

    void forget() {
        reasons.clear();
    }
}
