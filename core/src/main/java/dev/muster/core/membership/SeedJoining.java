package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The way of a node into a cluster: ask all seeds, join the first that answers, be welcomed.
 *
 * <p>Only the first seed may form a cluster, and it is careful about it: at once when there is nobody else to ask or
 * everybody else says that they are no members either, after {@code seed-node-timeout} when others stay silent. A
 * process that was a member before, or that has once been answered by a member, never takes silence for an answer: the
 * cluster may well be on the other side of a split.
 *
 * <p>Specification: "Seed Nodes".
 */
public final class SeedJoining {
    private static final long RETRY_NANOS = 1_000_000_000L;

    /** Whether silence of the other seeds is enough to form a cluster; exchangeable to show why it matters. */
    @FunctionalInterface
    public interface FormingRule {
        /** {@code answered} seeds of {@code others} said that they are no members, {@code waitedNanos} so far. */
        boolean mayForm(int answered, int others, boolean onceMember, long waitedNanos, long timeoutNanos);
    }

    private enum Stage {
        IDLE,
        ASKING,
        JOINING,
        DONE
    }

    private final NodeId self;
    private final JoinSettings settings;
    private final JoinConfiguration configuration;
    private final FormingRule formingRule;

    private Stage stage = Stage.IDLE;
    private List<NodeAddress> contacts = List.of();
    private final TreeMap<NodeAddress, Long> noMembersSinceNanos = new TreeMap<>();
    private boolean mayForm;
    private boolean onceMember;
    private boolean clusterExists;
    private boolean askedToBeLetIn;
    private long startedNanos;
    private long nextAskNanos = Long.MAX_VALUE;
    private long nextNoticeNanos;
    private int attempts;
    private NodeAddress target;
    private long giveUpJoinNanos;

    public SeedJoining(NodeId self, JoinSettings settings, JoinConfiguration configuration, FormingRule formingRule) {
        this.self = self;
        this.settings = settings;
        this.configuration = configuration;
        this.formingRule = formingRule;
    }

    /** The rule that production uses. */
    public static boolean standardFormingRule(
            int answered, int others, boolean onceMember, long waitedNanos, long timeoutNanos) {
        return answered == others || !onceMember && waitedNanos >= timeoutNanos;
    }

    public boolean isUnderWay() {
        return stage == Stage.ASKING || stage == Stage.JOINING;
    }

    /** What a node that looks for its cluster should do now. */
    public enum Next {
        KEEP_LOOKING,
        FORM_CLUSTER,
        /**
         * It asked to be let in somewhere, so it may be a member there under this uid, and must not be one of another
         * cluster too; but nobody knows of that cluster any more. Only a new uid helps.
         */
        START_OVER
    }

    /** Starts with the configured seeds. */
    public Next startWithSeeds(boolean processWasMember, long nowNanos, Effects effects) {
        List<NodeAddress> seeds = settings.seedNodes();
        mayForm = seeds.isEmpty() || seeds.get(0).equals(self.address());
        onceMember = processWasMember;
        List<NodeAddress> others = new ArrayList<>(seeds);
        others.remove(self.address());
        return start(others, nowNanos, effects);
    }

    /** Starts with one member to join; that may be this node itself. */
    public Next startWith(NodeAddress address, long nowNanos, Effects effects) {
        mayForm = address.equals(self.address());
        return start(mayForm ? List.of() : List.of(address), nowNanos, effects);
    }

    private Next start(List<NodeAddress> others, long nowNanos, Effects effects) {
        contacts = List.copyOf(others);
        noMembersSinceNanos.clear();
        attempts = 0;
        startedNanos = nowNanos;
        nextNoticeNanos = nowNanos + settings.seedNodeTimeout().toNanos();
        stage = Stage.ASKING;
        if (mayForm && contacts.isEmpty()) {
            return Next.FORM_CLUSTER;
        }
        ask(nowNanos, effects);
        return Next.KEEP_LOOKING;
    }

    private void ask(long nowNanos, Effects effects) {
        attempts++;
        nextAskNanos = nowNanos + RETRY_NANOS;
        for (NodeAddress contact : contacts) {
            effects.send(contact, new JoinMessage.SeedContact(configuration, false));
        }
    }

    /** A seed is a member: join it, if it would have us. */
    public void onSeedWelcomes(NodeId from, JoinMessage.SeedWelcomes answer, long nowNanos, Effects effects) {
        if (stage == Stage.IDLE || stage == Stage.DONE || !contacts.contains(from.address())) {
            return;
        }
        noMembersSinceNanos.remove(from.address());
        clusterExists = true;
        if (!answer.isCompatible()) {
            effects.publish(new ClusterEvent.JoinRefused(from.address(), answer.reasonsAgainst()));
            if (stage == Stage.JOINING && from.address().equals(target)) {
                stage = Stage.ASKING;
                nextAskNanos = nowNanos + settings.seedNodeTimeout().toNanos();
            }
        } else if (stage == Stage.ASKING) {
            stage = Stage.JOINING;
            target = from.address();
            giveUpJoinNanos = nowNanos + settings.retryUnsuccessfulJoinAfter().toNanos();
            sendJoin(nowNanos, effects);
        }
    }

