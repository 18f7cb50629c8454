package dev.muster.remote;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * Who this node is and whom it believes: {@code muster.remote.tls}. Both ends always show a certificate, and names are
 * always checked.
 *
 * @param certificate this node's certificate chain, PEM
 * @param key its private key, PEM, PKCS#8
 * @param trusted the certificates of those whose signature counts, PEM
 * @param checkFilesEvery how often the files are looked at; when they have changed, new connections use what is new
 */
public record TlsSettings(Path certificate, Path key, Path trusted, Duration checkFilesEvery) {
    public TlsSettings {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(trusted, "trusted");
        Objects.requireNonNull(checkFilesEvery, "checkFilesEvery");
    }
}
