package dev.muster.wire;

import java.util.Arrays;
import java.util.Objects;

/**
 * A message as bytes, with what it takes to read it.
 *
 * @param serializerId who can read the bytes
 * @param manifest what they are, in the words of that serializer; may be empty
 * @param bytes never changed after it was handed over, neither by the maker nor by readers
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, below
public record Payload(int serializerId, String manifest, byte[] bytes) {

    public Payload {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && serializerId == that.serializerId
                && manifest.equals(that.manifest)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return (serializerId * 31 + manifest.hashCode()) * 31 + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Payload[serializer " + serializerId + ", manifest '" + Texts.shown(manifest) + "', " + bytes.length
                + " bytes]";
    }
}
