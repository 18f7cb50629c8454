package dev.muster.real.tls;

import dev.muster.remote.TlsSettings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Mutual TLS 1.3 for the wire. Both ends always show a certificate that a trusted one signed. The end that called
 * checks that the other is whom it called; the end that was called asks {@link #certificateNames} when the caller has
 * said who it is.
 *
 * <p>There is no switch that makes any of this weaker. When the files change, new connections use what is new; files
 * that cannot be used leave everything as it was. May be used from any thread.
 */
public final class TlsContexts {

    private static final String ONLY_PROTOCOL = "TLSv1.3";

    private final TlsSettings settings;
    private volatile Contexts current;
    private volatile Optional<String> problem = Optional.empty();
    private TlsFiles inUse;

    private TlsContexts(TlsSettings settings, TlsFiles files) {
        this.settings = settings;
        this.inUse = files;
        this.current = Contexts.of(files.identity());
    }

    /**
     * Reads the files.
     *
     * @throws TlsFilesException if they cannot be used
     */
    public static TlsContexts load(TlsSettings settings) {
        Objects.requireNonNull(settings, "settings");
        return new TlsContexts(settings, TlsFiles.read(settings));
    }

    /** A handler for a new connection, with what is current now. {@code peerHost} is whom a client means to reach. */
    public SslHandler newHandler(ByteBufAllocator allocator, boolean client, String peerHost, int peerPort) {
        return client ? current.clientHandler(allocator, peerHost, peerPort) : current.serverHandler(allocator);
    }

    /**
     * Looks at the files, and uses them from now on if they have changed and are good. To be called now and then, by
     * one thread at a time or by several. Says whether something new is in use.
     */
    public synchronized boolean reloadIfChanged() {
        try {
            TlsFiles files = TlsFiles.read(settings);
            boolean isNew = !files.sameAs(inUse);
            if (isNew) {
                current = Contexts.of(files.identity());
                inUse = files;
            }
            problem = Optional.empty();
            return isNew;
        } catch (TlsFilesException unusable) {
            problem = Optional.of(unusable.getMessage());
            return false;
        }
    }

    /** Why what the files say now is not in use; empty if it is. */
    public Optional<String> problem() {
        return problem;
    }

    /** Whether the certificate that the peer of this session has shown speaks for a host. */
    public static boolean certificateNames(SSLSession session, String host) {
        try {
            Certificate[] shown = session.getPeerCertificates();
            return shown.length > 0
                    && shown[0] instanceof X509Certificate certificate
                    && CertificateNames.include(certificate, host);
        } catch (SSLPeerUnverifiedException showedNone) {
            return false;
        }
    }

    /** Says who, until when, and no secret. */
    @Override
    public String toString() {
        return "TLS as " + current.identity()
                + problem.map(why -> "; not in use: " + why).orElse("");
    }

    private record Contexts(Identity identity, SslContext client, SslContext server) {

        static Contexts of(Identity identity) {
            try {
                SslContext client = SslContextBuilder.forClient()
                        .keyManager(identity.key(), identity.chain())
                        .trustManager(identity.trusted())
                        .sslProvider(SslProvider.JDK)
                        .protocols(ONLY_PROTOCOL)
                        .endpointIdentificationAlgorithm("HTTPS")
                        .build();
                SslContext server = SslContextBuilder.forServer(identity.key(), identity.chain())
                        .trustManager(identity.trusted())
                        .sslProvider(SslProvider.JDK)
                        .protocols(ONLY_PROTOCOL)
                        .clientAuth(ClientAuth.REQUIRE)
                        .build();
                return new Contexts(identity, client, server);
            } catch (SSLException | IllegalArgumentException refused) {
                throw new TlsFilesException("certificate and key cannot be used: " + refused.getMessage(), refused);
            }
        }

        SslHandler clientHandler(ByteBufAllocator allocator, String peerHost, int peerPort) {
            SslHandler handler = client.newHandler(allocator, withoutBrackets(peerHost), peerPort);
            // Said once more here, so that it does not depend on what the library does by default.
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            handler.engine().setSSLParameters(parameters);
            return handler;
        }

        SslHandler serverHandler(ByteBufAllocator allocator) {
            SslHandler handler = server.newHandler(allocator);
            handler.engine().setNeedClientAuth(true);
            return handler;
        }

        private static String withoutBrackets(String host) {
            return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        }
    }
}
