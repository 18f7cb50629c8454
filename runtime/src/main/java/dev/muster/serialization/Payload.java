package dev.muster.serialization;

import dev.muster.serialization.Serialization.Label;

/** How messages of one kind become bytes and back. */
interface Payload {

    /** How this message is marked on the wire. */
    Label labelOf(Object message);

    void write(Object message, RefNames refs, ByteSink out);

    Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs);
}
