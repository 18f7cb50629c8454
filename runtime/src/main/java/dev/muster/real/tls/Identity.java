package dev.muster.real.tls;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who this node is and whom it believes, checked as far as that can be done without a peer: mistakes found here are
 * named here, and not by strangers who hang up.
 */
final class Identity {

    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final String ANYTHING = "2.5.29.37.0";

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final List<X509Certificate> trusted;

    private Identity(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> trusted) {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.trusted = List.copyOf(trusted);
    }

    static Identity of(
            Path certificateFile,
            List<X509Certificate> chain,
            Path keyFile,
            PrivateKey key,
            List<X509Certificate> trusted) {
        X509Certificate own = chain.get(0);
        checkDates(certificateFile, own);
        try {
            checkNamesAndUse(certificateFile, own);
        } catch (CertificateParsingException unreadable) {
            throw new TlsFilesException(certificateFile + " has a certificate in it that cannot be read", unreadable);
        }
        if (!Pem.belongTogether(key, own)) {
            throw new TlsFilesException("the key in " + keyFile + " does not belong to the first certificate in "
                    + certificateFile + "; one of them may not have been replaced yet");
        }
        return new Identity(chain, key, trusted);
    }

    private static void checkDates(Path file, X509Certificate own) {
        try {
            own.checkValidity();
        } catch (CertificateExpiredException expired) {
            throw new TlsFilesException(
                    "the certificate in " + file + " expired at "
                            + own.getNotAfter().toInstant() + "; renew it",
                    expired);
        } catch (CertificateNotYetValidException early) {
            throw new TlsFilesException(
                    "the certificate in " + file + " is valid only from "
                            + own.getNotBefore().toInstant() + "; look at the clocks",
                    early);
        }
    }

    private static void checkNamesAndUse(Path file, X509Certificate own) throws CertificateParsingException {
        if (own.getSubjectAlternativeNames() == null) {
            throw new TlsFilesException("the certificate in " + file
                    + " names no host (subject alternative name), so no peer could accept it");
        }
        List<String> uses = own.getExtendedKeyUsage();
        if (uses != null && !uses.contains(ANYTHING) && !(uses.contains(SERVER) && uses.contains(CLIENT))) {
            throw new TlsFilesException("the certificate in " + file + " is not good for both ends of a connection "
                    + "(extended key usage); nodes call each other, so it needs serverAuth and clientAuth");
        }
    }

    List<X509Certificate> chain() {
        return chain;
    }

    PrivateKey key() {
        return key;
    }

    List<X509Certificate> trusted() {
        return trusted;
    }

    /** Names no key. */
    @Override
    public String toString() {
        X509Certificate own = chain.get(0);
        return own.getSubjectX500Principal() + " until " + own.getNotAfter().toInstant() + ", believing "
                + trusted.size();
    }
}
