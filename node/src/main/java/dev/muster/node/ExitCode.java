package dev.muster.node;

/** What the process answers. Scripts rely on these numbers. */
public final class ExitCode {

    public static final int DONE = 0;

    /** The question was understood and the answer is no: not converged, an invariant broken. */
    public static final int ANSWER_IS_NO = 1;

    public static final int WRONG_USAGE = 2;

    public static final int COULD_NOT_REACH_A_NODE = 3;

    /** An exception that nobody expected; never mixed up with an answer. The number is EX_SOFTWARE of sysexits.h. */
    public static final int BUG = 70;

    private ExitCode() {}
}
