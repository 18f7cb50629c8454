package dev.muster.wire;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.TreeMap;

/** Control messages as bytes. The schema is {@code artery.proto}. */
public final class ControlCodec {
    public static final int SERIALIZER_ID = 17;

    private static final int HIGHEST_TABLE_VERSION = 127;
    /** A field of a handshake that only Muster has. */
    private static final int REPLACES = 15;

    private ControlCodec() {}

    // --- Writing
    // ------------------------------------------------------------------------------------------------------

    public static Payload encode(ControlMessage message) {
        ProtoWriter out = new ProtoWriter(128);
        return new Payload(SERIALIZER_ID, write(message, out), out.toBytes());
    }

    /** Writes the message and returns its manifest. */
    private static String write(ControlMessage message, ProtoWriter out) {
        if (message instanceof ControlMessage.HandshakeReq m) {
            RemoteNodes.writeNode(out, 1, m.from());
            RemoteNodes.writeAddress(out, 2, m.to());
            if (m.replaces()) {
                out.bool(REPLACES, true);
            }
            return "d";
        } else if (message instanceof ControlMessage.HandshakeRsp m) {
            RemoteNodes.writeNode(out, 1, m.from());
            return "e";
        } else if (message instanceof ControlMessage.Quarantined m) {
            RemoteNodes.writeNode(out, 1, m.from());
            RemoteNodes.writeNode(out, 2, m.to());
            return "a";
        } else if (message instanceof ControlMessage.Terminating m) {
            RemoteNodes.writeNode(out, 1, m.from());
            return "b";
        } else if (message instanceof ControlMessage.TerminatingAck m) {
            RemoteNodes.writeNode(out, 1, m.from());
            return "c";
        } else if (message instanceof ControlMessage.RefTable m) {
            writeTable(out, m.from(), m.originUid(), m.version(), m.entries());
            return "f";
        } else if (message instanceof ControlMessage.RefTableAck m) {
            writeTableAck(out, m.from(), m.version());
            return "g";
        } else if (message instanceof ControlMessage.ManifestTable m) {
            writeTable(out, m.from(), m.originUid(), m.version(), m.entries());
            return "h";
        } else if (message instanceof ControlMessage.ManifestTableAck m) {
            writeTableAck(out, m.from(), m.version());
            return "i";
        }
        return writeOther(message, out);
    }

    private static String writeOther(ControlMessage message, ProtoWriter out) {
        if (message instanceof ControlMessage.SystemEnvelope m) {
            writeSystemEnvelope(out, m);
            return "j";
        } else if (message instanceof ControlMessage.SystemAck m) {
            writeAck(out, m.seqNo(), m.from());
            return "k";
        } else if (message instanceof ControlMessage.SystemNack m) {
            writeAck(out, m.seqNo(), m.from());
            return "l";
        } else if (message instanceof ControlMessage.WatcherHeartbeat) {
            return "m";
        } else if (message instanceof ControlMessage.WatcherHeartbeatReply m) {
            out.int64(1, m.uid());
            return "n";
        } else if (message instanceof ControlMessage.Flush) {
            return "o";
        } else if (message instanceof ControlMessage.FlushAck m) {
            out.int32(1, m.expectedAcks());
            return "p";
        }
        throw new IllegalStateException("no way to write " + message);
    }

    private static void writeTable(
            ProtoWriter out, NodeId from, long originUid, int version, SortedMap<String, Integer> entries) {
        RemoteNodes.writeNode(out, 1, from);
        out.int64(2, originUid);
        out.uint32(3, version);
        entries.keySet().forEach(key -> out.text(4, key));
        entries.values().forEach(value -> out.uint32(5, value));
    }

    private static void writeTableAck(ProtoWriter out, NodeId from, int version) {
        RemoteNodes.writeNode(out, 1, from);
        out.uint32(2, version);
    }

    private static void writeSystemEnvelope(ProtoWriter out, ControlMessage.SystemEnvelope envelope) {
        Payload message = envelope.message();
        out.bytes(1, message.bytes());
        out.int32(2, message.serializerId());
        if (!message.manifest().isEmpty()) {
            out.text(3, message.manifest());
        }
        out.int64(4, envelope.seqNo());
        RemoteNodes.writeNode(out, 5, envelope.ackReplyTo());
    }

