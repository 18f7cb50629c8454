package dev.muster.real.tls;

import dev.muster.remote.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The content of the three files at one moment, compared by content: the time of a file may stay the same when it is
 * replaced, or change when nothing did.
 */
final class TlsFiles {

    private static final int LARGEST = 1024 * 1024;
    private static final Set<PosixFilePermission> EVERYBODY =
            Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private final TlsSettings settings;
    private final List<byte[]> contents;

    private TlsFiles(TlsSettings settings, List<byte[]> contents) {
        this.settings = settings;
        this.contents = contents;
    }

    static TlsFiles read(TlsSettings settings) {
        refuseIfOpenToEverybody(settings.key());
        return new TlsFiles(
                settings, List.of(read(settings.certificate()), read(settings.key()), read(settings.trusted())));
    }

    boolean sameAs(TlsFiles other) {
        for (int i = 0; i < contents.size(); i++) {
            if (!Arrays.equals(contents.get(i), other.contents.get(i))) {
                return false;
            }
        }
        return true;
    }

    Identity identity() {
        return Identity.of(
                settings.certificate(),
                Pem.certificates(settings.certificate(), contents.get(0)),
                settings.key(),
                Pem.privateKey(settings.key(), contents.get(1)),
                Pem.certificates(settings.trusted(), contents.get(2)));
    }

    private static byte[] read(Path file) {
        try (InputStream input = Files.newInputStream(file)) {
            byte[] content = input.readNBytes(LARGEST + 1);
            if (content.length > LARGEST) {
                throw new TlsFilesException(file + " is larger than 1 MiB; it is not what it should be");
            }
            return content;
        } catch (NoSuchFileException missing) {
            throw new TlsFilesException(file + " does not exist", missing);
        } catch (IOException unreadable) {
            throw new TlsFilesException(file + " cannot be read: " + unreadable, unreadable);
        }
    }

    private static void refuseIfOpenToEverybody(Path key) {
        try {
            if (Files.exists(key) && Files.getFileStore(key).supportsFileAttributeView("posix")) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(key);
                if (permissions.stream().anyMatch(EVERYBODY::contains)) {
                    throw new TlsFilesException(key
                            + " can be read or changed by everybody on this machine; restrict it by: chmod 600 " + key);
                }
            }
        } catch (IOException unreadable) {
            throw new TlsFilesException(key + " cannot be looked at: " + unreadable, unreadable);
        }
    }
}
