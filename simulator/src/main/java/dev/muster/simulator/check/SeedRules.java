package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * S1 and S2: one seed list, one cluster.
 *
 * <p>Because of its seed list only the first seed forms a cluster, and only once in its life: when there is no other
 * seed, when every other seed has just said that it is no member, or, unless its process was a member before, when the
 * time-out has passed. It must not do so while some other seed was a member all the time and nothing kept the two from
 * talking. Where something did, two clusters can result; then of two members that could ask each other, one of them at
 * a seed's address, at least one must have raised the alarm by the end of an undisturbed stretch of time.
 */
final class SeedRules implements Checker {
    private static final Set<String> HARMLESS =
            Set.of("crashes", "restarts", "commands", "churn", "clocks", "hostile", "duplicates");

    private static final class Search {
        final long startedNanos;
        final boolean processWasMember;
        final Map<NodeAddress, Long> notMembers = new HashMap<>();

        Search(long startedNanos, boolean processWasMember) {
            this.startedNanos = startedNanos;
            this.processWasMember = processWasMember;
        }
    }

    private final History history;
    private final Map<Integer, Search> searches = new HashMap<>();
    private final Map<Integer, Long> memberSince = new HashMap<>();
    private final Set<Integer> alarmed = new HashSet<>();

    SeedRules(History history) {
        this.history = history;
    }

    @Override
    public void onStep(Step step) {
        int number = step.node().number();
        if (step.input() instanceof Input.CommandGiven given) {
            noteCommand(step, given.command());
        } else if (step.input() instanceof Input.MessageReceived received
                && received.message() instanceof JoinMessage.SeedIsNoMember
                && searches.containsKey(number)) {
            searches.get(number)
                    .notMembers
                    .put(received.from().address(), step.world().nowNanos());
        }
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published) {
                noteEvent(step, published.event());
            }
        }
        if (step.before().members().isEmpty() && !step.after().members().isEmpty()) {
            memberSince.put(number, step.world().nowNanos());
        }
    }

    private void noteCommand(Step step, Command command) {
        if (command instanceof Command.JoinSeeds join && step.before().members().isEmpty()) {
            searches.put(step.node().number(), new Search(step.world().nowNanos(), join.processWasMember()));
        } else if (command instanceof Command.JoinTo && step.before().members().isEmpty()) {
            searches.remove(step.node().number());
        }
    }

    private void noteEvent(Step step, ClusterEvent event) {
        if (event instanceof ClusterEvent.IslandSuspected) {
            alarmed.add(step.node().number());
        } else if (event instanceof ClusterEvent.ClusterFormed) {
            step.world().countChecks(3);
            if (memberSince.containsKey(step.node().number())) {
                step.world().report("S2", "formed a cluster although it has been a member before", step.node());
            }
            Search search = searches.get(step.node().number());
            List<NodeAddress> seeds = step.node().settings().join().seedNodes();
            if (search != null && !seeds.isEmpty()) {
                judgeForming(step, search, seeds);
            }
        }
    }

    private void judgeForming(Step step, Search search, List<NodeAddress> seeds) {
        WorldView world = step.world();
        NodeView node = step.node();
        if (!seeds.get(0).equals(node.address())) {
            world.report("S2", "formed a cluster although the first seed is " + seeds.get(0), node);
        }
        long timeout = node.settings().join().seedNodeTimeout().toNanos();
        boolean allSaidNo = true;
        for (NodeAddress seed : seeds) {
            Long said = search.notMembers.get(seed);
            boolean recently = said != null && world.nowNanos() - said <= timeout + timeout / 10;
            allSaidNo &= recently || seed.equals(node.address());
        }
        // Clocks may run a little fast or slow.
        boolean timedOut = world.nowNanos() - search.startedNanos >= timeout - timeout / 10;
        if (!allSaidNo && !timedOut) {
            world.report("S2", "formed a cluster before the other seeds had answered or the time was up", node);
        }
        if (!allSaidNo && search.processWasMember) {
            world.report("S2", "formed a cluster on silence although its process had been a member before", node);
        }
        if (!allSaidNo && timedOut) {
            world.reached("first seed self-join after timeout");
        }
        judgeIsland(world, node, search, seeds);
    }

    private void judgeIsland(WorldView world, NodeView node, Search search, List<NodeAddress> seeds) {
        long searched = world.nowNanos() - search.startedNanos;
        boolean couldTalk =
                HARMLESS.containsAll(world.facts().faultKinds()) || world.quietForNanos() >= searched + 5_000_000_000L;
        if (!couldTalk || world.facts().commandedDowns()) {
            return;
        }
        for (NodeView other : world.runningNodes()) {
            boolean wasMember = seeds.contains(other.address())
                    && other != node
                    && !other.isPaused()
                    && memberSince.getOrDefault(other.number(), Long.MAX_VALUE) < search.startedNanos
                    && other.state().members().statusOf(other.id()).compareTo(MemberStatus.LEAVING) <= 0;
            if (wasMember) {
                world.report(
                        "S1",
                        "formed a second cluster although seed " + other.id() + " was a member all the time",
                        node);
            }
        }
    }

    @Override
    public void atEnd(WorldView world) {
        for (NodeView node : world.runningNodes()) {
            if (!Health.isMember(node) || alarmed.contains(node.number())) {
                continue;
            }
            ClusterSettings settings = node.settings();
            long interval = settings.join().islandCheckInterval().toNanos();
            long bound = (2L * settings.join().seedNodes().size() + 2) * interval;
            if (history.undisturbedNanos(world) >= bound) {
                judgeAlarm(world, node);
            }
        }
    }

    private void judgeAlarm(WorldView world, NodeView node) {
        for (NodeView other : world.runningNodes()) {
            boolean isOtherIsland = node.settings().join().seedNodes().contains(other.address())
                    && Health.isMember(other)
                    && !alarmed.contains(other.number())
                    && history.clusterOf(other) != history.clusterOf(node)
                    && node.state().members().at(other.address()).isEmpty()
                    && !node.state().tombstones().has(other.id())
                    && !other.state().members().has(node.id());
            world.countChecks(1);
            if (isOtherIsland) {
                world.report(
                        "S1", "never raised the alarm although seed " + other.id() + " is in another cluster", node);
                return;
            }
        }
    }
}