    private static void writeAck(ProtoWriter out, long seqNo, NodeId from) {
        out.int64(1, seqNo);
        RemoteNodes.writeNode(out, 2, from);
    }

    // --- Reading
    // ------------------------------------------------------------------------------------------------------

    /** @throws WireException if the bytes are no such message */
    public static ControlMessage decode(String manifest, byte[] buffer, int offset, int length) {
        if (manifest.length() != 1) {
            throw WireException.unknownManifest(SERIALIZER_ID, manifest);
        }
        ProtoReader in = new ProtoReader(buffer, offset, length);
        return switch (manifest.charAt(0)) {
            case 'a' -> readQuarantined(in);
            case 'b' -> new ControlMessage.Terminating(readFrom(in, 1));
            case 'c' -> new ControlMessage.TerminatingAck(readFrom(in, 1));
            case 'd' -> readHandshake(in);
            case 'e' -> new ControlMessage.HandshakeRsp(readFrom(in, 1));
            case 'f', 'h' -> readTable(in, manifest.charAt(0) == 'f');
            case 'g', 'i' -> readTableAck(in, manifest.charAt(0) == 'g');
            case 'j' -> readSystemEnvelope(in);
            case 'k', 'l' -> readAck(in, manifest.charAt(0) == 'k');
            case 'm' -> new ControlMessage.WatcherHeartbeat();
            case 'n' -> new ControlMessage.WatcherHeartbeatReply(readNumber(in, "uid"));
            case 'o' -> new ControlMessage.Flush();
            case 'p' -> readFlushAck(in);
            default -> throw WireException.unknownManifest(SERIALIZER_ID, manifest);
        };
    }

    private static NodeId readFrom(ProtoReader in, int field) {
        NodeId from = null;
        while (in.next()) {
            if (in.field() == field) {
                from = RemoteNodes.readNode(in, "from");
            } else {
                in.skip();
            }
        }
        return required(from, "from");
    }

