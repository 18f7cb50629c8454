package dev.muster.core.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.membership.DowningStrategy.KeepMajority;
import dev.muster.core.membership.DowningStrategy.KeepOldest;
import dev.muster.core.membership.DowningStrategy.StaticQuorum;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries out every small cluster, every way to cut it in two or three, and every leader action that may have reached one
 * side and not another: never do two sides go on.
 *
 * <p>A view gives each member a digit: 0 up, 1 leaving, 2 exiting, 3 joining, 4 removed, 5 up since the leader action.
 * A side goes on if, in its view, it has a member that is not exiting and not told to go.
 */
class DowningInFlightTest {
    private static final int UP = 0;
    private static final int LEAVING = 1;
    private static final int EXITING = 2;
    private static final int JOINING = 3;
    private static final int REMOVED = 4;
    private static final int JUST_UP = 5;
    private static final int VIEWS_PER_MEMBER = 6;

    record World(int size, boolean youngestHasLowestAddress, DowningStrategy strategy) {}

    static List<World> smallWorlds() {
        return worlds(2, 4);
    }

    static List<World> largerWorlds() {
        return worlds(5, 5);
    }

    private static List<World> worlds(int from, int to) {
        List<World> worlds = new ArrayList<>();
        for (int size = from; size <= to; size++) {
            worlds.add(new World(size, false, new KeepMajority("")));
            worlds.add(new World(size, false, new KeepOldest(true, "")));
            worlds.add(new World(size, true, new KeepOldest(true, "")));
            worlds.add(new World(size, true, new KeepOldest(false, "")));
            worlds.add(new World(size, false, new StaticQuorum(size / 2 + 1, "")));
            worlds.add(new World(size, false, new StaticQuorum(1, ""))); // for more than 2·1 − 1 members
        }
        return worlds;
    }

    @ParameterizedTest
    @MethodSource("smallWorlds")
    void neverDoTwoSidesGoOn(World world) {
        tryEverything(world);
    }

    @Tag("soak") // a quarter of a minute
    @ParameterizedTest
    @MethodSource("largerWorlds")
    void neverDoTwoSidesOfFiveGoOn(World world) {
        tryEverything(world);
    }

    private static void tryEverything(World world) {
        boolean[][] goesOn = outcomes(world);
        List<String> doubles = new ArrayList<>();
        int[] before = new int[world.size];
        int cases = 0;
        for (int view = 0; view < power(VIEWS_PER_MEMBER, world.size); view++) {
            digits(view, before);
            int author = author(before);
            if (author < 0 || contains(before, REMOVED) || contains(before, JUST_UP)) {
                continue;
            }
            for (int changed = 0; changed < 1 << world.size; changed++) {
                int after = changed(before, changed);
                if (after >= 0) {
                    cases += tryAllCuts(world.size, author, view, after, goesOn, doubles);
                }
            }
        }
        assertThat(doubles.stream().limit(20)).isEmpty();
        assertThat(cases).isPositive();
    }

    private static int tryAllCuts(
            int size, int author, int before, int after, boolean[][] goesOn, List<String> doubles) {
        int everybody = (1 << size) - 1;
        int cases = 0;
        for (int first = 1; first < everybody; first++) {
            for (int second = first + 1; second < everybody; second++) {
                if ((first & second) != 0) {
                    continue;
                }
                int third = everybody & ~(first | second);
                if (third != 0 && third < second) {
                    continue; // the same cut in another order
                }
                // The author knows what it did; each other side may know or not.
                for (int knowing = 0; knowing < (third == 0 ? 4 : 8); knowing++) {
                    int[] sides = {first, second, third};
                    int count = 0;
                    boolean authorKnows = true;
                    for (int i = 0; i < 3; i++) {
                        boolean knows = (knowing & 1 << i) != 0;
                        authorKnows &= knows || (sides[i] & 1 << author) == 0;
                        count += goesOn[knows ? after : before][sides[i]] ? 1 : 0;
                    }
                    if (authorKnows) {
                        cases++;
                        if (count > 1) {
                            doubles.add("before %s after %s sides %s known to %s"
                                    .formatted(
                                            Integer.toString(before, VIEWS_PER_MEMBER),
                                            Integer.toString(after, VIEWS_PER_MEMBER),
                                            Integer.toBinaryString(first) + "|" + Integer.toBinaryString(second) + "|"
                                                    + Integer.toBinaryString(third),
                                            Integer.toBinaryString(knowing)));
                        }
                    }
                }
            }
        }
        return cases;
    }

