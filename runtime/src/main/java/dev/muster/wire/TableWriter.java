package dev.muster.wire;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.TableDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Messages about the partition table as bytes. The schema is {@code partitions.proto}. */
final class TableWriter {
    private static final int REASON_CHARACTERS = 1_000;

    private final NodeId self;

    TableWriter(NodeId self) {
        this.self = self;
    }

    Payload write(TableMessage message) {
        ProtoWriter out = new ProtoWriter(256);
        ClusterNodes.writeNode(out, 1, self);
        ClusterNodes.writeNode(out, 2, message.to());
        return new Payload(ClusterCodec.TABLE_SERIALIZER_ID, writeRest(message, out), out.toBytes());
    }

    /** Returns the manifest. */
    private static String writeRest(TableMessage message, ProtoWriter out) {
        if (message instanceof TableMessage.TableStatus status) {
            writeDigest(out, status.digest());
            out.bool(5, status.wantsAnswer());
            if (status.knownTo() != 0) {
                out.int32(6, status.knownTo());
            }
            return "TS";
        } else if (message instanceof TableMessage.TableParts parts) {
            writeDigest(out, parts.digest());
            parts.parts().forEach(part -> out.int64(5, part));
            return "TP";
        } else if (message instanceof TableMessage.TableRows rows) {
            writeRows(out, rows);
            return "TR";
        } else if (message instanceof TableMessage.WantPartition want) {
            out.text(3, want.path().text());
            writeWish(out, 4, want.spec());
            return "TW";
        } else if (message instanceof TableMessage.EndPartition end) {
            out.text(3, end.path().text());
            return "TE";
        } else if (message instanceof TableMessage.MoveReport report) {
            out.text(3, report.path().text());
            out.text(4, cut(report.failure()));
            out.int64(5, report.move());
            return "TM";
        } else if (message instanceof TableMessage.InstanceEnded end) {
            out.text(3, end.path().text());
            out.int64(4, end.epoch());
            return "TI";
        } else if (message instanceof TableMessage.CannotStart cannot) {
            out.text(3, cannot.path().text());
            out.text(4, cut(cannot.reason()));
            return "TC";
        } else if (message instanceof TableMessage.WantMove move) {
            out.text(3, move.path().text());
            out.text(4, move.host().toString());
            move.source().ifPresent(source -> out.text(5, source.toString()));
            out.int64(6, move.epoch());
            return "TG";
        } else if (message instanceof TableMessage.WantRebalance rebalance) {
            out.int64(3, rebalance.number());
            return "TB";
        } else if (message instanceof TableMessage.Draining) {
            return "TD";
        } else if (message instanceof TableMessage.PleaseLeave) {
            return "TL";
        }
        TableMessage.RefusedPartition refused = (TableMessage.RefusedPartition) message;
        out.text(3, refused.path().text());
        out.text(4, cut(refused.reason()));
        return "TX";
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(REASON_CHARACTERS, text.length()));
    }

    private static void writeDigest(ProtoWriter out, TableDigest digest) {
        out.int64(3, digest.high());
        out.int64(4, digest.low());
    }

    private static void writeRows(ProtoWriter out, TableMessage.TableRows message) {
        writeDigest(out, message.digest());
        message.parts().forEach(part -> out.int64(5, part));
        TreeSet<NodeId> named = new TreeSet<>();
        for (PartitionEntry row : message.rows()) {
            named.add(row.writer());
            named.addAll(row.instances());
            row.move().ifPresent(move -> {
                named.add(move.from());
                named.add(move.to());
            });
        }
        List<NodeId> nodes = new ArrayList<>(named);
        TreeMap<NodeId, Integer> places = new TreeMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            places.put(nodes.get(i), i);
            ClusterNodes.writeNode(out, 6, nodes.get(i));
        }
        for (PartitionEntry row : message.rows()) {
            int mark = out.begin(7);
            out.text(1, row.path().text());
            out.int64(2, row.epoch());
            out.int32(3, places.get(row.writer()));
            writeWish(out, 4, row.spec());
            row.instances().forEach(node -> out.int32(5, places.get(node)));
            out.bool(6, row.isDeleted());
            row.move().ifPresent(move -> {
                int inner = out.begin(7);
                out.int64(1, move.id());
                out.int32(2, places.get(move.from()));
                out.int32(3, places.get(move.to()));
                out.bool(4, move.isPending());
                out.end(inner);
            });
            out.end(mark);
        }
    }

    private static void writeWish(ProtoWriter out, int field, PartitionSpec spec) {
        int mark = out.begin(field);
        out.int32(1, spec.instances());
        out.text(2, spec.role());
        out.int32(3, spec.policy().migration().ordinal());
        out.int32(4, spec.policy().arrival().ordinal());
        out.int32(5, spec.policy().update().ordinal());
        if (spec.isScaled()) {
            out.int32(6, spec.most());
        }
        if (spec.hint() > 0) {
            out.int32(7, spec.hint());
        }
        out.end(mark);
    }
}
