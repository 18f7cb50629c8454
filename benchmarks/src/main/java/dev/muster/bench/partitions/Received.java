package dev.muster.bench.partitions;

/** An answer, and when the client had it. */
record Received(Answer answer, long atNanos) {}
