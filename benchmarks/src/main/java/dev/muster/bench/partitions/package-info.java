/** Partitions whose hosts leave or die: what becomes of messages meanwhile. Every node has a process of its own. */
package dev.muster.bench.partitions;
