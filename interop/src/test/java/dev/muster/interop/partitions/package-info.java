/** Partitions in a cluster of both kinds: only nodes of Muster know of them. */
package dev.muster.interop.partitions;
