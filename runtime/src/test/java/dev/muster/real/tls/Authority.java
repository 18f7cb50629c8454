package dev.muster.real.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A certificate authority for tests, made by the keytool of the Java that runs them. */
final class Authority {

    private static final String PASSWORD = "not-a-secret";
    private static final String SELF = "authority";

    private final Path store;

    private Authority(Path store) {
        this.store = store;
    }

    static Authority in(Path directory, String name) throws IOException {
        Authority authority = new Authority(directory.resolve(name + ".p12"));
        authority.keytool("-alias", SELF, "-dname", "CN=" + name, "-validity", "30", "-ext", "bc:c=ca:true");
        return authority;
    }

    /** A certificate for these names, such as {@code dns:localhost,ip:127.0.0.1}. */
    Issued issue(String alias, String names, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("-alias", alias, "-dname", "CN=" + alias, "-signer", SELF));
        if (!names.isEmpty()) {
            options.addAll(List.of("-ext", "san=" + names));
        }
        options.addAll(Arrays.asList(more));
        if (!options.contains("-validity")) {
            options.addAll(List.of("-validity", "30"));
        }
        keytool(options.toArray(String[]::new));
        return issued(alias);
    }

    X509Certificate certificate() {
        return issued(SELF).chain().get(0);
    }

    String pem() {
        return pem("CERTIFICATE", encoded(certificate()));
    }

    private void keytool(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                // It runs for a moment only, and there are many.
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        if (!Arrays.asList(options).contains("-keyalg")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        }
        command.addAll(Arrays.asList(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted while keytool ran", e);
        }
    }

    private Issued issued(String alias) {
        try (InputStream input = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(input, PASSWORD.toCharArray());
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate certificate : keys.getCertificateChain(alias)) {
                chain.add((X509Certificate) certificate);
            }
            return new Issued((PrivateKey) keys.getKey(alias, PASSWORD.toCharArray()), chain);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    record Issued(PrivateKey key, List<X509Certificate> chain) {

        String certificatePem() {
            StringBuilder text = new StringBuilder();
            chain.forEach(certificate -> text.append(pem("CERTIFICATE", encoded(certificate))));
            return text.toString();
        }

        String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }
    }

    static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String pem(String label, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    /** Writes a file that only its owner can read. */
    static void write(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
