package dev.muster.node.http;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.VectorClock;
import java.time.Instant;

/**
 * Since when a node has held its version, and since when it has been converged or not. Looked at now and then, so a
 * time can be late by that much, and a change that was undone in between is not noticed.
 */
final class ConvergenceHistory {

    private VectorClock version;
    private boolean converged;
    private Instant versionSince;
    private Instant convergenceSince;

    /** Since when both have been as they are now. */
    record Since(Instant version, Instant convergence) {}

    synchronized Since observe(ClusterSnapshot snapshot, Instant now) {
        if (version == null || !version.equals(snapshot.state().version())) {
            version = snapshot.state().version();
            versionSince = now;
        }
        if (convergenceSince == null || converged != snapshot.converged()) {
            converged = snapshot.converged();
            convergenceSince = now;
        }
        return new Since(versionSince, convergenceSince);
    }
}
