package dev.muster.simulator;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.handoff.PartitionRoute;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.InstanceState;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.WorkStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/** One partition on one node: a real gate and a real route, and an instance that does nothing but count. */
final class SimulatedPartition implements Hands<Letter> {
    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1_000_000_000;

    private final PartitionShell shell;
    private final PartitionPath path;
    private final Dice dice;
    private final PartitionGate<Letter> gate;
    private final PartitionRoute<Letter> route;
    private SimulatedInstance instance;
    /** How it is to be started when instances may act again; null if nobody waits for that. */
    private Runnable deferred;

    private Optional<MoveView> lastView = Optional.empty();
    private List<Letter> counted = List.of();
    private long wakeUpNanos = Long.MAX_VALUE;
    private int nextHost;
    private boolean acted;

    SimulatedPartition(PartitionShell shell, PartitionPath path, Dice dice) {
        this.shell = shell;
        this.path = path;
        this.dice = dice;
        this.gate =
                new PartitionGate<>(shell.node().id(), shell.node().settings().handoff(), shell.room(), this);
        this.route = new PartitionRoute<>(this);
    }

    PartitionGate<Letter> gate() {
        return gate;
    }

    // --- What comes from the core and from other nodes
    // ----------------------------------------------------------------

    void onMembers(SortedSet<NodeId> members) {
        route.onMembers(members);
        gate.onMembers(members, now());
        look();
    }

    void onRow(PartitionEntry row) {
        route.onRow(row);
        gate.onRow(row, now());
        look();
    }

    @SuppressWarnings("unchecked")
    void receive(NodeId from, Object content) {
        if (content instanceof Letter letter) {
            observed(new WorkStep.Came(from, letter));
            gate.onMessage(from, letter, 0, now());
        } else {
            GateMessage<Letter> message = (GateMessage<Letter>) content;
            observed(new WorkStep.Heard(from, message));
            if (message instanceof GateMessage.RouteAsked<Letter> asked) {
                route.onAsked(from, asked);
            } else {
                gate.onGateMessage(from, message, now());
            }
        }
        look();
    }

    /** Sends to a host, one after another if there are several; to nobody if none is known. */
    Optional<NodeId> nextHost() {
        List<NodeId> hosts = route.hosts();
        List<NodeId> others =
                hosts.stream().filter(host -> !shell.isSilent(host)).toList();
        List<NodeId> choice = others.isEmpty() ? hosts : others;
        return choice.isEmpty() ? Optional.empty() : Optional.of(choice.get(nextHost++ % choice.size()));
    }

    List<NodeId> hosts() {
        return route.hosts();
    }

    boolean isExclusive() {
        return route.row().map(it -> it.spec().policy().isExclusive()).orElse(true);
    }

    List<Letter> letters() {
        List<Letter> letters = gate.waiting();
        if (instance != null) {
            letters.addAll(instance.letters());
        }
        return letters;
    }

