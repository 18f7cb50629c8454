/**
 * Experiments: worlds made for one question each, with a promise that the answer must keep.
 *
 * <p>The swarm looks for what nobody thought of. These measure what was promised in figures: that nobody is accused
 * without cause, that one sick node harms no healthy one, how soon a crash is known, how joining grows.
 */
package dev.muster.simulator.experiment;
