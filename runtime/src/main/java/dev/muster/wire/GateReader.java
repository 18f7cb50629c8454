package dev.muster.wire;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import dev.muster.wire.GateCodec.Received;
import java.util.Optional;
import java.util.function.Function;

/** Reads what {@link GateCodec} writes. */
final class GateReader<M> {
    private final Function<GateLetter, M> letters;
    private final ProtoReader in;
    private boolean hasUid;
    private long toUid;
    private long move;
    private long number = -1;
    private int hops = -1;
    private boolean isReady;
    private boolean hasGap;
    private String failure;
    private GateLetter letter;
    private Item<M> item;

    private GateReader(ProtoReader in, Function<GateLetter, M> letters) {
        this.in = in;
        this.letters = letters;
    }

    static <M> Received<M> read(String manifest, ProtoReader in, Function<GateLetter, M> letters) {
        return switch (manifest) {
            case "HI", "HC", "HE", "HA", "HS", "HR", "HP", "HQ", "HD" -> new GateReader<>(in, letters).read(manifest);
            default -> throw WireException.unknownManifest(GateCodec.SERIALIZER_ID, manifest);
        };
    }

    private Received<M> read(String manifest) {
        while (in.next()) {
            int field = in.field();
            if (field == 1) {
                toUid = in.int64("uid");
                hasUid = true;
            } else if (manifest.equals("HP")) {
                readPassedOn(field);
            } else if (manifest.equals("HQ") || manifest.equals("HD")) {
                readArrival(field);
            } else if (field == 2) {
                move = epoch(in.int64("move"));
            } else if (manifest.equals("HI")) {
                readHanded(field);
            } else if (manifest.equals("HC") || manifest.equals("HE")) {
                readConfirmed(field);
            } else {
                in.skip();
            }
        }
        if (!hasUid) {
            throw WireException.missing("uid");
        }
        return new Received<>(toUid, message(manifest));
    }

    private static long epoch(long value) {
        if (value < 1 || value > PartitionEntry.HIGHEST_EPOCH) {
            throw WireException.malformed(
                    "move must be between 1 and " + PartitionEntry.HIGHEST_EPOCH + ", was " + value);
        }
        return value;
    }

    private void readPassedOn(int field) {
        if (field == 2) {
            hops = in.between("hops", 0, PartitionGate.MOST_HOPS);
        } else if (field == 3) {
            letter = readLetter();
        } else {
            in.skip();
        }
    }

    private void readArrival(int field) {
        if (field == 2) {
            number = number(1);
        } else {
            in.skip();
        }
    }

    private void readConfirmed(int field) {
        switch (field) {
            case 3 -> number = number(0);
            case 4 -> isReady = in.bool("is_ready");
            case 5 -> hasGap = in.bool("has_gap");
            case 6 -> failure = in.text("failure", Limits.REASON_BYTES);
            default -> in.skip();
        }
    }

    private long number(long least) {
        long value = in.int64("number");
        if (value < least) {
            throw WireException.malformed("number must be at least " + least + ", was " + value);
        }
        return value;
    }

    private void readHanded(int field) {
        if (field == 3) {
            number = number(1);
        } else if (field >= 4 && field <= 9) {
            if (item != null) {
                throw WireException.malformed("two things handed over under one number");
            }
            item = readItem(field);
        } else {
            in.skip();
        }
    }

    private Item<M> readItem(int field) {
        return switch (field) {
            case 4 -> readPrepare();
            case 5 -> readPart();
            case 6 -> new Item.Message<>(letters.apply(readLetter()));
            case 7 -> {
                requireTrue("your_turn");
                yield new Item.YourTurn<>();
            }
            case 8 -> new Item.SenderSwitched<>(ClusterNodes.readNode(in, "sender"));
            default -> {
                requireTrue("all_switched");
                yield new Item.AllSwitched<>();
            }
        };
    }

    private void requireTrue(String name) {
        if (!in.bool(name)) {
            throw WireException.malformed(name + " must be true if it is there");
        }
    }

