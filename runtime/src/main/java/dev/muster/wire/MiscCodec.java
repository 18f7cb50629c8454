package dev.muster.wire;

import java.util.Optional;

/** Small questions as bytes. The schema is {@code messages.proto}. */
public final class MiscCodec {
    public static final int SERIALIZER_ID = 16;

    private static final String IDENTIFY = "A";
    private static final String ACTOR_IDENTITY = "B";

    private MiscCodec() {}

    public static Payload encode(MiscMessage message) {
        ProtoWriter out = new ProtoWriter(128);
        if (message instanceof MiscMessage.ActorIdentity identity) {
            writeCorrelation(out, identity.correlation());
            identity.path().ifPresent(path -> SystemMessageCodec.writePath(out, 2, path));
            return new Payload(SERIALIZER_ID, ACTOR_IDENTITY, out.toBytes());
        }
        writeCorrelation(out, ((MiscMessage.Identify) message).correlation());
        return new Payload(SERIALIZER_ID, IDENTIFY, out.toBytes());
    }

    private static void writeCorrelation(ProtoWriter out, Payload correlation) {
        int mark = out.begin(1);
        out.bytes(1, correlation.bytes());
        out.int32(2, correlation.serializerId());
        if (!correlation.manifest().isEmpty()) {
            out.text(4, correlation.manifest());
        }
        out.end(mark);
    }

    /** @throws WireException if the bytes are no such message */
    public static MiscMessage decode(String manifest, byte[] buffer, int offset, int length) {
        boolean isQuestion = manifest.equals(IDENTIFY);
        if (!isQuestion && !manifest.equals(ACTOR_IDENTITY)) {
            throw WireException.unknownManifest(SERIALIZER_ID, manifest);
        }
        ProtoReader in = new ProtoReader(buffer, offset, length);
        Payload correlation = null;
        String path = null;
        while (in.next()) {
            if (in.field() == 1) {
                correlation = readCorrelation(in);
            } else if (in.field() == 2 && !isQuestion) {
                path = SystemMessageCodec.readPath(in, "actor");
            } else {
                in.skip();
            }
        }
        if (correlation == null) {
            throw WireException.missing("correlation");
        }
        return isQuestion
                ? new MiscMessage.Identify(correlation)
                : new MiscMessage.ActorIdentity(correlation, Optional.ofNullable(path));
    }

    private static Payload readCorrelation(ProtoReader in) {
        int outer = in.enter("correlation");
        PayloadParts parts = new PayloadParts("correlation");
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.bytes(in);
                case 2 -> parts.serializerId(in);
                case 4 -> parts.manifest(in);
                default -> in.skip();
            }
        }
        in.leave(outer);
        return parts.toPayload();
    }
}
