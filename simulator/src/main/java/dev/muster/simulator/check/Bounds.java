package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;

/**
 * How long good things may take once the world is healthy: the time limits of the liveness promises.
 *
 * <p>All are upper limits that a correct cluster stays well below, not estimates. A run that wants to check the
 * liveness promises has to leave the world quiet for at least {@link #settledNanos}.
 */
public final class Bounds {
    private static final long SECOND = 1_000_000_000L;

    private Bounds() {}

    public static long roundNanos(ClusterSettings settings) {
        return settings.gossip().interval().toNanos();
    }

    /** Until everybody has heard of a change: a few rounds for every doubling of the cluster. */
    public static long convergenceNanos(ClusterSettings settings, int members) {
        return ClusterMath.convergenceNanos(members, roundNanos(settings));
    }

    /** Until one watcher notices that a member is gone. */
    public static long detectionNanos(ClusterSettings settings) {
        return ClusterMath.detectionNanos(
                settings.failure().heartbeatInterval().toNanos(),
                settings.failure().acceptableHeartbeatPause().toNanos());
    }

    /**
     * Until everybody knows that a member is gone, whoever else went with it. A node that is left alone watches only a
     * few of the others; when it has missed those, the ring closes over them and it notices the next few in turn.
     */
    public static long everybodyKnowsNanos(ClusterSettings settings, int members) {
        int watched = settings.failure().monitoredByNrOfMembers();
        int turns = 2 + (members + watched - 1) / watched;
        return turns * detectionNanos(settings) + convergenceNanos(settings, members);
    }

    /** Until a node that knows that its membership is over has stopped. */
    public static long selfStopNanos(ClusterSettings settings) {
        return 10 * roundNanos(settings);
    }

    /** Until the strategy has acted on what everybody knows, be the picture still or not. 0 for manual downing. */
    public static long downingNanos(ClusterSettings settings, int members) {
        DowningStrategy strategy = settings.downing().strategy();
        if (strategy instanceof DowningStrategy.Manual) {
            return 0;
        }
        if (strategy instanceof DowningStrategy.AutoDown auto) {
            return auto.after().toNanos() + 2 * SECOND;
        }
        return settings.downing().stableAfterNanos(members) * 7 / 4 + 2 * SECOND;
    }

    /** Until a node that was told to join has been let in, when somebody can let it in. */
    public static long joinNanos(ClusterSettings settings) {
        return settings.join().seedNodeTimeout().toNanos()
                + 2 * settings.join().retryUnsuccessfulJoinAfter().toNanos();
    }

    /** Until every promise that needs time has had its time after the last fault. */
    public static long settledNanos(ClusterSettings settings, int members) {
        return everybodyKnowsNanos(settings, members)
                + downingNanos(settings, members)
                + selfStopNanos(settings)
                + joinNanos(settings)
                + 4 * convergenceNanos(settings, members);
    }
}
