package dev.muster.simulator.check;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * H9: at the end of every event, all letters that were sent are those that were handled, the dead ones, those lost at a
 * moment that was counted, those of which nobody can know because a process died that held them, and those that are
 * still somewhere.
 *
 * <p>Books are kept as in a bank: every copy that comes to be or ceases to be is an entry, and so is every fate. A
 * letter without a fate whose last copy goes is found at once. Now and then the books are compared with what is there.
 */
final class Conservation extends PeriodicChecker {

    /** What has become of a letter. The first fate counts. */
    private enum Fate {
        OPEN,
        HANDLED,
        DEAD,
        LOST,
        UNKNOWN
    }

    private static final class Account {
        private final Letter letter;
        private Fate fate = Fate.OPEN;
        private WorkStep.What why;
        private int copies;

        private Account(Letter letter) {
            this.letter = letter;
        }
    }

    private final HostLosses losses;
    /** Of letters that are open or of which there are copies, and of some others. */
    private final Map<Long, Account> accounts = new LinkedHashMap<>();

    private final EnumMap<Fate, Long> byFate = new EnumMap<>(Fate.class);
    private final Set<Long> diedWithProcess = new HashSet<>();
    private long sent;

    Conservation(HostLosses losses) {
        super(1);
        this.losses = losses;
        for (Fate fate : Fate.values()) {
            byFate.put(fate, 0L);
        }
    }

    /** Whether nothing has become of it yet. */
    boolean isOpen(Letter letter) {
        Account account = accounts.get(letter.number());
        return account != null && account.fate == Fate.OPEN;
    }

    @Override
    public void onWork(WorkStep step) {
        WorkStep.What what = step.what();
        if (what instanceof WorkStep.Copies copies) {
            onCopies(step, copies);
        } else if (what instanceof WorkStep.Sent was) {
            onSent(step, was.letter());
        } else if (what instanceof WorkStep.Processed processed) {
            onFate(step, processed.letter(), Fate.HANDLED);
        } else if (what instanceof WorkStep.DeadLetter dead) {
            onFate(step, dead.letter(), Fate.DEAD);
        } else if (what instanceof WorkStep.Lost lost) {
            onFate(step, lost.letter(), Fate.LOST);
        }
    }

    private void onSent(WorkStep step, Letter letter) {
        Account account = new Account(letter);
        sent++;
        byFate.merge(Fate.OPEN, 1L, Long::sum);
        if (accounts.put(letter.number(), account) != null) {
            step.world().report("H9", letter + " is sent twice", step.node());
        }
        step.world().afterThisEvent(() -> judge(step.world(), account));
    }

    private void onCopies(WorkStep step, WorkStep.Copies copies) {
        Account account = accounts.get(copies.letter().number());
        if (account == null) {
            step.world().report("H9", copies.letter() + " comes from nowhere", step.node());
            return;
        }
        account.copies += copies.change();
        if (account.copies == 0 && account.fate == Fate.OPEN) {
            step.world().afterThisEvent(() -> judge(step.world(), account));
        }
    }

    /** The last copy of a letter has gone, and nothing was said of what has become of it. */
    private void judge(WorldView world, Account account) {
        world.countChecks(1);
        if (account.copies > 0 || account.fate != Fate.OPEN) {
            return;
        }
        become(account, Fate.UNKNOWN, null);
        if (!diedWithProcess.contains(account.letter.number())) {
            NodeView sender = world.node(account.letter.sender()).orElse(null);
            world.report("H9", account.letter + " is nowhere", sender);
        }
    }

    private void onFate(WorkStep step, Letter letter, Fate fate) {
        step.world().countChecks(1);
        Account account = accounts.get(letter.number());
        if (account == null) {
            step.world().report("H9", letter + " comes from nowhere: " + step.what(), step.node());
        } else if (account.fate == Fate.OPEN) {
            become(account, fate, step.what());
        } else if (isContradiction(account.fate, fate) && !losses.since(letter.path(), letter.sentAtNanos())) {
            step.world().report("H9", letter + " is " + step.what() + ", but was " + account.why, step.node());
        }
    }

    /** Being handled twice is the business of H3. */
    private static boolean isContradiction(Fate before, Fate now) {
        return before != Fate.HANDLED || now != Fate.HANDLED;
    }

    private void become(Account account, Fate fate, WorkStep.What why) {
        byFate.merge(account.fate, -1L, Long::sum);
        byFate.merge(fate, 1L, Long::sum);
        account.fate = fate;
        account.why = why;
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (!change.node().isRunning()) {
            change.node().letters().forEach(letter -> diedWithProcess.add(letter.number()));
        }
    }

    /** Compares the books with what is there. */
    @Override
    void look(WorldView world) {
        world.countChecks(1);
        long all = byFate.values().stream().mapToLong(Long::longValue).sum();
        if (all != sent) {
            world.report("H9", "of " + sent + " letters there are " + byFate, null);
        }
        Map<Long, Integer> held = new HashMap<>();
        for (NodeView node : world.runningNodes()) {
            node.letters().forEach(letter -> held.merge(letter.number(), 1, Integer::sum));
        }
        for (Iterator<Account> each = accounts.values().iterator(); each.hasNext(); ) {
            Account account = each.next();
            int found = held.getOrDefault(account.letter.number(), 0) + world.copiesUnderWay(account.letter);
            if (found != account.copies) {
                world.report("H9", account.letter + " is in " + found + " places, not in " + account.copies, null);
                return;
            }
            if (found == 0 && account.fate != Fate.OPEN) {
                each.remove();
            }
        }
    }
}
