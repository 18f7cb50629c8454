/** What a cluster costs that has nothing to do. */
package dev.muster.bench.steady;
