package dev.muster.wire;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;

/** The fields of an address or a node while it is being read, in whichever order they come. */
final class NodeParts {
    String protocol;
    String system;
    String host;
    int port;
    NodeAddress address;

    void protocol(ProtoReader in) {
        protocol = in.text("protocol", Limits.PROTOCOL_BYTES);
    }

    void system(ProtoReader in) {
        system = in.text("system", Limits.SYSTEM_BYTES);
    }

    void host(ProtoReader in) {
        host = in.text("hostname", Limits.HOST_BYTES);
    }

    void port(ProtoReader in) {
        port = in.between("port", 1, Limits.HIGHEST_PORT);
    }

    NodeAddress toAddress(String name) {
        if (protocol == null || system == null || host == null || port == 0) {
            String what =
                    protocol == null ? "protocol" : system == null ? "system" : host == null ? "hostname" : "port";
            throw WireException.missing(name + "." + what);
        }
        try {
            return new NodeAddress(protocol, system, host, port);
        } catch (IllegalArgumentException e) {
            throw new WireException(
                    WireException.Reason.BAD_TEXT, name + ": " + Texts.shown(String.valueOf(e.getMessage()), 300));
        }
    }

    NodeId toNode(String name, boolean hasUid, long uid) {
        if (address == null || !hasUid) {
            throw WireException.missing(name + (hasUid ? ".address" : ".uid"));
        }
        return new NodeId(address, uid);
    }
}
