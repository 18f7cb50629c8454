package dev.muster.simulator.check;

import dev.muster.core.partition.TableMembers;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Notes who crashed at which step of a move, under which options: a situation for each of the cells that there are.
 * Judges nothing.
 */
public final class CrashCells implements Checker {

    /** What a process has to do with a move. */
    public enum Role {
        N1("N1"),
        N2("N2"),
        LEADER("the leader"),
        SENDER("a sender");

        private final String words;

        Role(String words) {
            this.words = words;
        }
    }

    private final SortedMap<PartitionPath, PartitionSpec> wanted;
    private final MoveSteps steps;

    public CrashCells(SortedMap<PartitionPath, PartitionSpec> wanted, MoveSteps steps) {
        this.wanted = wanted;
        this.steps = steps;
    }

    /** What is noted when one of them crashes at a step. */
    public static String name(HandoffPolicy policy, Role role, int step) {
        return policy + ": " + role.words + " crashes at step " + step;
    }

    /** All that could be noted. */
    public static SortedSet<String> all(List<HandoffPolicy> policies) {
        TreeSet<String> all = new TreeSet<>();
        for (HandoffPolicy policy : policies) {
            for (Role role : Role.values()) {
                for (int step = 1; step <= MoveSteps.LAST; step++) {
                    all.add(name(policy, role, step));
                }
            }
        }
        return Collections.unmodifiableSortedSet(all);
    }

    @Override
    public void onProcess(ProcessChange change) {
        if (change.kind() != ProcessChange.Kind.CRASHED) {
            return;
        }
        wanted.forEach((path, spec) -> steps.of(path).ifPresent(progress -> {
            for (Role role : rolesOf(change.node(), progress)) {
                change.world().reached(name(spec.policy(), role, progress.step()));
            }
        }));
    }

    private static List<Role> rolesOf(NodeView node, MoveSteps.Progress progress) {
        boolean leads = TableMembers.leader(node.state(), node.id())
                .filter(node.id()::equals)
                .isPresent();
        Role part = node.id().equals(progress.move().from())
                ? Role.N1
                : node.id().equals(progress.move().to()) ? Role.N2 : Role.SENDER;
        if (!leads) {
            return List.of(part);
        }
        return part == Role.SENDER ? List.of(Role.LEADER) : List.of(part, Role.LEADER);
    }
}
