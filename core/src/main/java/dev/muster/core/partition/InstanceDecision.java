package dev.muster.core.partition;

/** How many instances a partition should have, and why, in a plain sentence. */
public record InstanceDecision(int instances, String reason) {}