    /** Says which letters have come here since it was last asked, and which have gone. */
    private void count() {
        boolean isEmpty = gate.waitingCount() == 0 && (instance == null || instance.isIdle());
        if (isEmpty && counted.isEmpty() || shell.hasEnded()) {
            return;
        }
        List<Letter> before = counted;
        counted = letters();
        // Mostly one has come at the end of a queue, or gone at its head.
        int shorter = Math.min(before.size(), counted.size());
        int head = 0;
        while (head < shorter && before.get(head) == counted.get(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.get(before.size() - 1 - tail) == counted.get(counted.size() - 1 - tail)) {
            tail++;
        }
        counted.subList(head, counted.size() - tail)
                .forEach(letter -> shell.world().copies(shell.node(), letter, 1));
        before.subList(head, before.size() - tail)
                .forEach(letter -> shell.world().copies(shell.node(), letter, -1));
    }

    /** After each turn of the gate. */
    private void look() {
        count();
        Optional<MoveView> view = gate.view();
        boolean isSame = view.map(it -> it.move() + it.phase()).equals(lastView.map(it -> it.move() + it.phase()));
        if (!isSame) {
            Optional<MoveView> before = lastView;
            lastView = view;
            tell(new WorkStep.MoveWentOn(before, view));
        }
        if (!gate.acts()) {
            acted = false;
        } else if (!acted) {
            shell.in(0, this::tellIfItActs); // like a letter, when the core has had its say
        }
        long wanted = gate.nextWakeUpNanos();
        if (wanted != Long.MAX_VALUE) {
            long at = Math.max(
                    shell.world().nowNanos() + MILLIS / 10, shell.node().clock().worldNanos(wanted));
            if (at < wakeUpNanos) {
                wakeUpNanos = at;
                shell.later(at, () -> wakeUp(at));
            }
        }
    }

    /** One that is held does nothing, whatever its gate would allow. */
    private void tellIfItActs() {
        if (!acted && instance != null && gate.acts() && !isToRest()) {
            acted = true;
            tell(new WorkStep.Acts(instance.epoch));
        }
    }

    private void wakeUp(long at) {
        if (wakeUpNanos == at) {
            wakeUpNanos = Long.MAX_VALUE;
            gate.tick(now());
            look();
        }
    }

    private long now() {
        return shell.node().localNanos();
    }

    private void tell(WorkStep.What what) {
        shell.tell(path, what);
    }

    private void observed(WorkStep.What what) {
        shell.world().observed(shell.node(), path, what);
    }

    // --- The instance
    // -------------------------------------------------------------------------------------------------

    @Override
    public void create(long epoch, Optional<List<byte[]>> state) {
        if (instance != null && !instance.hasEnded) {
            throw new IllegalStateException(path + " is to be created but is there already");
        }
        Optional<InstanceState> given = state.map(shell.node().wire()::read);
        SimulatedInstance next = new SimulatedInstance(epoch, given.orElse(InstanceState.NEW));
        instance = next;
        tell(new WorkStep.Created(epoch, given));
        boolean mayHaveTrouble = !shell.world().hostsPromptly();
        boolean fails = mayHaveTrouble && dice.chance(0.02);
        long takes =
                mayHaveTrouble && dice.chance(0.04) ? dice.between(SECONDS, 8 * SECONDS) : dice.between(0, 50 * MILLIS);
        OptionalLong fixed = shell.world().startNanos();
        Runnable start = () -> shell.in(fixed.orElse(takes), () -> started(next, fails && fixed.isEmpty()));
        deferred = null;
        if (isToRest()) {
            deferred = start; // also what it does when it starts may be done somewhere else now
        } else {
            start.run();
        }
    }

    /** Whether an instance that must be alone may do nothing here now; it finishes the letter that it is at. */
    private boolean isToRest() {
        return shell.isHeld() && isExclusive();
    }

    @Override
    public void letAct() {
        if (instance != null) { // it may have failed to start
            instance.mayAct = true;
        }
    }

    private void started(SimulatedInstance next, boolean fails) {
        if (next != instance || next.isRetiring || next.hasEnded) {
            return;
        }
        if (fails) {
            next.hasEnded = true;
            instance = null;
            tell(new WorkStep.StartFailed());
            gate.onStartFailed("it was drawn to fail", now());
        } else {
            next.isStarted = true;
            gate.onStarted(now());
        }
        look();
        pump();
    }

    @Override
    public void retire(boolean wantsState) {
        if (instance == null || instance.isRetiring || instance.hasEnded) {
            throw new IllegalStateException(path + " is to retire but there is none that could");
        }
        SimulatedInstance old = instance;
        old.isRetiring = true;
        old.leavesState = wantsState;
        if (old.current == null) {
            shell.in(dice.between(0, MILLIS), () -> retired(old));
        }
    }

    private void retired(SimulatedInstance old) {
        if (old.hasEnded) {
            return;
        }
        old.hasEnded = true;
        instance = null;
        List<Letter> rest = new ArrayList<>(old.mailbox);
        Optional<List<byte[]>> state = old.leavesState
                ? Optional.of(shell.node().wire().written(old.state, dice.pick(List.of(1, 3, 7, 8, 16))))
                : Optional.empty();
        tell(new WorkStep.Retired(old.state, old.leavesState, List.copyOf(rest)));
        gate.onRetired(rest, state, now());
        look();
    }

    @Override
    public void deliver(Letter letter) {
        if (instance == null || instance.hasEnded || !instance.mayAct) {
            throw new IllegalStateException(letter + " is delivered where no instance is that may act");
        }
        instance.mailbox.add(letter);
        shell.in(0, this::pump);
    }

    /** Turns to the next letter, if the instance may. */
    void pump() {
        tellIfItActs();
        if (instance == null || !instance.isFree() || isToRest()) {
            return;
        }
        SimulatedInstance busy = instance;
        busy.current = busy.mailbox.poll();
        tell(new WorkStep.Began(busy.current, busy.epoch));
        long takes = dice.chance(0.01) ? 200 * MILLIS : dice.between(0, 4 * MILLIS);
        Letter letter = busy.current;
        shell.in(takes, () -> finished(busy, letter));
    }

    private void finished(SimulatedInstance busy, Letter letter) {
        if (busy.hasEnded || busy.current != letter) {
            return;
        }
        busy.current = null;
        busy.state = busy.state.after(letter);
        tell(new WorkStep.Processed(letter, busy.epoch, busy.state));
        count();
        if (busy.isRetiring) {
            retired(busy);
        } else {
            pump();
        }
    }

    /** When whoever must be alone may act again, what was not to start until then does. */
    void onHeld(boolean held) {
        if (!held && deferred != null) {
            Runnable start = deferred;
            deferred = null;
            start.run();
        }
        gate.onHeld(held, now());
        look();
        pump();
    }

    /** This node is about to go for good. */
    void goes() {
        gate.goes(now());
        look();
    }

    /** This node has nothing to do with it any more. An instance finishes the letter that it is at. */
    void end() {
        gate.end(nowhere(), now());
        if (instance != null && instance.current != null) {
            finished(instance, instance.current);
        } else if (instance != null) {
            retired(instance);
        }
        look();
    }

    private PartitionEntry nowhere() {
        PartitionSpec any = new PartitionSpec(1, "", HandoffPolicy.stateless());
        return new PartitionEntry(
                path, PartitionEntry.HIGHEST_EPOCH, shell.node().id(), any, List.of(), true);
    }

    // --- Other things that a gate wants done
    // --------------------------------------------------------------------------

    @Override
    public void send(NodeId to, GateMessage<Letter> message) {
        observed(new WorkStep.Said(to, message));
        shell.send(new Parcel(to, path, message));
    }

    @Override
    public void drop(Letter letter, Drop why) {
        tell(new WorkStep.DeadLetter(letter, why));
    }

    @Override
    public Optional<NodeId> passOn(Letter letter, int hops) {
        NodeId self = shell.node().id();
        Optional<NodeId> host = nextHost()
                .filter(it -> !it.equals(self))
                .or(() -> hosts().stream().filter(it -> !it.equals(self)).findFirst());
        if (host.isPresent()) {
            send(host.get(), new GateMessage.PassedOn<>(letter, hops));
        } else {
            drop(letter, Drop.STOPPED);
        }
        return host;
    }

    @Override
    public void report(long move, Optional<String> failure) {
        shell.report(path, move, failure.orElse(""));
    }

    @Override
    public void reportEnd(long epoch) {
        shell.reportEnd(path, epoch);
    }

    @Override
    public void cannotStart(String why) {
        shell.cannotStart(path, why);
    }

    @Override
    public void overdue(long move, List<NodeId> silent) {
        // For people; nothing follows from it.
    }

    @Override
    public long weigh(Letter letter) {
        return letter.bytes();
    }
}
