package dev.muster.remote;

/** Questions of cores whose answer goes to whom the asker named as sender, not to a fixed place. */
public final class AnswerTo {
    public static final int NOBODY_IN_PARTICULAR = -1;
    public static final int SEED_CONTACT = 0;
    public static final int JOIN = 1;
    public static final int HEARTBEAT = 2;

    private AnswerTo() {}

    static int kindOf(String manifest) {
        return switch (manifest) {
            case "IJ" -> SEED_CONTACT;
            case "J" -> JOIN;
            case "HB" -> HEARTBEAT;
            default -> NOBODY_IN_PARTICULAR;
        };
    }
}
