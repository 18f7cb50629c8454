/**
 * For tests with real processes on one machine: a network between them that can be cut, slowed and broken, one
 * direction at a time. Start at {@link dev.muster.testkit.relay.Relays}.
 */
package dev.muster.testkit.relay;