    private Item<M> readPrepare() {
        int outer = in.enter("prepare");
        int migration = -1;
        int arrival = -1;
        int update = -1;
        boolean hasState = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> migration = in.between("option 2", 0, HandoffPolicy.Migration.values().length - 1);
                case 2 -> arrival = in.between("option 3", 0, HandoffPolicy.Arrival.values().length - 1);
                case 3 -> update = in.between("option 4", 0, HandoffPolicy.Update.values().length - 1);
                case 4 -> hasState = in.bool("has_state");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (migration < 0 || arrival < 0 || update < 0) {
            throw WireException.missing("an option of prepare");
        }
        HandoffPolicy policy = new HandoffPolicy(
                HandoffPolicy.Migration.values()[migration],
                HandoffPolicy.Arrival.values()[arrival],
                HandoffPolicy.Update.values()[update]);
        return new Item.Prepare<>(policy, hasState);
    }

    private Item<M> readPart() {
        int outer = in.enter("state");
        byte[] bytes = null;
        boolean isLast = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> bytes = in.bytes("state's bytes", Limits.STATE_PART_BYTES);
                case 2 -> isLast = in.bool("is_last");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (bytes == null) {
            throw WireException.missing("state's bytes");
        }
        return new Item.StatePart<>(bytes, isLast);
    }

    private GateLetter readLetter() {
        int outer = in.enter("letter");
        try {
            return readOpenLetter();
        } catch (WireException bad) {
            return GateLetter.unreadable(bad.getMessage());
        } finally {
            in.leave(outer);
        }
    }

    private GateLetter readOpenLetter() {
        // It has come in a frame, which has its bound: what fitted there was meant to be read.
        PayloadParts parts = new PayloadParts("letter", Integer.MAX_VALUE);
        boolean isLost = true;
        String sender = "";
        boolean isForAll = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.serializerId(in);
                case 2 -> parts.manifest(in);
                case 3 -> parts.bytes(in);
                case 4 -> sender = in.text("sender", Limits.PATH_BYTES);
                case 5 -> isForAll = in.between("mark", GateCodec.FOR_ALL, GateCodec.FOR_ALL) == GateCodec.FOR_ALL;
                default -> {
                    in.skip();
                    continue;
                }
            }
            isLost &= in.field() >= 4;
        }
        return isLost ? GateLetter.LOST : new GateLetter(Optional.of(parts.toPayload()), sender, isForAll);
    }

    private GateMessage<M> message(String manifest) {
        if (manifest.equals("HP")) {
            if (letter == null || hops < 0) {
                throw WireException.missing(letter == null ? "letter" : "hops");
            }
            return new GateMessage.PassedOn<>(letters.apply(letter), hops);
        }
        if (manifest.equals("HQ") || manifest.equals("HD")) {
            requireNumber();
            return manifest.equals("HQ") ? new GateMessage.ArrivalAsked<>(number) : new GateMessage.Arrived<>(number);
        }
        if (move == 0) {
            throw WireException.missing("move");
        }
        return switch (manifest) {
            case "HI" -> {
                if (item == null || number < 0) {
                    throw WireException.missing(item == null ? "what is handed over" : "number");
                }
                yield new GateMessage.Handed<>(move, number, item);
            }
            case "HC" -> {
                if (failure == null || number < 0) {
                    throw WireException.missing(failure == null ? "failure" : "number");
                }
                yield new GateMessage.Confirmed<>(move, number, isReady, hasGap, failure);
            }
            case "HE" -> {
                requireNumber();
                yield new GateMessage.Ended<>(move, number);
            }
            case "HA" -> new GateMessage.Asked<>(move);
            case "HS" -> new GateMessage.RouteSwitched<>(move);
            default -> new GateMessage.RouteAsked<>(move);
        };
    }

    private void requireNumber() {
        if (number < 0) {
            throw WireException.missing("number");
        }
    }

    static Payload readState(ProtoReader in) {
        PayloadParts parts = new PayloadParts("state", Integer.MAX_VALUE);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.serializerId(in);
                case 2 -> parts.manifest(in);
                case 3 -> parts.bytes(in);
                default -> in.skip();
            }
        }
        return parts.toPayload();
    }
}
