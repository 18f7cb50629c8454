/** What a process costs: heap, threads, descriptors, processor time and bytes. */
package dev.muster.bench.meter;