    /** Whether each side goes on in each view. Entry 0, the empty side, never does. */
    private static boolean[][] outcomes(World world) {
        int views = power(VIEWS_PER_MEMBER, world.size);
        boolean[][] goesOn = new boolean[views][1 << world.size];
        int[] view = new int[world.size];
        for (int v = 0; v < views; v++) {
            digits(v, view);
            for (int side = 1; side < 1 << world.size; side++) {
                goesOn[v][side] = goesOn(world, view, side);
            }
        }
        return goesOn;
    }

    private static boolean goesOn(World world, int[] view, int side) {
        ClusterState state = state(world, view, side);
        DowningSettings settings = DowningSettings.defaults().withStrategy(world.strategy);
        Optional<DowningDecision> decision = DowningDecision.decide(state, settings, false);
        for (int i = 0; i < world.size; i++) {
            boolean alive = (side & 1 << i) != 0 && view[i] != REMOVED && view[i] != EXITING;
            NodeId id = DowningStates.id("n" + i);
            if (alive && (decision.isEmpty() || !decision.get().down().contains(id))) {
                return true;
            }
        }
        return false;
    }

    private static ClusterState state(World world, int[] view, int side) {
        List<Member> rows = new ArrayList<>();
        for (int i = 0; i < world.size; i++) {
            if (view[i] != REMOVED) {
                rows.add(new Member(
                        DowningStates.id("n" + i),
                        status(view[i]),
                        upNumber(world, view[i], i),
                        List.of("dc-default"),
                        "1"));
            }
        }
        List<ReachabilityRow.Observation> accused = new ArrayList<>();
        for (int i = 0; i < world.size; i++) {
            if (view[i] != REMOVED && (side & 1 << i) == 0) {
                NodeId id = DowningStates.id("n" + i);
                accused.add(new ReachabilityRow.Observation(id, ReachabilityStatus.UNREACHABLE, 1));
            }
        }
        Members members = Members.of(rows);
        List<ReachabilityRow> words = new ArrayList<>();
        SeenSet seen = SeenSet.NOBODY;
        for (int i = 0; i < world.size; i++) {
            NodeId id = DowningStates.id("n" + i);
            if (view[i] != REMOVED && (side & 1 << i) != 0) {
                seen = seen.with(members.ordinalOf(id));
                words.add(new ReachabilityRow(id, 1, accused));
            }
        }
        return ClusterState.of(members, Tombstones.NONE, Reachability.of(words), VectorClock.EMPTY, seen);
    }

    private static int upNumber(World world, int digit, int i) {
        if (digit == JOINING) {
            return Member.NOT_YET_UP;
        }
        int number = world.youngestHasLowestAddress ? world.size - i : i + 1;
        return digit == JUST_UP ? world.size + i + 1 : number;
    }

    private static MemberStatus status(int digit) {
        return switch (digit) {
            case UP, JUST_UP -> MemberStatus.UP;
            case LEAVING -> MemberStatus.LEAVING;
            case EXITING -> MemberStatus.EXITING;
            default -> MemberStatus.JOINING;
        };
    }

    /** The first member that is up or leaving: with everybody reachable, only it may act as leader. */
    private static int author(int[] view) {
        for (int i = 0; i < view.length; i++) {
            if (view[i] == UP || view[i] == LEAVING) {
                return i;
            }
        }
        return -1;
    }

    /** The view after the chosen members moved on by one leader action, or -1 if one of them cannot. */
    private static int changed(int[] before, int chosen) {
        int after = 0;
        for (int i = before.length - 1; i >= 0; i--) {
            int digit = before[i];
            if ((chosen & 1 << i) != 0) {
                if (digit == UP) {
                    return -1;
                }
                digit = next(digit);
            }
            after = after * VIEWS_PER_MEMBER + digit;
        }
        return after;
    }

    private static int next(int digit) {
        return switch (digit) {
            case LEAVING -> EXITING;
            case EXITING -> REMOVED;
            default -> JUST_UP;
        };
    }

    private static boolean contains(int[] view, int digit) {
        for (int each : view) {
            if (each == digit) {
                return true;
            }
        }
        return false;
    }

    private static void digits(int number, int[] digits) {
        int rest = number;
        for (int i = 0; i < digits.length; i++) {
            digits[i] = rest % VIEWS_PER_MEMBER;
            rest /= VIEWS_PER_MEMBER;
        }
    }

    private static int power(int base, int exponent) {
        int result = 1;
        for (int i = 0; i < exponent; i++) {
            result *= base;
        }
        return result;
    }
}
