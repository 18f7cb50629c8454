package dev.muster.serialization;

/**
 * A user's own way to turn some kinds of messages into bytes.
 *
 * <p>It is called by many threads at once. Whatever it throws becomes a {@link SerializationException}, and the message
 * is dropped. It must never use the manifest to load a class: it comes from the wire.
 */
public interface MessageSerializer {

    /** The number that marks its messages on the wire. Alike on all nodes; 0 to 40 are taken. */
    int id();

    /** Which kind of its messages this one is, in a few characters. There should be few different ones. */
    String manifest(Object message);

    /** Whether it is for messages of this class. Asked once for each class. */
    boolean handles(Class<?> type);

    /** Appends the message to {@code out}. */
    void write(Object message, RefNames refs, ByteSink out);

    /**
     * The message that {@code length} bytes from {@code offset} mean. The buffer belongs to the caller, who will use it
     * again: take copies.
     */
    Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs);
}
