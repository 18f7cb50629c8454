package dev.muster.real.tls;

/** Certificate, key or trusted file cannot be used. The message names the file and the remedy, and no secret. */
public final class TlsFilesException extends RuntimeException {

    TlsFilesException(String message) {
        super(message);
    }

    TlsFilesException(String message, Throwable cause) {
        super(message, cause);
    }
}
