package dev.muster.real;

import java.util.function.Consumer;

/**
 * Ends the process after an error that leaves nothing to trust, such as no memory left. Other nodes notice a process
 * that is gone; a process that half works they would believe.
 */
final class FatalErrors implements Consumer<Throwable> {

    /** Different from what other things end with, so that it can be told in a supervisor's log. */
    static final int EXIT_CODE = 134;

    @Override
    public void accept(Throwable failure) {
        try {
            System.err.println("muster: fatal error, this process ends now: " + failure);
            failure.printStackTrace();
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
