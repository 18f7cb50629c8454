/**
 * The bytes of the wire and nothing else: bytes in, values out, and back. No thread, no socket, no clock.
 *
 * <p>Whatever comes in may come from an enemy. Lengths, counts and places in lists are checked before anything is made
 * from them, and all that can escape from a decoder is a {@link dev.muster.wire.WireException}.
 */
package dev.muster.wire;
