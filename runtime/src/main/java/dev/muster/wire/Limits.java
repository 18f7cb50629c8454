package dev.muster.wire;

import dev.muster.core.state.PartitionSpec;

/** How much of anything one message may hold. All far above what an honest cluster needs. */
final class Limits {
    static final int PROTOCOL_BYTES = 64;
    static final int SYSTEM_BYTES = 255;
    static final int HOST_BYTES = 255;
    static final int HIGHEST_PORT = 65_535;
    static final int MANIFEST_BYTES = 4_096;
    static final int PATH_BYTES = 4_096;
    static final int ROLE_BYTES = PartitionSpec.LONGEST_ROLE_BYTES;
    static final int ROLES_PER_MEMBER = 255;
    static final int APP_VERSION_BYTES = 255;
    static final int CLOCK_KEY_BYTES = 64;
    static final int DIGEST_BYTES = 64;
    static final int CONFIGURATION_BYTES = 32 * 1024;
    static final int REASONS = 64;
    static final int REASON_BYTES = 4 * 1024;
    static final int MEMBERS = 10_000;
    static final int NODES = 100_000;
    static final int CLOCK_ENTRIES = 100_000;
    static final int TEXTS_IN_GOSSIP = 20_000;
    static final int OBSERVATIONS = 200_000;
    static final int SELECTION_ELEMENTS = 64;
    static final int TABLE_ENTRIES = 65_536;
    static final int STATE_PART_BYTES = 256 * 1024;
    static final int LOAD_SAMPLES = 1_000;
    static final int MESSAGE_BYTES = BoundedGzip.MOST_BYTES;

    private Limits() {}

    static void requireAtMost(String what, int count, int most) {
        if (count > most) {
            throw WireException.tooLarge("the number of " + what, count, most);
        }
    }
}
