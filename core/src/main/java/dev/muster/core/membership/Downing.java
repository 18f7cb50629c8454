package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides when it is time to declare members down, and does it.
 *
 * <p>Think of a referee who waits until the dust has settled. While members accuse each other, nothing is decided
 * before the picture has been the same for stable-after. If it never settles, or somebody is neither heard nor accused,
 * the referee decides anyway after {@code 1.75} times stable-after. On each side one member acts; if it does not, the
 * next one stands in after another stable-after.
 *
 * <p>Belongs to one thread, that of its core. What is decided is in {@link DowningDecision}.
 */
public final class Downing {
    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 200_000_000L;
    /** For how many times the patience it is remembered who was at odds with whom. */
    private static final int MEMORY = 2;
    /** For how many others a node waits that had better not judge. */
    private static final int WAITS_FOR = 2;

    /** What is decided about a state. In production this is {@link DowningDecision#decide}. */
    @FunctionalInterface
    public interface Rule {
        Optional<DowningDecision> decide(ClusterState state, DowningSettings settings, boolean overdue);
    }

    private final NodeId self;
    private final DowningSettings settings;
    private final Rule rule;

    private ClusterState watched = ClusterState.EMPTY;
    private DowningPicture picture = DowningPicture.CALM;
    private long stillSinceNanos;
    private long troubleSinceNanos;
    private final DowningHearing heard = new DowningHearing();
    private final DowningDisputes disputes = new DowningDisputes();
    private final SortedMap<NodeId, Long> accusedSinceNanos = new TreeMap<>();
    private long nextWakeUpNanos = Long.MAX_VALUE;
    private long judgedNanos = Long.MIN_VALUE / 2;

    public Downing(NodeId self, DowningSettings settings, Rule rule) {
        this.self = self;
        this.settings = settings;
        this.rule = rule;
    }

    /** The state as it is, or with members declared down if it is time and up to this node. */
    public ClusterState perform(ClusterState state, long nowNanos, Effects effects) {
        if (state == watched && nowNanos < nextWakeUpNanos) {
            return state;
        }
        watch(state, nowNanos);
        if (isOff() || picture.isCalm()) {
            return state;
        }
        Optional<Judgement> judgement = judgeIfDue(state, nowNanos);
        ClusterState next =
                judgement.map(it -> withDown(state, it.decision().down())).orElse(state);
        if (next == state) {
            return state;
        }
        DowningDecision decision = judgement.get().decision();
        effects.publish(new ClusterEvent.DowningDecided(
                settings.strategy().name(),
                new ArrayList<>(decision.down()),
                decision.reason(),
                judgement.get().basis()));
        watch(next, nowNanos);
        return next;
    }

    /** A decision, and the state on which it was made. */
    private record Judgement(DowningDecision decision, ClusterState basis) {}

    /** Whatever else goes on, nobody is lost by an accusation that has not stood for as long as the picture must. */
    private SortedSet<NodeId> youngAccused(long nowNanos, long ripeNanos) {
        SortedSet<NodeId> young = new TreeSet<>();
        accusedSinceNanos.forEach((id, since) -> {
            if (nowNanos - since < ripeNanos) {
                young.add(id);
            }
        });
        return young;
    }

    /**
     * Those who have long been at odds with somebody in touch, and whoever is accused by such a one. In a quarrel every
     * word counts, the youngest too: a sick node that comes and goes is always accused only just now, by many, while
     * its own old accusation stands.
     */
    private static SortedSet<NodeId> whoQuarrels(ClusterState state, ClusterState view) {
        SortedSet<NodeId> quarrelling = new TreeSet<>();
        for (DowningView.Accusation quarrel : new DowningView(view).quarrels()) {
            quarrelling.add(quarrel.observer());
            quarrelling.add(quarrel.subject());
        }
        SortedSet<NodeId> concerned = new TreeSet<>(quarrelling);
        if (!quarrelling.isEmpty()) {
            for (DowningView.Accusation accusation : DowningView.accusationsIn(state)) {
                if (quarrelling.contains(accusation.observer()) && view.isSeenBy(accusation.subject())) {
                    concerned.add(accusation.subject());
                }
            }
        }
        concerned.removeIf(id -> !view.isSeenBy(id));
        return concerned;
    }

