/**
 * Typed actors: what users write against.
 *
 * <p>Start at {@link dev.muster.actor.Behaviors} to describe an actor and at {@link dev.muster.actor.ActorSystem} to
 * run it.
 */
package dev.muster.actor;
