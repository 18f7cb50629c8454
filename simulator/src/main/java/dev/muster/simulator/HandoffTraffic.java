package dev.muster.simulator;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Input;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.partition.TableMembers;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Letter;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What goes on in a run of the workload {@link dev.muster.simulator.plan.Workload#HANDOFF}: actors on every node send
 * letters, people let partitions move, and now and then a process dies just when a move has come to its next step.
 */
final class HandoffTraffic {
    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1_000_000_000;
    private static final int ACTORS = 3;
    /** Nobody sends any more in the end, so that it can be seen what became of everything. */
    private static final long SILENT_END_NANOS = 40 * SECONDS;

    private final World world;
    private final Dice dice;
    private final Dice faultDice;
    private final Dice endDice;
    private final Dice loadDice;
    private final List<PartitionPath> paths;
    private final TreeMap<String, Long> sequences = new TreeMap<>();
    private long letters;
    private int crashesLeft;
    private boolean isCrashArmed;
    private long pressing;

    HandoffTraffic(World world) {
        this.world = world;
        this.dice = Dice.of(world.plan().seed(), Purpose.LETTERS);
        this.faultDice = Dice.of(world.plan().seed(), Purpose.HANDOFF_FAULTS);
        this.endDice = Dice.of(world.plan().seed(), Purpose.ENDINGS);
        this.loadDice = Dice.of(world.plan().seed(), Purpose.LOAD);
        this.paths = new ArrayList<>(world.partitions().keySet());
    }

    void begin() {
        if (!world.hasLetters()) {
            return;
        }
        later(dice.between(5 * SECONDS, 20 * SECONDS), this::move);
        List<FaultKind> kinds = world.plan().faultKinds();
        if (kinds.contains(FaultKind.CRASHES) || kinds.contains(FaultKind.RESTARTS)) {
            crashesLeft = faultDice.betweenInclusive(1, 6);
            later(faultDice.between(10 * SECONDS, 40 * SECONDS), this::armCrash);
        }
        if (world.variety().isScaled()) {
            changeLoad();
        }
        if (endDice.chance(0.25) || world.variety().hasRoles()) {
            later(endDice.between(15 * SECONDS, 40 * SECONDS), this::end);
            later(Math.max(0, world.plan().quietFromNanos() - 10 * SECONDS), this::wantAll);
            // An end may be carried out whose asker has died since, when all agree again.
            later(Math.max(0, world.plan().quietFromNanos() + 40 * SECONDS), this::wantAll);
        }
    }

    private void later(long nanos, Runnable what) {
        world.add(Happening.of(what), world.nowNanos() + nanos);
    }

    /** Whether there is still time for disturbances. */
    private boolean isRestless() {
        return world.nowNanos() < world.plan().quietFromNanos() - 15 * SECONDS;
    }

    // --- Letters
    // ------------------------------------------------------------------------------------------------------

    void started(SimulatedNode node) {
        if (world.hasLetters()) {
            writeLater(node);
        }
        if (world.variety().isScaled()) {
            measureLater(node);
        }
    }

    private void writeLater(SimulatedNode node) {
        long nodes = Math.max(1, world.plan().usedSlots() / 6);
        node.shell().in(dice.between(0, 600 * MILLIS * nodes), () -> {
            if (isTimeToWrite()) {
                writeSome(node);
                writeLater(node);
            }
        });
    }

    private boolean isTimeToWrite() {
        return !world.hostsPromptly() && world.nowNanos() < world.plan().lengthNanos() - SILENT_END_NANOS;
    }

    private void writeSome(SimulatedNode node) {
        int actor = dice.below(ACTORS);
        PartitionPath path = dice.pick(paths);
        int count = dice.chance(0.04) ? dice.betweenInclusive(5, 25) : dice.betweenInclusive(1, 2);
        for (int i = 0; i < count; i++) {
            write(node, actor, path);
        }
    }

    /** Whoever has just learned of a partition sends to it at once. */
    void hasRoute(SimulatedNode node, PartitionPath path) {
        if (isTimeToWrite() && dice.chance(0.3)) {
            write(node, dice.below(ACTORS), path);
        }
    }

    /** An actor sends a letter to where its node's table says; to nobody if that names no host. */
    Optional<Letter> write(SimulatedNode node, int actor, PartitionPath path) {
        Optional<NodeId> host = node.shell().nextHost(path);
        if (host.isEmpty()) {
            return Optional.empty();
        }
        long sequence = sequences.merge(node.number() + "/" + actor + "/" + path, 1L, Long::sum);
        Letter letter = new Letter(++letters, node.id(), actor, path, sequence, bytes(), world.nowNanos());
        world.worked(node, path, new WorkStep.Sent(letter));
        node.shell().send(new Parcel(host.get(), path, letter));
        return Optional.of(letter);
    }

    /** Some are so large that only a few of them have room, in runs in which little may wait. */
    private int bytes() {
        return dice.chance(0.05) ? dice.betweenInclusive(1_000, 8_000) : dice.betweenInclusive(1, 400);
    }

    // --- Moves
    // --------------------------------------------------------------------------------------------------------

    private void move() {
        if (!isRestless()) {
            return;
        }
        List<SimulatedNode> running = world.runningNodes();
        if (!running.isEmpty()) {
            Command wish = dice.chance(0.1)
                    ? new Command.Rebalance()
                    : new Command.Migrate(
                            dice.pick(paths), dice.pick(running).id().address());
            dice.pick(running).give(new Input.CommandGiven(wish));
        }
        later(dice.between(200 * MILLIS, 3 * SECONDS), this::move);
    }

    // --- Ends
    // ---------------------------------------------------------------------------------------------------------

    /** Somebody ends a partition, and somebody wants it again, now and then at once or at the same node. */
    private void end() {
        if (!isRestless()) {
            return;
        }
        List<SimulatedNode> running = world.runningNodes();
        if (!running.isEmpty()) {
            PartitionPath path = endDice.pick(world.variety().hasRoles() ? mostlyThoseOfRoles() : paths);
            SimulatedNode who = endDice.pick(running);
            who.give(new Input.CommandGiven(new Command.EndPartition(path)));
            SimulatedNode next = endDice.chance(0.5) ? who : endDice.pick(running);
            PartitionSpec spec =
                    endDice.pick(world.variety().choicesFor(world.partitions().get(path)));
            later(endDice.chance(0.3) ? 0 : endDice.between(0, 5 * SECONDS), () -> want(next, path, spec));
        }
        later(endDice.between(5 * SECONDS, 40 * SECONDS), this::end);
    }

    /** What moves from one role to another has to be ended first. */
    private List<PartitionPath> mostlyThoseOfRoles() {
        return endDice.chance(0.3)
                ? paths
                : paths.stream()
                        .filter(path -> !world.partitions().get(path).role().isEmpty())
                        .toList();
    }

    private void want(SimulatedNode node, PartitionPath path, PartitionSpec spec) {
        if (node.isRunning()) {
            node.give(new Input.CommandGiven(new Command.WantPartition(path, spec)));
        }
    }

    /** So that all of them are there in the end, whatever has become of those who were asked. */
    private void wantAll() {
        world.runningNodes().forEach(node -> world.partitions().forEach((path, spec) -> want(node, path, spec)));
    }

    // --- Load
    // ---------------------------------------------------------------------------------------------------------

    /** All that is scaled is pressed for a while, or left in peace. When all is to settle, nobody measures any more. */
    private void changeLoad() {
        pressing = pressing > 0 ? 0 : loadDice.betweenInclusive(150, 2_000);
        if (isRestless()) {
            later(loadDice.between(10 * SECONDS, 60 * SECONDS), this::changeLoad);
        }
    }

    private void measureLater(SimulatedNode node) {
        long interval = node.settings().partitions().load().interval().toNanos();
        node.shell().in(loadDice.between(interval / 2, interval), () -> {
            if (isRestless()) {
                measure(node);
                measureLater(node);
            }
        });
    }

    private void measure(SimulatedNode node) {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        node.gates().forEach((path, gate) -> {
            if (gate.acts()) {
                long pressure = world.partitions().get(path).isScaled() ? pressing : 0;
                mailboxes.put(path, node.shell().waitingFor(path) + pressure);
            }
        });
        double busy = pressing > 0 ? 0.95 : 0.2;
        node.give(new Input.LoadMeasured(busy * loadDice.unit(), 0.3 * loadDice.unit(), mailboxes));
    }

    // --- Crashes in the middle of a move
    // ------------------------------------------------------------------------------

    private void armCrash() {
        if (crashesLeft > 0 && isRestless()) {
            crashesLeft--;
            isCrashArmed = true;
            later(faultDice.between(10 * SECONDS, 40 * SECONDS), this::armCrash);
        }
    }

    void onWork(WorkStep step) {
        if (isCrashArmed && step.what() instanceof WorkStep.MoveWentOn went && isRestless() && faultDice.chance(0.3)) {
            isCrashArmed = false;
            crash(step, went);
        }
    }

    private void crash(WorkStep step, WorkStep.MoveWentOn went) {
        MoveView move = went.after().or(went::before).orElseThrow();
        int choice = faultDice.below(4);
        Optional<SimulatedNode> victim = switch (choice) {
            case 0 -> world.node(move.from());
            case 1 -> world.node(move.to());
            case 2 -> TableMembers.leader(step.node().state(), step.node().id()).flatMap(world::node);
            default -> someoneElse(move);
        };
        victim.filter(SimulatedNode::isRunning)
                .ifPresent(node -> later(faultDice.chance(0.5) ? 0 : faultDice.between(0, 5 * MILLIS), () -> {
                    if (node.isRunning()) {
                        world.injector().crashForAWhile(node, faultDice.between(SECONDS, 12 * SECONDS));
                    }
                }));
    }

    private Optional<SimulatedNode> someoneElse(MoveView move) {
        List<SimulatedNode> others = world.runningNodes().stream()
                .filter(it -> !it.id().equals(move.from()) && !it.id().equals(move.to()))
                .toList();
        return others.isEmpty() ? Optional.empty() : Optional.of(faultDice.pick(others));
    }
}
