package dev.muster.wire;

/** The fields of an enclosed message while they are being read. */
final class PayloadParts {
    private final String name;
    private final int mostBytes;
    private byte[] bytes;
    private int serializerId;
    private boolean hasSerializer;
    private String manifest = "";

    PayloadParts(String name) {
        this(name, Limits.MESSAGE_BYTES);
    }

    PayloadParts(String name, int mostBytes) {
        this.name = name;
        this.mostBytes = mostBytes;
    }

    void bytes(ProtoReader in) {
        bytes = in.bytes(name, mostBytes);
    }

    void serializerId(ProtoReader in) {
        serializerId = in.int32("serializer");
        hasSerializer = true;
    }

    void manifest(ProtoReader in) {
        manifest = in.text("manifest", Limits.MANIFEST_BYTES);
    }

    Payload toPayload() {
        if (bytes == null || !hasSerializer) {
            throw WireException.missing(bytes == null ? name : "the serializer of " + name);
        }
        return new Payload(serializerId, manifest, bytes);
    }
}
