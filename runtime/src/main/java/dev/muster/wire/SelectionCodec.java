package dev.muster.wire;

import java.util.ArrayList;
import java.util.List;

/** Selections as bytes. The schema is {@code messages.proto}; there is no manifest. */
public final class SelectionCodec {
    public static final int SERIALIZER_ID = 6;

    private static final Selection.Kind[] KINDS = Selection.Kind.values();

    private SelectionCodec() {}

    public static Payload encode(Selection selection) {
        Payload enclosed = selection.enclosed();
        ProtoWriter out = new ProtoWriter(enclosed.bytes().length + 128);
        out.bytes(1, enclosed.bytes());
        out.int32(2, enclosed.serializerId());
        for (Selection.Element element : selection.elements()) {
            int mark = out.begin(3);
            out.int32(1, element.kind().ordinal());
            if (element.kind() != Selection.Kind.PARENT) {
                out.text(2, element.matcher());
            }
            out.end(mark);
        }
        if (!enclosed.manifest().isEmpty()) {
            out.text(4, enclosed.manifest());
        }
        if (selection.wildcardFanOut()) {
            out.bool(5, true);
        }
        return new Payload(SERIALIZER_ID, "", out.toBytes());
    }

    /** @throws WireException if the bytes are no selection, or one in another */
    public static Selection decode(byte[] buffer, int offset, int length) {
        ProtoReader in = new ProtoReader(buffer, offset, length);
        PayloadParts enclosed = new PayloadParts("enclosed");
        List<Selection.Element> elements = new ArrayList<>();
        boolean wildcardFanOut = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> enclosed.bytes(in);
                case 2 -> enclosed.serializerId(in);
                case 3 -> {
                    Limits.requireAtMost("elements", elements.size() + 1, Limits.SELECTION_ELEMENTS);
                    elements.add(readElement(in));
                }
                case 4 -> enclosed.manifest(in);
                case 5 -> wildcardFanOut = in.bool("wildcardFanOut");
                default -> in.skip();
            }
        }
        Payload message = enclosed.toPayload();
        if (message.serializerId() == SERIALIZER_ID) {
            throw WireException.malformed("a selection encloses another one");
        }
        return new Selection(message, elements, wildcardFanOut);
    }

    private static Selection.Element readElement(ProtoReader in) {
        int outer = in.enter("element");
        int kind = -1;
        String matcher = "";
        while (in.next()) {
            switch (in.field()) {
                case 1 -> kind = in.between("kind", 0, KINDS.length - 1);
                case 2 -> matcher = in.text("matcher", Limits.PATH_BYTES);
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (kind < 0) {
            throw WireException.missing("kind");
        }
        return new Selection.Element(KINDS[kind], matcher);
    }
}
