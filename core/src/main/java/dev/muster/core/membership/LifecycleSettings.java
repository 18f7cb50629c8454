package dev.muster.core.membership;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When members move on.
 *
 * @param minNrOfMembers nobody becomes up before the cluster has this many members
 * @param minNrOfMembersPerRole nobody becomes up before each named role has this many members
 * @param weaklyUpAfter how long convergence may be blocked before joining members become weakly up; empty turns it off
 * @param tombstoneRetention how long a removed node is remembered. Shorter than messages can be under way is unsafe
 */
public record LifecycleSettings(
        int minNrOfMembers,
        SortedMap<String, Integer> minNrOfMembersPerRole,
        Optional<Duration> weaklyUpAfter,
        Duration tombstoneRetention) {

    public LifecycleSettings {
        if (minNrOfMembers < 1) {
            throw new IllegalArgumentException("min-nr-of-members must be at least 1, was " + minNrOfMembers);
        }
        minNrOfMembersPerRole = Collections.unmodifiableSortedMap(new TreeMap<>(minNrOfMembersPerRole));
        minNrOfMembersPerRole.forEach((role, count) -> {
            if (count < 1) {
                throw new IllegalArgumentException(
                        "role." + role + ".min-nr-of-members must be at least 1, was " + count);
            }
        });
        if (weaklyUpAfter.isPresent()
                && (weaklyUpAfter.get().isNegative() || weaklyUpAfter.get().isZero())) {
            throw new IllegalArgumentException(
                    "allow-weakly-up-members must be a positive duration or off, was " + weaklyUpAfter.get());
        }
        if (tombstoneRetention.isNegative() || tombstoneRetention.isZero()) {
            throw new IllegalArgumentException(
                    "prune-gossip-tombstones-after must be positive, was " + tombstoneRetention);
        }
    }

    public static LifecycleSettings defaults() {
        return new LifecycleSettings(1, new TreeMap<>(), Optional.of(Duration.ofSeconds(7)), Duration.ofHours(24));
    }

    public LifecycleSettings withMinNrOfMembers(int next) {
        return new LifecycleSettings(next, minNrOfMembersPerRole, weaklyUpAfter, tombstoneRetention);
    }

    public LifecycleSettings withMinNrOfMembersPerRole(SortedMap<String, Integer> next) {
        return new LifecycleSettings(minNrOfMembers, next, weaklyUpAfter, tombstoneRetention);
    }

    public LifecycleSettings withWeaklyUpAfter(Optional<Duration> next) {
        return new LifecycleSettings(minNrOfMembers, minNrOfMembersPerRole, next, tombstoneRetention);
    }

    public LifecycleSettings withTombstoneRetention(Duration next) {
        return new LifecycleSettings(minNrOfMembers, minNrOfMembersPerRole, weaklyUpAfter, next);
    }
}
