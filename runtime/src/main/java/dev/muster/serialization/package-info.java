/**
 * How users' messages become bytes, and bytes messages.
 *
 * <p>Start at {@link dev.muster.serialization.Serialization}. Records and sealed protocols need nothing but to be named
 * there; for everything else there is {@link dev.muster.serialization.MessageSerializer}.
 */
package dev.muster.serialization;
