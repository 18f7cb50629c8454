package dev.muster.wire;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@link TableWriter} writes. */
final class TableReader {
    private TableReader() {}

    static boolean isFor(String manifest) {
        return manifest.length() == 2 && manifest.charAt(0) == 'T';
    }

    /** All fields that any of the messages has; which of them must be there depends on the manifest. */
    private static final class Fields {
        NodeId from;
        NodeId to;
        String path;
        String reason;
        String host;
        String source;
        long move;
        long number;
        PartitionSpec wish;
        long digestHigh;
        long digestLow;
        boolean wantsAnswer;
        int knownTo;
        final List<Long> parts = new ArrayList<>();
        final List<NodeId> nodes = new ArrayList<>();
        final List<PartitionEntry> rows = new ArrayList<>();
    }

    static ClusterMessage.Core read(String manifest, byte[] buffer, int offset, int length) {
        ProtoReader in = new ProtoReader(buffer, offset, length);
        Fields fields = new Fields();
        try {
            while (in.next()) {
                readField(in, manifest, fields);
            }
            return new ClusterMessage.Core(required(fields.from, "from"), message(manifest, fields));
        } catch (IllegalArgumentException wrong) {
            throw WireException.malformed(String.valueOf(wrong.getMessage()));
        }
    }

    private static void readField(ProtoReader in, String manifest, Fields fields) {
        switch (in.field()) {
            case 1 -> fields.from = ClusterNodes.readNode(in, "from");
            case 2 -> fields.to = ClusterNodes.readNode(in, "to");
            default -> {
                switch (manifest) {
                    case "TS", "TP", "TR" -> readTableField(in, manifest, fields);
                    case "TW", "TE", "TX", "TM", "TC", "TI", "TG", "TB", "TD", "TL" ->
                        readPathField(in, manifest, fields);
                    default -> throw WireException.unknownManifest(ClusterCodec.TABLE_SERIALIZER_ID, manifest);
                }
            }
        }
    }

    private static void readTableField(ProtoReader in, String manifest, Fields fields) {
        int field = in.field();
        if (field == 3) {
            fields.digestHigh = in.int64("digest");
        } else if (field == 4) {
            fields.digestLow = in.int64("digest");
        } else if (field == 5 && manifest.equals("TS")) {
            fields.wantsAnswer = in.bool("wants_answer");
        } else if (field == 6 && manifest.equals("TS")) {
            fields.knownTo = in.int32("known_to");
        } else if (field == 5) {
            Limits.requireAtMost("parts", fields.parts.size(), PartitionTable.BUCKETS);
            fields.parts.add(in.int64("part"));
        } else if (field == 6 && manifest.equals("TR")) {
            Limits.requireAtMost("nodes", fields.nodes.size(), Limits.NODES);
            fields.nodes.add(ClusterNodes.readNode(in, "node"));
        } else if (field == 7 && manifest.equals("TR")) {
            Limits.requireAtMost("rows", fields.rows.size(), Limits.TABLE_ENTRIES);
            fields.rows.add(readRow(in, fields.nodes));
        } else {
            in.skip();
        }
    }

    private static void readPathField(ProtoReader in, String manifest, Fields fields) {
        int field = in.field();
        if (field == 3 && manifest.equals("TB")) {
            fields.number = in.int64("number");
        } else if (field == 3) {
            fields.path = in.text("path", Limits.PATH_BYTES);
        } else if (field == 4 && manifest.equals("TW")) {
            fields.wish = readWish(in);
        } else if (field == 4 && (manifest.equals("TX") || manifest.equals("TM") || manifest.equals("TC"))) {
            fields.reason = in.text("reason", Limits.REASON_BYTES);
        } else if (field == 4 && manifest.equals("TI")) {
            fields.number = in.int64("epoch");
        } else if (field == 4 && manifest.equals("TG")) {
            fields.host = in.text("host", Limits.PATH_BYTES);
        } else if (field == 5 && manifest.equals("TG")) {
            fields.source = in.text("source", Limits.PATH_BYTES);
        } else if (field == 6 && manifest.equals("TG")) {
            fields.number = in.int64("epoch");
        } else if (field == 5 && manifest.equals("TM")) {
            fields.move = in.int64("move");
        } else {
            in.skip();
        }
    }

