package dev.muster.settings;

import dev.muster.core.state.NodeAddress;
import dev.muster.remote.RemoteSettings;
import dev.muster.remote.TlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads {@code muster.remote}. */
final class RemoteReader {

    private static final String HOST = "remote.artery.canonical.hostname";
    private static final String BIND_HOST = "remote.artery.bind.hostname";
    private static final String ADVANCED = "remote.artery.advanced.";
    private static final String TLS = "remote.tls.";
    private static final int SMALLEST_FRAME = 32 * 1024;
    private static final Pattern PROTOCOL = Pattern.compile("[A-Za-z][A-Za-z0-9.+-]*");

    private final SettingsReader reader;

    RemoteReader(SettingsReader reader) {
        this.reader = reader;
    }

    RemoteSettings read() {
        String protocol = reader.text(
                "remote.protocol-name",
                "must be a name of letters and digits, such as muster, pekko or akka",
                PROTOCOL.asMatchPredicate());
        int maxFrame = reader.bytes(ADVANCED + "maximum-frame-size", SMALLEST_FRAME);
        RemoteSettings settings = new RemoteSettings(
                protocol,
                reader.texts(
                        "remote.accept-protocol-names",
                        "must be a list of names, such as [\"pekko\", \"akka\"]",
                        PROTOCOL.asMatchPredicate()),
                host(),
                reader.whole("remote.artery.canonical.port", 0, 65_535),
                bindHost(),
                reader.wholeOrEmpty("remote.artery.bind.port", 0, 65_535),
                reader.flag("remote.insecure"),
                tls(),
                maxFrame,
                maxLargeFrame(maxFrame),
                reader.texts(
                        "remote.artery.large-message-destinations",
                        "must be a list of actor paths that begin with /user/, such as [\"/user/files\"]",
                        path -> path.startsWith("/user/")),
                reader.bytes(ADVANCED + "outbound-message-queue-bytes", SMALLEST_FRAME),
                reader.positive(ADVANCED + "handshake-timeout"),
                reader.positive(ADVANCED + "tcp.connection-timeout"),
                reader.positive(ADVANCED + "outbound-restart-backoff"),
                reader.positive(ADVANCED + "outbound-restart-max-backoff"),
                reader.positive(ADVANCED + "stop-idle-outbound-after"),
                reader.whole(ADVANCED + "system-message-buffer-size", 1, 10_000_000),
                reader.positive(ADVANCED + "system-message-resend-interval"),
                reader.positive(ADVANCED + "give-up-system-message-after"),
                reader.flag(ADVANCED + "compression.enabled"));
        check(settings);
        return settings;
    }

    private String host() {
        return reader.text(
                HOST,
                "must be the name or number under which others reach this node. It is taken as it is: write the "
                        + "address itself, or ${?SOME_VARIABLE}; where to listen on all interfaces is " + Sources.ROOT
                        + BIND_HOST,
                host -> isHost(host) && !Hosts.isEverywhere(host));
    }

    private Optional<String> bindHost() {
        String host = reader.text(
                BIND_HOST,
                "must be empty, or the name or number of an interface of this machine",
                name -> name.isEmpty() || isHost(name));
        return host.isEmpty() ? Optional.empty() : Optional.of(host);
    }

    private static boolean isHost(String host) {
        try {
            return new NodeAddress("muster", "any", host, 1).host().equals(host);
        } catch (IllegalArgumentException notAHost) {
            return false;
        }
    }

    private int maxLargeFrame(int maxFrame) {
        int large = reader.bytes(ADVANCED + "maximum-large-frame-size", SMALLEST_FRAME);
        if (large < maxFrame) {
            reader.refuse(
                    ADVANCED + "maximum-large-frame-size",
                    "must not be below " + reader.nameOf(ADVANCED + "maximum-frame-size") + ", which is " + maxFrame
                            + " bytes");
        }
        return Math.max(large, maxFrame);
    }

    private Optional<TlsSettings> tls() {
        String certificate = file("certificate");
        String key = file("key");
        String trusted = file("trusted");
        Duration every = reader.positive(TLS + "check-files-every");
        List<String> files = List.of(certificate, key, trusted);
        if (files.stream().allMatch(String::isEmpty)) {
            return Optional.empty();
        }
        for (String name : List.of("certificate", "key", "trusted")) {
            if (files.get(List.of("certificate", "key", "trusted").indexOf(name))
                    .isEmpty()) {
                reader.refuse(TLS + name, "must be the name of a file: TLS needs certificate, key and trusted");
            }
        }
        return Optional.of(new TlsSettings(Path.of(certificate), Path.of(key), Path.of(trusted), every));
    }

    private String file(String name) {
        Predicate<String> isName = text -> !text.contains("-----BEGIN") && text.indexOf('\0') < 0;
        return reader.text(TLS + name, "must be the name of a PEM file, not what is in it", isName);
    }

    private void check(RemoteSettings settings) {
        if (settings.reconnectMax().compareTo(settings.reconnectMin()) < 0) {
            reader.refuse(
                    ADVANCED + "outbound-restart-max-backoff",
                    "must not be below " + reader.nameOf(ADVANCED + "outbound-restart-backoff"));
        }
        if (settings.tls().isPresent()) {
            return;
        }
        exposedAt(settings).ifPresent(path -> {
            if (settings.insecure()) {
                reader.warn(
                        Sources.ROOT + "remote.insecure is on: whoever can open a connection to this node can send it "
                                + "messages, and whoever is on the way can read and change them");
            } else {
                reader.refuse(
                        path,
                        "can be reached from other machines, and there is no TLS. Set " + Sources.ROOT
                                + "remote.tls.{certificate, key, trusted}, or stay on 127.0.0.1, or, in a network that "
                                + "nobody else is in, set " + Sources.ROOT + "remote.insecure = on");
            }
        });
    }

    private static Optional<String> exposedAt(RemoteSettings settings) {
        if (!Hosts.isLoopback(settings.host())) {
            return Optional.of(HOST);
        }
        return settings.bindHost().filter(host -> !Hosts.isLoopback(host)).map(host -> BIND_HOST);
    }
}