    private static ControlMessage readHandshake(ProtoReader in) {
        NodeId from = null;
        NodeAddress to = null;
        boolean replaces = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> from = RemoteNodes.readNode(in, "from");
                case 2 -> to = RemoteNodes.readAddress(in, "to");
                case REPLACES -> replaces = in.bool("replaces");
                default -> in.skip();
            }
        }
        return new ControlMessage.HandshakeReq(required(from, "from"), required(to, "to"), replaces);
    }

    private static ControlMessage readQuarantined(ProtoReader in) {
        NodeId from = null;
        NodeId to = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> from = RemoteNodes.readNode(in, "from");
                case 2 -> to = RemoteNodes.readNode(in, "to");
                default -> in.skip();
            }
        }
        return new ControlMessage.Quarantined(required(from, "from"), required(to, "to"));
    }

    private static ControlMessage readTable(ProtoReader in, boolean isOfRefs) {
        NodeId from = null;
        Long originUid = null;
        Integer version = null;
        TableEntries entries = new TableEntries();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> from = RemoteNodes.readNode(in, "from");
                case 2 -> originUid = in.int64("originUid");
                case 3 -> version = readTableVersion(in);
                case 4 -> entries.addKey(in);
                case 5 -> entries.addValues(in);
                default -> in.skip();
            }
        }
        NodeId sender = required(from, "from");
        long origin = required(originUid, "originUid");
        int number = required(version, "version");
        SortedMap<String, Integer> table = entries.toTable();
        return isOfRefs
                ? new ControlMessage.RefTable(sender, origin, number, table)
                : new ControlMessage.ManifestTable(sender, origin, number, table);
    }

    /** Two lists that belong together: the first key has the first value. */
    private static final class TableEntries {
        private final ArrayList<String> keys = new ArrayList<>();
        private final ArrayList<Integer> values = new ArrayList<>();

        void addKey(ProtoReader in) {
            Limits.requireAtMost("keys in a table", keys.size() + 1, Limits.TABLE_ENTRIES);
            keys.add(in.text("key", Limits.PATH_BYTES));
        }

        void addValues(ProtoReader in) {
            if (in.wireType() == ProtoReader.BYTES) {
                int outer = in.enter("values");
                while (in.hasMore()) {
                    addValue(in.packed("value"));
                }
                in.leave(outer);
            } else {
                addValue(in.between("value", 0, Limits.TABLE_ENTRIES - 1));
            }
        }

        private void addValue(int value) {
            Limits.requireAtMost("values in a table", values.size() + 1, Limits.TABLE_ENTRIES);
            if (value >= Limits.TABLE_ENTRIES) {
                throw WireException.tooLarge("value", value, Limits.TABLE_ENTRIES - 1);
            }
            values.add(value);
        }

        SortedMap<String, Integer> toTable() {
            if (keys.size() != values.size()) {
                throw WireException.malformed("a table with " + keys.size() + " keys and " + values.size() + " values");
            }
            TreeMap<String, Integer> table = new TreeMap<>();
            for (int i = 0; i < keys.size(); i++) {
                if (table.put(keys.get(i), values.get(i)) != null) {
                    throw WireException.malformed("a table that has '" + Texts.shown(keys.get(i)) + "' twice");
                }
            }
            return table;
        }
    }

    private static ControlMessage readTableAck(ProtoReader in, boolean isOfRefs) {
        NodeId from = null;
        Integer version = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> from = RemoteNodes.readNode(in, "from");
                case 2 -> version = readTableVersion(in);
                default -> in.skip();
            }
        }
        NodeId sender = required(from, "from");
        int number = required(version, "version");
        return isOfRefs
                ? new ControlMessage.RefTableAck(sender, number)
                : new ControlMessage.ManifestTableAck(sender, number);
    }

    private static int readTableVersion(ProtoReader in) {
        int version = in.int32("version");
        if (version < -1 || version > HIGHEST_TABLE_VERSION) {
            throw WireException.malformed("version must be between -1 and 127, was " + version);
        }
        return version;
    }

    private static ControlMessage readSystemEnvelope(ProtoReader in) {
        PayloadParts message = new PayloadParts("message");
        long seqNo = 0;
        NodeId ackReplyTo = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> message.bytes(in);
                case 2 -> message.serializerId(in);
                case 3 -> message.manifest(in);
                case 4 -> seqNo = in.int64("seqNo");
                case 5 -> ackReplyTo = RemoteNodes.readNode(in, "ackReplyTo");
                default -> in.skip();
            }
        }
        if (seqNo < 1) {
            throw WireException.malformed("seqNo must be at least 1, was " + seqNo);
        }
        return new ControlMessage.SystemEnvelope(message.toPayload(), seqNo, required(ackReplyTo, "ackReplyTo"));
    }

    private static ControlMessage readAck(ProtoReader in, boolean isPositive) {
        long seqNo = -1;
        NodeId from = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> seqNo = in.int64("seqNo");
                case 2 -> from = RemoteNodes.readNode(in, "from");
                default -> in.skip();
            }
        }
        if (seqNo < 0) {
            throw WireException.malformed("seqNo must not be negative, was " + seqNo);
        }
        NodeId sender = required(from, "from");
        return isPositive ? new ControlMessage.SystemAck(seqNo, sender) : new ControlMessage.SystemNack(seqNo, sender);
    }

    private static ControlMessage readFlushAck(ProtoReader in) {
        long expected = readNumber(in, "expectedAcks");
        if (expected < 0 || expected > Integer.MAX_VALUE) {
            throw WireException.malformed("expectedAcks must be a small number, was " + expected);
        }
        return new ControlMessage.FlushAck((int) expected);
    }

    /** The only field of a message that holds one number. */
    private static long readNumber(ProtoReader in, String name) {
        Long number = null;
        while (in.next()) {
            if (in.field() == 1) {
                number = in.int64(name);
            } else {
                in.skip();
            }
        }
        return required(number, name);
    }

    private static <T> T required(T value, String field) {
        if (value == null) {
            throw WireException.missing(field);
        }
        return value;
    }
}