    private static TableMessage message(String manifest, Fields fields) {
        NodeId to = required(fields.to, "to");
        TableDigest digest = new TableDigest(fields.digestHigh, fields.digestLow);
        return switch (manifest) {
            case "TS" -> new TableMessage.TableStatus(to, digest, fields.wantsAnswer, fields.knownTo);
            case "TP" -> new TableMessage.TableParts(to, digest, allParts(fields.parts));
            case "TR" ->
                new TableMessage.TableRows(
                        to, digest, fields.rows, fields.parts.isEmpty() ? List.of() : allParts(fields.parts));
            case "TW" -> new TableMessage.WantPartition(to, path(fields), required(fields.wish, "wish"));
            case "TE" -> new TableMessage.EndPartition(to, path(fields));
            case "TM" -> new TableMessage.MoveReport(to, path(fields), fields.move, required(fields.reason, "reason"));
            case "TI" -> new TableMessage.InstanceEnded(to, path(fields), fields.number);
            case "TC" -> new TableMessage.CannotStart(to, path(fields), required(fields.reason, "reason"));
            case "TG" ->
                new TableMessage.WantMove(
                        to,
                        path(fields),
                        NodeAddress.parse(required(fields.host, "host")),
                        Optional.ofNullable(fields.source).map(NodeAddress::parse),
                        fields.number);
            case "TB" -> new TableMessage.WantRebalance(to, fields.number);
            case "TD" -> new TableMessage.Draining(to);
            case "TL" -> new TableMessage.PleaseLeave(to);
            default -> new TableMessage.RefusedPartition(to, path(fields), required(fields.reason, "reason"));
        };
    }

    private static List<Long> allParts(List<Long> parts) {
        if (parts.size() != PartitionTable.BUCKETS) {
            throw WireException.malformed("a table has " + PartitionTable.BUCKETS + " parts, not " + parts.size());
        }
        return parts;
    }

    private static PartitionPath path(Fields fields) {
        return new PartitionPath(required(fields.path, "path"));
    }

    private static PartitionEntry readRow(ProtoReader in, List<NodeId> nodes) {
        int outer = in.enter("row");
        String path = null;
        long epoch = 0;
        NodeId writer = null;
        PartitionSpec wish = null;
        boolean isDeleted = false;
        List<NodeId> instances = new ArrayList<>();
        Optional<PartitionMove> move = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> path = in.text("path", Limits.PATH_BYTES);
                case 2 -> epoch = in.int64("epoch");
                case 3 -> writer = nodes.get(in.between("writer", 0, nodes.size() - 1));
                case 4 -> wish = readWish(in);
                case 5 -> {
                    Limits.requireAtMost("instances", instances.size(), PartitionSpec.MOST_INSTANCES);
                    instances.add(nodes.get(in.between("instance", 0, nodes.size() - 1)));
                }
                case 6 -> isDeleted = in.bool("deleted");
                case 7 -> move = Optional.of(readMove(in, nodes));
                default -> in.skip();
            }
        }
        in.leave(outer);
        return new PartitionEntry(
                new PartitionPath(required(path, "path")),
                epoch,
                required(writer, "writer"),
                required(wish, "wish"),
                instances,
                isDeleted,
                move);
    }

    private static PartitionMove readMove(ProtoReader in, List<NodeId> nodes) {
        int outer = in.enter("move");
        long id = 0;
        NodeId from = null;
        NodeId to = null;
        boolean isPending = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> id = in.int64("id");
                case 2 -> from = nodes.get(in.between("from", 0, nodes.size() - 1));
                case 3 -> to = nodes.get(in.between("to", 0, nodes.size() - 1));
                case 4 -> isPending = in.bool("pending");
                default -> in.skip();
            }
        }
        in.leave(outer);
        return new PartitionMove(
                id,
                required(from, "from"),
                required(to, "to"),
                isPending ? PartitionMove.Stage.PENDING : PartitionMove.Stage.DONE);
    }

    private static PartitionSpec readWish(ProtoReader in) {
        int outer = in.enter("wish");
        int instances = 0;
        String role = "";
        int migration = 0;
        int arrival = 0;
        int update = 0;
        int most = 0;
        int hint = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> instances = in.between("instances", 1, PartitionSpec.MOST_INSTANCES);
                case 2 -> role = in.text("role", Limits.ROLE_BYTES);
                case 3 -> migration = in.between("option 2", 0, HandoffPolicy.Migration.values().length - 1);
                case 4 -> arrival = in.between("option 3", 0, HandoffPolicy.Arrival.values().length - 1);
                case 5 -> update = in.between("option 4", 0, HandoffPolicy.Update.values().length - 1);
                case 6 -> most = in.between("most", 1, PartitionSpec.MOST_INSTANCES);
                case 7 -> hint = in.between("hint", 0, PartitionSpec.MOST_INSTANCES);
                default -> in.skip();
            }
        }
        in.leave(outer);
        HandoffPolicy policy = new HandoffPolicy(
                HandoffPolicy.Migration.values()[migration],
                HandoffPolicy.Arrival.values()[arrival],
                HandoffPolicy.Update.values()[update]);
        return new PartitionSpec(instances, most == 0 ? instances : most, hint, role, policy);
    }

    private static <T> T required(T value, String name) {
        if (value == null) {
            throw WireException.malformed(name + " is missing");
        }
        return value;
    }
}
