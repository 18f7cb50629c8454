/** Runs the core: feeds it what happens, carries out what it wants, and lets it begin anew. */
package dev.muster.cluster.engine;
