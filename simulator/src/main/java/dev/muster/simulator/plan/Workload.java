package dev.muster.simulator.plan;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the nodes of a run are used for, besides being members. */
public enum Workload {
    NONE,
    /** Every node wants the same partitions, of some of which only one instance may act at a time. */
    PARTITIONS,
    /** Partitions under each of the options of a handoff move about all the time, while every node sends to them. */
    HANDOFF;

    private static final int SEVERAL = 8;
    private static final int ALONE = 4;

    public String displayName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Workload> named(String name) {
        return Arrays.stream(values())
                .filter(it -> it.displayName().equals(name))
                .findFirst();
    }

    /** What every node of a run asks for when it starts. */
    public SortedMap<PartitionPath, PartitionSpec> partitions(RunPlan plan) {
        SortedMap<PartitionPath, PartitionSpec> wanted = partitions();
        wanted.putAll(HandoffVariety.of(plan, this).partitions());
        return wanted;
    }

    /** What every node of every run asks for. */
    public SortedMap<PartitionPath, PartitionSpec> partitions() {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        if (this == PARTITIONS) {
            for (int i = 0; i < SEVERAL; i++) {
                wanted.put(
                        new PartitionPath("several/" + i), new PartitionSpec(1 + i % 4, "", HandoffPolicy.stateless()));
            }
            for (int i = 0; i < ALONE; i++) {
                wanted.put(new PartitionPath("alone/" + i), new PartitionSpec(1, "", HandoffPolicy.singleton()));
            }
        }
        if (this == HANDOFF) {
            for (HandoffPolicy policy : policies()) {
                wanted.put(pathOf(policy), new PartitionSpec(1, "", policy));
            }
            wanted.put(new PartitionPath("several"), new PartitionSpec(3, "", HandoffPolicy.ordered()));
            wanted.put(new PartitionPath("alone"), new PartitionSpec(1, "", HandoffPolicy.singleton()));
        }
        return wanted;
    }

    private static PartitionPath pathOf(HandoffPolicy policy) {
        return new PartitionPath("moving/" + policy.toString().replace(" ", ""));
    }

    /** All sets of options that a handoff can have. */
    public static List<HandoffPolicy> policies() {
        List<HandoffPolicy> all = new ArrayList<>();
        for (HandoffPolicy.Migration migration : HandoffPolicy.Migration.values()) {
            for (HandoffPolicy.Arrival arrival : HandoffPolicy.Arrival.values()) {
                for (HandoffPolicy.Update update : HandoffPolicy.Update.values()) {
                    all.add(new HandoffPolicy(migration, arrival, update));
                }
            }
        }
        return all;
    }
}
