package dev.muster.core.exchange;

/** Why a message was refused whole. Each kind has its own counter. */
public enum Refusal {
    /** Meant for another incarnation at this address. */
    NOT_FOR_ME,
    /** The sender is no member of the state I hold. */
    FROM_NON_MEMBER,
    /** I hold the sender unreachable, or down, so its word does not count until it is back. */
    FROM_UNREACHABLE,
    /** The state does not contain me. */
    WITHOUT_ME,
    /** It claims changes of mine that I never made. */
    CLAIMS_MY_CHANGES,
    /** A clock entry is absurdly far ahead. */
    CLOCK_OUT_OF_RANGE,
    /** Waited too long in the queue. */
    STALE,
    /** Another system name or protocol. */
    OTHER_SYSTEM,
    /** Another data center. */
    OTHER_DATA_CENTER,
    /** Settings that all members must share differ. */
    INCOMPATIBLE,
    /** This uid was removed before, or is already in use by another address. */
    UID_NOT_ACCEPTED,
    /** I am not in a state to let anybody in. */
    NOT_ABLE,
    /** Not what I asked for: an answer without a question. */
    UNEXPECTED
}