    /** After this process was held up: what it knows may be old news, so everything must hold still anew. */
    public void distrustClock(long nowNanos) {
        stillSinceNanos = nowNanos;
        troubleSinceNanos = nowNanos;
        accusedSinceNanos.replaceAll((id, since) -> nowNanos);
        planNextWakeUp();
    }

    /** When {@link #perform} must be called again even if nothing happens. */
    public long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }

    private boolean isOff() {
        return settings.strategy() instanceof DowningStrategy.Manual;
    }

    private void watch(ClusterState state, long nowNanos) {
        ClusterState before = watched;
        watched = state;
        DowningPicture pictureBefore = picture;
        if (state.members() != before.members() || state.reachability() != before.reachability()) {
            look(picture.followedBy(state), state, nowNanos);
        }
        if (picture.isCalm()) {
            heard.forget();
        } else {
            if (before.version() != state.version()) {
                heard.noteEndOf(before, nowNanos);
            }
            heard.note(state, nowNanos);
            noteAnswers(pictureBefore, nowNanos);
        }
        planNextWakeUp();
    }

    /** Who is no longer accused was heard by somebody, or the accusation would still stand. */
    private void noteAnswers(DowningPicture before, long nowNanos) {
        if (before == picture) {
            return;
        }
        for (NodeId id : before.accused()) {
            if (!picture.accused().contains(id)) {
                heard.noteAnswer(id, nowNanos);
            }
        }
    }

    private void look(DowningPicture next, ClusterState state, long nowNanos) {
        disputes.note(next.accusations(), state, nowNanos, MEMORY * patienceNanos());
        DowningPicture before = picture;
        picture = next;
        if (next.equals(before)) {
            return;
        }
        stillSinceNanos = nowNanos;
        if (before.isCalm() || !next.hasSameMembersAs(before)) {
            troubleSinceNanos = nowNanos; // somebody went: whatever is left is a new question
        }
        Set<NodeId> accused = next.accused();
        accusedSinceNanos.keySet().retainAll(accused);
        accused.forEach(id -> accusedSinceNanos.putIfAbsent(id, nowNanos));
    }

    /** At the earliest when the first in line may act; {@link #judgeIfDue} puts it off for those behind. */
    private void planNextWakeUp() {
        nextWakeUpNanos = isOff() || picture.isCalm() ? Long.MAX_VALUE : Math.min(stillAtNanos(), overdueAtNanos());
    }

    private long patienceNanos() {
        return settings.strategy() instanceof DowningStrategy.AutoDown auto
                ? auto.after().toNanos()
                : settings.stableAfterNanos(picture.voters());
    }

    private long stillAtNanos() {
        long since = settings.strategy() instanceof DowningStrategy.AutoDown ? longestAccusedNanos() : stillSinceNanos;
        return since + patienceNanos();
    }

    private long overdueAtNanos() {
        long since =
                settings.strategy() instanceof DowningStrategy.AutoDown ? longestAccusedNanos() : troubleSinceNanos;
        return since + patienceNanos() + patienceNanos() * 3 / 4;
    }

    private long longestAccusedNanos() {
        return accusedSinceNanos.values().stream()
                .mapToLong(Long::longValue)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private Optional<Judgement> judgeIfDue(ClusterState state, long nowNanos) {
        if (nowNanos < nextWakeUpNanos) {
            return Optional.empty();
        }
        if (nowNanos < judgedNanos + LOOK_AGAIN_NANOS) {
            nextWakeUpNanos = judgedNanos + LOOK_AGAIN_NANOS; // in trouble much changes at once; a look takes a while
            return Optional.empty();
        }
        judgedNanos = nowNanos;
        SortedSet<NodeId> young = youngAccused(nowNanos, patienceNanos());
        ClusterState inTouch = heard.inTouch(state.disregarding(young), nowNanos, patienceNanos());
        young.removeAll(whoQuarrels(state, inTouch));
        disputes.forgetBefore(nowNanos - MEMORY * patienceNanos());
        ClusterState settled = state.disregarding(young);
        ClusterState certain = recalled(settled);
        ClusterState hopeful = recalled(settled.seenAlsoBy(inTouch.seen()));
        List<NodeId> deciders = new DowningView(hopeful).deciders();
        int place = deciders.indexOf(self);
        if (place < 0) {
            nextWakeUpNanos = Long.MAX_VALUE; // until the state is another one
            return Optional.empty();
        }
        if (hadBetterNotJudge(deciders)) {
            place = Math.max(place, WAITS_FOR);
        }
        long standInNanos = place * patienceNanos();
        long stillAt = stillAtNanos() + standInNanos;
        long overdueAt = overdueAtNanos() + standInNanos;
        nextWakeUpNanos = nextAfter(nowNanos, stillAt, overdueAt, standInNanos);
        Optional<DowningDecision> decision = Optional.empty();
        if (nowNanos >= stillAt) {
            decision = rule.decide(hopeful, settings, false);
        }
        if (decision.isEmpty() && nowNanos >= overdueAt) {
            if (settings.downAllWhenUnstable() && !(settings.strategy() instanceof DowningStrategy.AutoDown)) {
                return Optional.of(new Judgement(everybody(hopeful), hopeful));
            }
            decision = rule.decide(hopeful, settings, true);
        }
        return decision.flatMap(hopefully -> settings.strategy() instanceof DowningStrategy.AutoDown
                ? ripe(hopefully, hopeful, nowNanos, standInNanos)
                : agreed(hopefully, hopeful, certain));
    }

    /** Auto-down asks for no majority that would protect from a sick judge, so there its word alone is not enough. */
    private boolean hadBetterNotJudge(List<NodeId> deciders) {
        return disputes.isSuspect(self)
                || settings.strategy() instanceof DowningStrategy.AutoDown
                        && deciders.size() > 1
                        && disputes.isAloneWithItsWord(self);
    }

    private ClusterState recalled(ClusterState basis) {
        return settings.minimalCut() ? disputes.recalledIn(basis) : basis;
    }

    private Optional<Judgement> ripe(DowningDecision decision, ClusterState basis, long nowNanos, long standInNanos) {
        SortedSet<NodeId> young = youngAccused(nowNanos, patienceNanos() + standInNanos);
        SortedSet<NodeId> recent = youngAccused(nowNanos, patienceNanos() + WAITS_FOR * patienceNanos());
        SortedSet<NodeId> ripe = AutoDownRipeness.ripe(decision.down(), basis, young, recent);
        return ripe.isEmpty()
                ? Optional.empty()
                : Optional.of(new Judgement(new DowningDecision(ripe, decision.reason()), basis));
    }

    /**
     * Who may or may not be in touch must not decide who goes on. This side goes on only if it would without them, too;
     * it stops only if it would with them, too. In between it waits: they will be heard again, or be lost for sure.
     */
    private Optional<Judgement> agreed(DowningDecision hopefully, ClusterState hopeful, ClusterState certain) {
        if (settings.strategy() instanceof DowningStrategy.DownAll
                || hopeful.seen().equals(certain.seen())) {
            return Optional.of(new Judgement(hopefully, hopeful));
        }
        Optional<DowningDecision> certainly = rule.decide(certain, settings, true);
        if (goesOn(hopefully, hopeful)) {
            boolean anyway = certainly.isPresent() && goesOn(certainly.get(), certain);
            return anyway ? Optional.of(new Judgement(hopefully, hopeful)) : Optional.empty();
        }
        return certainly
                .filter(decision -> !goesOn(decision, certain))
                .filter(decision -> followsFrom(hopeful, certain, decision))
                .map(decision -> new Judgement(decision, hopeful)); // it takes along only whom it is sure of
    }

    /**
     * With minimal cuts other words may be recalled among fewer members. Others can follow a decision only by one and
     * the same picture; as long as the two pictures lead to different ones it waits, for what is recalled does not
     * last.
     */
    private boolean followsFrom(ClusterState hopeful, ClusterState certain, DowningDecision decision) {
        if (!settings.minimalCut()) {
            return true;
        }
        ClusterState named = ClusterState.of(
                hopeful.members(), hopeful.tombstones(), hopeful.reachability(), hopeful.version(), certain.seen());
        return rule.decide(named, settings, true)
                .filter(it -> it.down().equals(decision.down()))
                .isPresent();
    }

    /** Whether a decision leaves anybody on this side. */
    private static boolean goesOn(DowningDecision decision, ClusterState view) {
        for (Member member : view.members()) {
            if (member.status().countsForConvergence()
                    && view.isSeenBy(member.id())
                    && !decision.down().contains(member.id())) {
                return true;
            }
        }
        return false;
    }

    private DowningDecision everybody(ClusterState view) {
        return DowningDecision.everybody(
                view,
                settings.strategy().name() + ": " + DowningView.names(new TreeSet<>(picture.accused()))
                        + " cannot be reached by all, and the picture has not come to rest for "
                        + seconds(patienceNanos() + patienceNanos() * 3 / 4));
    }

    private long nextAfter(long nowNanos, long stillAt, long overdueAt, long standInNanos) {
        // Who counts as in touch changes as time goes by, so an answer that was no answer is worth another look soon.
        long next = nowNanos + RETRY_NANOS;
        for (long candidate : List.of(stillAt, overdueAt)) {
            next = candidate > nowNanos ? Math.min(next, candidate) : next;
        }
        if (settings.strategy() instanceof DowningStrategy.AutoDown) {
            for (long since : accusedSinceNanos.values()) {
                long candidate = since + patienceNanos() + standInNanos;
                next = candidate > nowNanos ? Math.min(next, candidate) : next;
            }
        }
        return next;
    }

    private ClusterState withDown(ClusterState state, SortedSet<NodeId> down) {
        Members members = state.members();
        for (NodeId id : down) {
            Optional<Member> member = members.find(id);
            if (member.isPresent() && member.get().status() != MemberStatus.DOWN) {
                members = members.with(member.get().withStatus(MemberStatus.DOWN));
            }
        }
        return members == state.members() ? state : state.changed(self, members, state.reachability());
    }

    /** What is waited for, as a sentence for people to read; empty when nobody is accused. */
    public Optional<String> pendingSentence(long nowNanos) {
        if (picture.isCalm()) {
            return Optional.empty();
        }
        String trouble = DowningView.names(new TreeSet<>(picture.accused())) + " cannot be reached by all";
        if (isOff()) {
            return Optional.of(trouble + "; downing is off, so an operator must say who is down");
        }
        DowningView view = new DowningView(heard.inTouch(watched, nowNanos, patienceNanos()));
        String text = trouble + "; " + settings.strategy().name() + " decides " + when(stillAtNanos() - nowNanos)
                + " if nothing changes, and otherwise " + when(overdueAtNanos() - nowNanos)
                + "; first in line to act is "
                + view.deciders().get(0);
        SortedSet<NodeId> undetermined = view.undetermined();
        return Optional.of(
                undetermined.isEmpty()
                        ? text
                        : text + "; " + DowningView.names(undetermined) + " neither answered nor were accused yet");
    }

    private static String when(long nanos) {
        return nanos <= 0 ? "now" : "in " + seconds(nanos);
    }

    private static String seconds(long nanos) {
        long tenths = (nanos + 99_999_999) / 100_000_000;
        return tenths / 10 + "." + tenths % 10 + " s";
    }
}
