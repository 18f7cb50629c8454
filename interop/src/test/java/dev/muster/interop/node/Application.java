package dev.muster.interop.node;

import java.nio.file.Path;

/**
 * A program of one's own with a configuration of its own, instead of those of this package. It finds its port in the
 * environment, as {@value #PORT}.
 *
 * @param protocol how its addresses begin
 * @param system the name of its actor system
 */
public record Application(
        Kind kind, String protocol, String system, Class<? extends Program> program, Path configuration) {
    static final String PORT = "PORT";

    String address(int port) {
        return protocol + "://" + system + "@127.0.0.1:" + port;
    }
}