    /** A seed is no member. */
    public Next onSeedIsNoMember(NodeId from, long nowNanos) {
        if (stage != Stage.ASKING || !contacts.contains(from.address())) {
            return Next.KEEP_LOOKING;
        }
        noMembersSinceNanos.put(from.address(), nowNanos);
        return decide(nowNanos);
    }

    private void sendJoin(long nowNanos, Effects effects) {
        nextAskNanos = nowNanos + RETRY_NANOS;
        askedToBeLetIn = true;
        effects.send(target, new JoinMessage.Join(settings.roles(), settings.appVersion(), configuration));
    }

    /** Whether a welcome from there is what this node waits for. */
    public boolean expectsWelcomeFrom(NodeId from) {
        return stage == Stage.JOINING && from.address().equals(target);
    }

    /** Retries what is due. */
    public Next tick(long nowNanos, Effects effects) {
        if (!isUnderWay() || nowNanos < nextWakeUpNanos()) {
            return Next.KEEP_LOOKING;
        }
        if (stage == Stage.JOINING && nowNanos >= giveUpJoinNanos) {
            stage = Stage.ASKING;
            noMembersSinceNanos.clear();
        }
        if (stage == Stage.ASKING && decide(nowNanos) != Next.KEEP_LOOKING) {
            return decide(nowNanos);
        }
        if (nowNanos >= nextAskNanos) {
            if (stage == Stage.JOINING) {
                sendJoin(nowNanos, effects);
            } else {
                ask(nowNanos, effects);
            }
        }
        if (nowNanos >= nextNoticeNanos) {
            nextNoticeNanos = nowNanos + settings.seedNodeTimeout().toNanos();
            effects.publish(new ClusterEvent.StillJoining(silentContacts(), attempts));
        }
        return Next.KEEP_LOOKING;
    }

    /** While this node itself was held up, nobody can be blamed for silence: answers may be waiting at its own door. */
    public void excusePause(long pauseNanos) {
        startedNanos += pauseNanos;
    }

    private Next decide(long nowNanos) {
        long timeoutNanos = settings.seedNodeTimeout().toNanos();
        // A "no" grows stale: whoever said it may have been let in somewhere since.
        noMembersSinceNanos.values().removeIf(since -> nowNanos - since > timeoutNanos);
        int answered = noMembersSinceNanos.size();
        long waitedNanos = nowNanos - startedNanos;
        if (!mayForm
                || !formingRule.mayForm(
                        answered, contacts.size(), onceMember || clusterExists, waitedNanos, timeoutNanos)) {
            return Next.KEEP_LOOKING;
        }
        return askedToBeLetIn ? Next.START_OVER : Next.FORM_CLUSTER;
    }

    private List<NodeAddress> silentContacts() {
        List<NodeAddress> silent = new ArrayList<>(contacts);
        silent.removeAll(noMembersSinceNanos.keySet());
        return silent;
    }

    /** Why a cluster is formed, for the log. */
    public String whyForming() {
        if (contacts.isEmpty()) {
            return "there is no other seed node to ask";
        }
        List<NodeAddress> silent = silentContacts();
        return silent.isEmpty()
                ? "all other seed nodes answered that they are no members"
                : "no answer from " + silent + " within " + settings.seedNodeTimeout();
    }

    /** The seeds that this node had no answer from when it formed a cluster. */
    public List<NodeAddress> silentSeeds() {
        return silentContacts();
    }

    public void done() {
        stage = Stage.DONE;
        nextAskNanos = Long.MAX_VALUE;
    }

    /** What this node waits for, in a sentence. */
    public Optional<String> pendingSentence() {
        return switch (stage) {
            case IDLE, DONE -> Optional.empty();
            case ASKING ->
                Optional.of("asking seed nodes " + contacts + ", attempt " + attempts + "; silent so far: "
                        + silentContacts());
            case JOINING -> Optional.of("joining " + target + ", waiting to be welcomed");
        };
    }

    public long nextWakeUpNanos() {
        if (!isUnderWay()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(nextAskNanos, nextNoticeNanos);
        if (stage == Stage.ASKING && mayForm && !onceMember && !clusterExists) {
            next = Math.min(next, startedNanos + settings.seedNodeTimeout().toNanos());
        }
        return next;
    }
}
