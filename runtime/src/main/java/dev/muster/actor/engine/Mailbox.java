package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.environment.Activation;
import dev.muster.environment.Turn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Where messages wait, and the one word that decides whether their actor runs.
 *
 * <p>Think of a tray with a flag. A sender lifts a latch, drops its letter and, if the flag was down, raises it and
 * calls the reader. The reader lifts the latch once, takes the whole tray away and leaves an empty one; it reads
 * without anybody near. Only when it finds the tray empty, latch in hand, does it lower the flag. Flag and tray change
 * under the same latch, so no letter can be dropped just before the flag goes down and be forgotten.
 *
 * <p>The latch is one bit of {@link #status}, held for a few instructions. It is released by the method that took it,
 * at the same depth of the stack, so that a stack which overflows in between cannot leave it held. A message costs one
 * compare-and-set and three plain writes, and nothing is allocated once the trays have grown to the size of a burst.
 * Trays hold pairs: a message, and who waits for its reply.
 */
abstract class Mailbox extends Activation {

    /** What became of a message. */
    static final int ACCEPTED = 0;

    static final int CLOSED_ALREADY = 1;
    static final int FULL = 2;

    /** What the reader found. */
    static final int IDLE = 0;

    static final int TAKEN = 1;
    static final int SYSTEM_FIRST = 2;

    private static final int LATCHED = 1;
    private static final int SCHEDULED = 2;
    private static final int NOT_READING = 4;
    private static final int CLOSED = 8;
    /** Takes system messages only: its actor has handled its last message, and is about to end. */
    private static final int REFUSING = 16;

    private static final int FIRST_SLOTS = 8;
    /** A tray larger than this is not kept by an actor that no longer needs it. */
    static final int LARGE_TRAY = 1 << 14;

    private static final VarHandle STATUS;

    static {
        try {
            STATUS = MethodHandles.lookup().findVarHandle(Mailbox.class, "status", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by STATUS
    private volatile int status;

    /** Message, reply target, message, reply target ...; null until the first message. Guarded by the latch. */
    private Object[] tray;

    /** How many slots of the tray are used. Guarded by the latch for writing. */
    private int used;

    /** How many messages the reader took last, of which it may have read some. Guarded by the latch. */
    private int taken;

    /** The newest system message. Guarded by the latch. */
    private SystemMessage system;

    private final int capacity;

    Mailbox(int capacity) {
        this.capacity = capacity;
    }

    /** Asks for a turn. Called without the latch, by whoever raised the flag. */
    abstract void schedule();

    /** How many of the messages taken last the reader has not read yet; may be a moment old, then it is too high. */
    abstract int unread();

    /** Tells a reader in the middle of a tray that a system message has come. */
    abstract void interrupt();

    final int offer(Object message, ActorRef<?> replyTo) {
        int before = latch();
        if ((before & (CLOSED | REFUSING)) != 0) {
            release(before);
            return CLOSED_ALREADY;
        }
        boolean isFull;
        try {
            int waiting = used >> 1;
            isFull = waiting + taken >= capacity && waiting + unread() >= capacity;
            if (!isFull) {
                put(message, replyTo);
            }
        } catch (Throwable noMemoryOrStack) {
            release(before);
            throw noMemoryOrStack;
        }
        if (isFull) {
            release(before);
            return FULL;
        }
        if ((before & (SCHEDULED | NOT_READING)) == 0) {
            release(before | SCHEDULED);
            schedule();
        } else {
            release(before);
        }
        return ACCEPTED;
    }

    /** Like {@link #offer}, but a full mailbox takes it too. */
    final boolean offerNotice(Notice notice) {
        int before = latch();
        if ((before & (CLOSED | REFUSING)) != 0) {
            release(before);
            return false;
        }
        try {
            put(notice, null);
        } catch (Throwable noMemoryOrStack) {
            release(before);
            throw noMemoryOrStack;
        }
        if ((before & (SCHEDULED | NOT_READING)) == 0) {
            release(before | SCHEDULED);
            schedule();
        } else {
            release(before);
        }
        return true;
    }

    final boolean offerSystem(SystemMessage message) {
        int before = latch();
        if ((before & CLOSED) != 0) {
            release(before);
            return false;
        }
        try {
            interrupt();
        } catch (Throwable noStack) {
            release(before);
            throw noStack;
        }
        message.next = system;
        system = message;
        if ((before & SCHEDULED) == 0) {
            release(before | SCHEDULED);
            schedule();
        } else {
            release(before);
        }
        return true;
    }

    /** With the latch held. */
    private void put(Object message, ActorRef<?> replyTo) {
        Object[] slots = tray;
        int at = used;
        if (slots == null) {
            slots = new Object[FIRST_SLOTS];
            tray = slots;
        } else if (at == slots.length) {
            slots = Arrays.copyOf(slots, slots.length * 2);
            tray = slots;
        }
        slots[at] = message;
        slots[at + 1] = replyTo;
        used = at + 2;
    }

    /**
     * For the reader at the end of its tray: gives it the next one, or lowers the flag. After {@link #IDLE} the turn is
     * over, and nothing of the actor may be touched.
     *
     * @param reader gets the tray in exchange for its empty one
     * @param reads whether it wants user messages at all now
     */
    final int takeOrIdle(Reader reader, boolean reads) {
        int before = latch();
        if (system != null) {
            release(before);
            return SYSTEM_FIRST;
        }
        if (!reads) {
            release((before & ~SCHEDULED) | NOT_READING);
            return IDLE;
        }
        int count = used;
        if (count == 0) {
            taken = 0;
            if (tray != null && tray.length > LARGE_TRAY) {
                tray = null;
            }
            release(before & ~(SCHEDULED | NOT_READING));
            return IDLE;
        }
        Object[] full = tray;
        tray = reader.exchange(full, count);
        used = 0;
        taken = count >> 1;
        release(before & ~NOT_READING);
        return TAKEN;
    }

    /** All system messages, oldest first; null if there is none. */
    final SystemMessage takeSystem() {
        int before = latch();
        SystemMessage newest = system;
        system = null;
        release(before);
        SystemMessage oldest = null;
        while (newest != null) {
            SystemMessage earlier = newest.next;
            newest.next = oldest;
            oldest = newest;
            newest = earlier;
        }
        return oldest;
    }

    /** Refuses all but system messages from now on. What was still waiting is the reader's to take. */
    final void refuse(Reader reader) {
        int before = latch();
        reader.exchange(tray, used);
        tray = null;
        used = 0;
        taken = 0;
        release(before | REFUSING);
    }

    /** Refuses everything from now on. What was still waiting is the reader's to take, by {@code exchange}. */
    final SystemMessage close(Reader reader) {
        int before = latch();
        reader.exchange(tray, used);
        tray = null;
        used = 0;
        release(before | CLOSED);
        return takeSystem();
    }

    /** How many messages wait; exact when nothing else happens. Cheap, and for any thread. Stashes are not counted. */
    public final int waiting() {
        return ((int) USED.getOpaque(this) >> 1) + unread();
    }

    final boolean isClosed() {
        return (status & CLOSED) != 0;
    }

    private static final VarHandle USED;

    static {
        try {
            USED = MethodHandles.lookup().findVarHandle(Mailbox.class, "used", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int latch() {
        int before = (int) STATUS.getOpaque(this);
        if ((before & LATCHED) == 0 && STATUS.compareAndSet(this, before, before | LATCHED)) {
            return before;
        }
        return latchSlowly();
    }

    private int latchSlowly() {
        for (int attempt = 0; ; attempt++) {
            int before = (int) STATUS.getOpaque(this);
            if ((before & LATCHED) == 0 && STATUS.compareAndSet(this, before, before | LATCHED)) {
                return before;
            }
            Turn.pause(attempt);
        }
    }

    private void release(int next) {
        STATUS.setRelease(this, next);
    }

    /** The side that empties trays. */
    interface Reader {

        /**
         * Takes a tray with {@code used} slots filled (null if there never was one), and returns an empty one or null.
         */
        Object[] exchange(Object[] full, int used);
    }
}
