package dev.muster.wire;

/** The fields of an enclosed message while they are being read. */
final class PayloadParts {
    private final String name;
    private byte[] bytes;
    private int serializerId;
    private boolean hasSerializer;
    private String manifest = "";

    PayloadParts(String name) {
        this.name = name;
    }

    void bytes(ProtoReader in) {
        bytes = in.bytes(name, Limits.MESSAGE_BYTES);
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
