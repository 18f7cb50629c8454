/** Messages between two nodes: how many, and how long a round trip takes. */
package dev.muster.bench.remote;
