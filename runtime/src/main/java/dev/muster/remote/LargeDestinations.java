package dev.muster.remote;

import java.util.ArrayList;
import java.util.List;

/** The actors whose messages take the large stream, by path: {@code /user/a}, or {@code /user/a/*} for its children. */
final class LargeDestinations {
    private final List<String> exact = new ArrayList<>();
    private final List<String> parents = new ArrayList<>();

    LargeDestinations(List<String> paths) {
        for (String path : paths) {
            if (path.endsWith("/*")) {
                parents.add(path.substring(0, path.length() - 1));
            } else {
                exact.add(path);
            }
        }
    }

    boolean has(String localPath) {
        if (exact.contains(localPath)) {
            return true;
        }
        for (String parent : parents) {
            if (localPath.startsWith(parent) && localPath.indexOf('/', parent.length()) < 0) {
                return true;
            }
        }
        return false;
    }
}
