/**
 * For tests of one's own actors: they run in virtual time on the test's thread, in an order that a seed decides.
 *
 * <p>Start at {@link dev.muster.testkit.ActorTestKit}; {@link dev.muster.testkit.Interleavings} runs one test in many
 * orders.
 */
package dev.muster.testkit;
