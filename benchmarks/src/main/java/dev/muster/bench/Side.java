package dev.muster.bench;

import java.util.Locale;

/** Whose turn it is to be measured. */
public enum Side {
    MUSTER("Muster"),
    PEKKO("Pekko"),
    SCALECUBE("ScaleCube"),

    /** Nobody's product: what the machine itself takes. */
    SOCKETS("Sockets");

    private final String title;

    Side(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** Its name on the command line and in JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
