package dev.muster.cluster.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with the instance of one partition on this node, for whoever asks why. Guarded by the lock of its post.
 */
final class InstanceTroubles {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /** Since one began here the last time. */
    private int failedStarts;

    private String whyNotStarted;
    private long notStartedNanos;
    /** Null if the instance that is here was never asked for its state, or gave it. */
    private String whyNotHandedOver;

    private long notHandedOverNanos;

    void onStartFailed(String why, long nowNanos) {
        failedStarts++;
        whyNotStarted = why;
        notStartedNanos = nowNanos;
    }

    void onStarted() {
        failedStarts = 0;
        whyNotHandedOver = null;
    }

    void onNotHandedOver(String why, long nowNanos) {
        whyNotHandedOver = why;
        notHandedOverNanos = nowNanos;
    }

    /** @param startAgainNanos when it is to be started again; the largest number if it is not */
    List<String> sentences(long startAgainNanos, long nowNanos) {
        List<String> sentences = new ArrayList<>();
        boolean isStartedAgain = startAgainNanos != Long.MAX_VALUE;
        String next = isStartedAgain
                ? "next attempt in " + seconds(startAgainNanos - nowNanos)
                : "that was " + seconds(nowNanos - notStartedNanos) + " ago";
        if (failedStarts > 0) {
            sentences.add("it could not be started here " + failedStarts + (failedStarts == 1 ? " time: " : " times: ")
                    + whyNotStarted + "; " + next);
        } else if (isStartedAgain) {
            sentences.add("its instance here has failed or ended by itself; " + next);
        }
        if (whyNotHandedOver != null) {
            sentences.add("it could not be handed over from here, so it goes on: " + whyNotHandedOver + "; that was "
                    + seconds(nowNanos - notHandedOverNanos) + " ago");
        }
        return sentences;
    }

    /** Rounded up. */
    private static String seconds(long nanos) {
        return Math.max(0, (nanos + SECOND_NANOS - 1) / SECOND_NANOS) + " s";
    }
}
