package dev.muster.core.gossip;

import java.time.Duration;

/**
 * How fast and how eagerly state spreads.
 *
 * @param interval time between two rounds of gossip. Longer: less traffic, slower convergence
 * @param differentViewProbability how often, while not converged, a peer is chosen among those that have not seen the
 *     version. Higher: stragglers are found sooner, and are asked by more at once
 * @param reduceDifferentViewProbability above this many members the probability shrinks, so that single stragglers are
 *     not overwhelmed
 * @param timeToLive gossip that waited longer than this in the queue is dropped
 * @param burst how many messages a node may send at once when something changed, on top of the rounds. 0 turns it off:
 *     changes then wait for the next round
 * @param partnersAbove above this many members a node gossips mostly with a few that stay the same. Higher: more
 *     connections; lower: news takes a step or two more
 */
public record GossipSettings(
        Duration interval,
        double differentViewProbability,
        int reduceDifferentViewProbability,
        Duration timeToLive,
        int burst,
        int partnersAbove) {

    public GossipSettings {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("gossip-interval must be positive, was " + interval);
        }
        if (!(differentViewProbability >= 0 && differentViewProbability <= 1)) {
            throw new IllegalArgumentException(
                    "gossip-different-view-probability must be between 0 and 1, was " + differentViewProbability);
        }
        if (reduceDifferentViewProbability < 1) {
            throw new IllegalArgumentException("reduce-gossip-different-view-probability is a number of nodes and must "
                    + "be at least 1, was " + reduceDifferentViewProbability);
        }
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new IllegalArgumentException("gossip-time-to-live must be positive, was " + timeToLive);
        }
        if (burst < 0 || burst > 100) {
            throw new IllegalArgumentException("gossip-burst must be between 0 and 100, was " + burst);
        }
        if (partnersAbove < 1) {
            throw new IllegalArgumentException(
                    "gossip-partners-above is a number of nodes and must be at least 1, was " + partnersAbove);
        }
    }

    public static GossipSettings defaults() {
        return new GossipSettings(Duration.ofSeconds(1), 0.8, 400, Duration.ofSeconds(2), 8, 64);
    }

    public GossipSettings withInterval(Duration next) {
        return new GossipSettings(
                next, differentViewProbability, reduceDifferentViewProbability, timeToLive, burst, partnersAbove);
    }

    public GossipSettings withDifferentViewProbability(double next) {
        return new GossipSettings(interval, next, reduceDifferentViewProbability, timeToLive, burst, partnersAbove);
    }

    public GossipSettings withReduceDifferentViewProbability(int next) {
        return new GossipSettings(interval, differentViewProbability, next, timeToLive, burst, partnersAbove);
    }

    public GossipSettings withTimeToLive(Duration next) {
        return new GossipSettings(
                interval, differentViewProbability, reduceDifferentViewProbability, next, burst, partnersAbove);
    }

    public GossipSettings withBurst(int next) {
        return new GossipSettings(
                interval, differentViewProbability, reduceDifferentViewProbability, timeToLive, next, partnersAbove);
    }

    public GossipSettings withPartnersAbove(int next) {
        return new GossipSettings(
                interval, differentViewProbability, reduceDifferentViewProbability, timeToLive, burst, next);
    }
}
