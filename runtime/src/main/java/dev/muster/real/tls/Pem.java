package dev.muster.real.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads PEM: blocks between a BEGIN and an END line. A block without its end is a file that somebody is still writing,
 * and is refused, where other readers would take what is there so far.
 */
final class Pem {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PKCS8 = "PRIVATE KEY";
    private static final String CONVERT = "convert it by: openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW";

    private Pem() {}

    private record Block(String label, String base64) {}

    static List<X509Certificate> certificates(Path file, byte[] bytes) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(file, bytes)) {
            if (block.label.equals(CERTIFICATE)) {
                certificates.add(certificate(file, decoded(file, block.base64)));
            }
        }
        if (certificates.isEmpty()) {
            throw new TlsFilesException(file + " has no certificate in it; it must be PEM");
        }
        return certificates;
    }

    private static X509Certificate certificate(Path file, byte[] content) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
        } catch (CertificateException broken) {
            throw new TlsFilesException(file + " has a certificate in it that cannot be read", broken);
        }
    }

    /** The one private key in the file. What cannot be read is not quoted: it is a secret. */
    static PrivateKey privateKey(Path file, byte[] bytes) {
        List<Block> keys = blocks(file, bytes).stream()
                .filter(block -> block.label.endsWith(PKCS8))
                .toList();
        if (keys.size() != 1) {
            throw new TlsFilesException(file + " must hold one private key as PEM, PKCS#8, but holds "
                    + (keys.isEmpty() ? "none" : "several"));
        }
        String label = keys.get(0).label;
        if (label.startsWith("ENCRYPTED")) {
            throw new TlsFilesException(file + " is encrypted, and nobody is there to type the password; " + CONVERT
                    + ", and let nobody else read the file");
        }
        if (!label.equals(PKCS8)) {
            throw new TlsFilesException(file + " holds a key in the form '" + label + "', not PKCS#8; " + CONVERT);
        }
        return privateKey(file, new PKCS8EncodedKeySpec(decoded(file, keys.get(0).base64)));
    }

    private static PrivateKey privateKey(Path file, PKCS8EncodedKeySpec content) {
        return Stream.of("EC", "RSA", "EdDSA")
                .map(algorithm -> keyOfKind(algorithm, content))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new TlsFilesException(file + " holds no EC, RSA or EdDSA key that can be read"));
    }

    private static Optional<PrivateKey> keyOfKind(String algorithm, PKCS8EncodedKeySpec content) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(content));
        } catch (InvalidKeySpecException anotherKind) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException missing) {
            throw new TlsFilesException("this Java cannot read " + algorithm + " keys", missing);
        }
    }

    private static List<Block> blocks(Path file, byte[] bytes) {
        List<Block> blocks = new ArrayList<>();
        String label = null;
        StringBuilder content = new StringBuilder();
        for (String line : new String(bytes, StandardCharsets.US_ASCII).lines().toList()) {
            String text = line.strip();
            if (text.startsWith(BEGIN) && text.endsWith(DASHES)) {
                requireWhole(file, label == null);
                label = text.substring(BEGIN.length(), text.length() - DASHES.length());
                content.setLength(0);
            } else if (label != null && text.equals(END + label + DASHES)) {
                blocks.add(new Block(label, content.toString()));
                label = null;
            } else {
                content.append(text);
            }
        }
        requireWhole(file, label == null);
        return blocks;
    }

    private static void requireWhole(Path file, boolean isWhole) {
        if (!isWhole) {
            throw new TlsFilesException(file + " ends in the middle; it may be half written");
        }
    }

    private static byte[] decoded(Path file, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw new TlsFilesException(file + " is not PEM: what stands between BEGIN and END is not base64");
        }
    }

    /** Whether what one signs the other recognises. */
    static boolean belongTogether(PrivateKey key, X509Certificate certificate) {
        byte[] sample = "does this key belong to this certificate?".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = Signature.getInstance(signatureOf(key));
            signature.initSign(key);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException ofDifferentKinds) {
            return false;
        }
    }

    private static String signatureOf(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }
}
