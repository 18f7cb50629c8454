package dev.muster.simulator.check;

import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** The checkers of one run, always fresh: each keeps a memory of its own. */
public final class Checkers {
    private Checkers() {}

    /** Everything that must hold, in the order in which the checkers have to be told of steps. */
    public static List<Checker> all() {
        return assemble(true, false);
    }

    /** Only what must hold at every moment; for runs whose faults never stop. */
    public static List<Checker> safetyOnly() {
        return assemble(false, false);
    }

    /** Everything, and not a single accusation: for runs that keep within the contract of the failure detector. */
    public static List<Checker> withoutFalseAlarms() {
        return assemble(true, true);
    }

    private static List<Checker> assemble(boolean liveness, boolean strictAccuracy) {
        StepReader reader = new StepReader();
        History history = new History(reader);
        List<Checker> checkers = new ArrayList<>();
        checkers.add(history); // first, so that the others find what really happened
        addState(checkers, reader, history);
        addMembership(checkers, reader, history);
        checkers.add(new Accuracy(reader, strictAccuracy));
        checkers.add(new LocalPauseRule(reader));
        addDowning(checkers, reader, history);
        if (liveness) {
            addLiveness(checkers, history);
        }
        checkers.add(new Situations());
        return checkers;
    }

    /** What must hold of partitions, if there are any. */
    public static List<Checker> ofPartitions(SortedMap<PartitionPath, PartitionSpec> wanted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        StepReader reader = new StepReader();
        History history = new History(reader);
        return List.of(
                history, // before who asks it
                new TableGrows(reader, history),
                new PartitionsRun(wanted),
                new LeaversHandOver());
    }

    /** What must hold of letters to partitions. */
    public static List<Checker> ofLetters(SortedMap<PartitionPath, PartitionSpec> wanted) {
        HostLosses losses = new HostLosses();
        Conservation conservation = new Conservation(losses);
        Acks acks = new Acks();
        MoveSteps steps = new MoveSteps();
        return List.of(
                losses, // before those who ask it
                acks, // the same
                conservation,
                new LetterFates(wanted, losses, conservation),
                new LettersInOrder(wanted, losses),
                new OneAtATime(wanted, losses),
                new StartsAfterMargin(wanted, losses),
                new LosersRest(wanted),
                new BuffersOpenAfterAck(wanted, acks),
                new ForwardsUntilAllAcked(wanted, acks, losses),
                steps, // before the next
                new CrashCells(wanted, steps),
                new HandoffSituations());
    }

    private static void addState(List<Checker> checkers, StepReader reader, History history) {
        checkers.add(new MergeLaws(reader, history));
        checkers.add(new SameVersionSameContent(history));
        checkers.add(new ClockHonesty(history));
        checkers.add(new SeenSetRules(reader, history));
        checkers.add(new ClosedReferences());
        checkers.add(new BoundedSize());
        checkers.add(new NoResurrection(reader));
        checkers.add(new TombstoneExpiry(reader, history));
        checkers.add(new ReachabilityRules(reader, history));
    }

    private static void addMembership(List<Checker> checkers, StepReader reader, History history) {
        checkers.add(new LifecycleOrder(reader, history));
        checkers.add(new AuthorRule(reader));
        checkers.add(new UpNumbers(reader));
        checkers.add(new EventFold(reader));
        checkers.add(new LeaderActionsNeedConvergence(reader, history));
        checkers.add(new OneLeaderPerVersion(reader, history));
        checkers.add(new RefusedGossipChangesNothing(history));
        checkers.add(new GossipTargetsRule());
        checkers.add(new Incarnations(reader));
        checkers.add(new SeedRules(history));
        checkers.add(new JoinRules(reader, history));
    }

    private static void addDowning(List<Checker> checkers, StepReader reader, History history) {
        OwnPicture pictures = new OwnPicture(reader);
        checkers.add(new DowningBasis(reader, pictures));
        checkers.add(new DowningPurity(reader, pictures));
        checkers.add(new NewcomersHaveNoVote());
        checkers.add(new NoHastyDowning(history, pictures));
        checkers.add(new BlastRadius());
        checkers.add(pictures); // after those who ask how things stood before the step
        checkers.add(new OneClusterAfterDowning(history));
    }

    private static void addLiveness(List<Checker> checkers, History history) {
        Quiescence quiescence = new Quiescence(history);
        checkers.add(new SelfStops());
        checkers.add(new LeavingEnds(history));
        checkers.add(new Convergence(history));
        checkers.add(quiescence);
        checkers.add(new Monitoring(quiescence));
        checkers.add(new NoOrphanAccusation());
        checkers.add(new Completeness(history));
        checkers.add(new DowningDecides(history));
        checkers.add(new LosersStop(history));
    }
}
