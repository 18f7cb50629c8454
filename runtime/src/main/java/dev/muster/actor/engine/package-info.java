/**
 * How actors run. Not exported.
 *
 * <p>Read {@code Mailbox} first, then {@code ActorCell}. Nothing here knows a thread, a clock or a die: those come from
 * the {@code Environment}.
 */
package dev.muster.actor.engine;
