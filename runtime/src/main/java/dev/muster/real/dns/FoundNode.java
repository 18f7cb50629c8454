package dev.muster.real.dns;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.util.NetUtil;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One node as a record names it.
 *
 * @param priority lower comes first; 0 for address records, which have none
 * @param host a name or a number
 * @param port empty for address records, which have none
 */
record FoundNode(int priority, String host, OptionalInt port) {

    private static final int BYTES_BEFORE_TARGET = 6;

    /** What a record says; nothing if it is of another kind, such as an alias on the way. */
    static Optional<FoundNode> in(DnsRecord record) {
        if (!(record instanceof DnsRawRecord raw)) {
            return Optional.empty();
        }
        if (record.type().equals(DnsRecordType.A)) {
            return Optional.of(address(raw.content()));
        }
        return record.type().equals(DnsRecordType.SRV) ? service(raw.content()) : Optional.empty();
    }

    private static FoundNode address(ByteBuf content) {
        if (content.readableBytes() != 4) {
            throw new IllegalArgumentException("an address record of " + content.readableBytes() + " bytes");
        }
        byte[] number = new byte[4];
        content.getBytes(content.readerIndex(), number);
        return new FoundNode(0, NetUtil.bytesToIpAddress(number), OptionalInt.empty());
    }

    /** Priority, weight, port and the name of the host. The root as host means that there is no such service. */
    private static Optional<FoundNode> service(ByteBuf content) {
        if (content.readableBytes() <= BYTES_BEFORE_TARGET) {
            throw new IllegalArgumentException("a service record of " + content.readableBytes() + " bytes");
        }
        int start = content.readerIndex();
        // A duplicate, so that the record stays as it was, but of the whole answer: names may point back into it.
        ByteBuf target = content.duplicate().readerIndex(start + BYTES_BEFORE_TARGET);
        String name = DefaultDnsRecordDecoder.decodeName(target);
        String host = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return host.isEmpty()
                ? Optional.empty()
                : Optional.of(new FoundNode(
                        content.getUnsignedShort(start), host, OptionalInt.of(content.getUnsignedShort(start + 4))));
    }
}
