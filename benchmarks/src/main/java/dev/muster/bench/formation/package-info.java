/** How long clusters take to form, and what a node costs. */
package dev.muster.bench.formation;
