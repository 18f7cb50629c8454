package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.NodeId;
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
 *
 * <p>Only the last copy can die with a process: in the very event in which the process ends, or under way from one that
 * has ended and cannot say it again, or to one that died with another. What anybody else had then has to survive, with
 * two exceptions: he lets it go because one that died with it had said before that it has it; or he had it only in case
 * that he becomes the host, and the old host died with it before it handed over. Whoever leaves in good order takes
 * nothing with it.
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
    /** Of these a copy has gone in this event with the process that had it, or that had sent it. */
    private final Set<Long> goesWithProcess = new HashSet<>();
    /** Who has died with a copy of a letter. */
    private final Map<Long, Set<NodeId>> diedWith = new HashMap<>();
    /** What nodes have only in case that they become the host, by their number and the letter's, and of whom. */
    private final Map<String, NodeId> inCase = new HashMap<>();
    /** Whose words have come to somebody in this event; null if nobody's. */
    private NodeId heardOf;

    private int toJudge;
    private boolean isToForget;

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
        } else if (what instanceof WorkStep.Heard heard) {
            onHeard(step, heard);
        } else if (what instanceof WorkStep.Sent was) {
            onSent(step, was.letter());
        } else if (what instanceof WorkStep.Processed processed) {
            onFate(step, processed.letter(), Fate.HANDLED);
        } else if (what instanceof WorkStep.DeadLetter dead) {
            onFate(step, dead.letter(), Fate.DEAD);
        } else if (what instanceof WorkStep.Lost lost) {
            onFate(step, lost.letter(), Fate.LOST);
        } else if (what instanceof WorkStep.Refused refused) {
            onFate(step, refused.letter(), Fate.LOST);
        }
    }

    private void onSent(WorkStep step, Letter letter) {
        Account account = new Account(letter);
        sent++;
        byFate.merge(Fate.OPEN, 1L, Long::sum);
        if (accounts.put(letter.number(), account) != null) {
            step.world().report("H9", letter + " is sent twice", step.node());
        }
        judgeLater(step.world(), account);
    }

    private void onCopies(WorkStep step, WorkStep.Copies copies) {
        Account account = accounts.get(copies.letter().number());
        if (account == null) {
            step.world().report("H9", copies.letter() + " comes from nowhere", step.node());
            return;
        }
        account.copies += copies.change();
        boolean hasGone = copies.change() < 0 && account.fate == Fate.OPEN;
        if (hasGone && mayGo(step, copies)) {
            goesWithProcess.add(copies.letter().number());
            forgetLater(step.world());
        }
        if (hasGone && ends(step.node())) {
            diedWith.computeIfAbsent(copies.letter().number(), it -> new HashSet<>())
                    .add(step.node().id());
        }
        if (account.copies == 0 && account.fate == Fate.OPEN) {
            judgeLater(step.world(), account);
        }
    }

    /** Whether nobody is to blame if this copy was the last. */
    private boolean mayGo(WorkStep step, WorkStep.Copies copies) {
        Set<NodeId> dead = diedWith.getOrDefault(copies.letter().number(), Set.of());
        NodeId oldHost = inCase.get(step.node().number() + "/" + copies.letter().number());
        return ends(step.node())
                || copies.to().filter(dead::contains).isPresent()
                || copies.to().isEmpty() && oldHost != null && dead.contains(oldHost);
    }

    /** What an old host hands over before it says whose turn it is counts among its own. */
    private void onHeard(WorkStep step, WorkStep.Heard heard) {
        heardOf = heard.from();
        forgetLater(step.world());
        if (!(heard.message() instanceof GateMessage.Handed<Letter> handed)) {
            return;
        }
        String here = step.node().number() + "/";
        if (handed.item() instanceof GateMessage.Item.Message<Letter> message) {
            inCase.putIfAbsent(here + message.message().number(), heard.from());
        } else if (handed.item() instanceof GateMessage.Item.YourTurn) {
            step.node()
                    .gates()
                    .get(step.path())
                    .waiting()
                    .forEach(letter -> inCase.remove(here + letter.number(), heard.from()));
        }
    }

    /** Whether it has ended, or does so in this event, and not in good order. */
    private boolean ends(NodeView node) {
        return losses.hadToStop(node) || !node.isRunning() && !losses.hasLeftInOrder(node);
    }

    private void judgeLater(WorldView world, Account account) {
        toJudge++;
        world.afterThisEvent(() -> judge(world, account));
    }

    /** When all that this event brings with it has been judged. */
    private void forgetLater(WorldView world) {
        if (!isToForget) {
            isToForget = true;
            world.afterThisEvent(() -> forget(world));
        }
    }

    private void forget(WorldView world) {
        isToForget = false;
        if (toJudge > 0) {
            forgetLater(world);
        } else {
            goesWithProcess.clear();
            heardOf = null;
        }
    }

    /** Whether nobody could keep it: it went with a process, or whoever had it knew that this one had it too. */
    private boolean wentWithProcess(Letter letter) {
        return goesWithProcess.contains(letter.number())
                || heardOf != null
                        && diedWith.getOrDefault(letter.number(), Set.of()).contains(heardOf);
    }

    /** The last copy of a letter has gone, and nothing was said of what has become of it. */
    private void judge(WorldView world, Account account) {
        toJudge--;
        world.countChecks(1);
        world.judged("H9");
        if (account.copies > 0 || account.fate != Fate.OPEN) {
            return;
        }
        boolean isLetOff = wentWithProcess(account.letter);
        become(account, Fate.UNKNOWN, null);
        if (isLetOff) {
            world.letOff("H9");
        } else {
            NodeView sender = world.node(account.letter.sender()).orElse(null);
            world.report("H9", account.letter + " is nowhere", sender);
        }
    }

    private void onFate(WorkStep step, Letter letter, Fate fate) {
        step.world().countChecks(1);
        step.world().judged("H9");
        Account account = accounts.get(letter.number());
        if (account == null) {
            step.world().report("H9", letter + " comes from nowhere: " + step.what(), step.node());
        } else if (account.fate == Fate.OPEN) {
            become(account, fate, step.what());
        } else if (isContradiction(account.fate, fate)) {
            if (losses.since(letter.path(), letter.sentAtNanos())) {
                step.world().letOff("H9");
            } else {
                step.world().report("H9", letter + " is " + step.what() + ", but was " + account.why, step.node());
            }
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
        diedWith.remove(account.letter.number());
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
