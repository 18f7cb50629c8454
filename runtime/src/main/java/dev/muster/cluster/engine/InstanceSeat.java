package dev.muster.cluster.engine;

import dev.muster.actor.Behavior;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.engine.Failures;
import dev.muster.actor.engine.Letter;
import dev.muster.actor.engine.LocalActorRef;
import dev.muster.actor.engine.Retired;
import dev.muster.cluster.Partition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Where the instance of one partition on this node is started, held and ended. What users have written runs elsewhere,
 * and what comes of it comes back. Guarded by the lock of its post.
 */
final class InstanceSeat {
    private final PartitionPosts posts;
    private final PartitionPost post;
    private final InstanceTroubles troubles = new InstanceTroubles();

    private LocalActorRef<Object> instance;
    private boolean isCreating;
    /** How it is to be started when instances may act again; null if nobody waits for that. */
    private Runnable deferred;

    private boolean isToRetire;
    /** Whether its turn has come: until then the one before it may be at work. */
    private boolean mayAct;
    /** Whether it was made by what this node knew before somebody ended the partition and hosted it anew. */
    private boolean isOutdated;

    InstanceSeat(PartitionPosts posts, PartitionPost post) {
        this.posts = posts;
        this.post = post;
    }

    boolean isTaken() {
        return instance != null || isCreating;
    }

    boolean isOutdated() {
        return isOutdated;
    }

    void markOutdated() {
        isOutdated = true;
    }

    long waiting() {
        return instance == null ? 0 : instance.waiting();
    }

    // --- Beginning
    // ------------------------------------------------------------------------------------------------------------

    void create(long epoch, Optional<List<byte[]>> state) {
        isCreating = true;
        isToRetire = false;
        mayAct = false;
        isOutdated = false;
        Runnable start = () -> posts.runUsers(() -> start(epoch, state));
        if (posts.isHeld() && post.isExclusive()) {
            deferred = start; // also what it does when it starts may be done somewhere else now
        } else {
            start.run();
        }
    }

    /** Without the lock. */
    private void start(long epoch, Optional<List<byte[]>> state) {
        LocalActorRef<Object> begun;
        try {
            begun = spawned(posts.find(post.path()), epoch, state);
        } catch (Throwable failure) {
            if (Failures.isFatal(failure)) {
                posts.node().system().environment().fatal().accept(failure);
            }
            posts.node().log().partitionFailed(post.path(), failure);
            post.turn(() -> onFailed(said(failure)));
            return;
        }
        if (begun == null) {
            posts.node().log().unknownPartition(post.path());
            post.turn(() -> onFailed("the node does not know it; call Cluster.host there"));
            return;
        }
        // It is there when it has begun, which it does in its own turn.
        begun.hold(() -> posts.runUsers(() -> post.turn(() -> onBegun(begun))));
    }

    private static String said(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    @SuppressWarnings("unchecked") // all that know a partition give it the same messages
    private LocalActorRef<Object> spawned(Partition<?> partition, long epoch, Optional<List<byte[]>> state) {
        if (partition == null) {
            return null;
        }
        Optional<Object> left = state.map(parts -> posts.states().read(partition, parts));
        Behavior<Object> behavior = (Behavior<Object>)
                Objects.requireNonNull(partition.behavior().apply(left, epoch), "there is no behavior");
        return posts.node()
                .system()
                .spawnInstance(
                        posts.instances(),
                        behavior,
                        posts.node().partitions().newInstanceName(post.path()),
                        partition.options(),
                        post.ref());
    }

    private void onFailed(String why) {
        isCreating = false;
        if (isToRetire) {
            isToRetire = false;
            post.gate().onRetired(List.of(), Optional.empty(), post.nanoTime());
        } else {
            troubles.onStartFailed(why, post.nanoTime());
            post.gate().onStartFailed(why, post.nanoTime());
        }
    }

    private void onBegun(LocalActorRef<Object> begun) {
        if (begun.hasEnded()) {
            onFailed("it ended while it began; if it failed, the log of that node says why");
            return;
        }
        isCreating = false;
        instance = begun;
        boolean isWatched = begun.addWatcher((ref, failure) -> posts.runUsers(() -> post.turn(() -> onEnded(begun))));
        if (!isWatched) {
            posts.runUsers(() -> post.turn(() -> onEnded(begun)));
        }
        if (isToRetire) {
            isToRetire = false;
            retire(false);
            return;
        }
        troubles.onStarted();
        releaseIfItMay();
        post.gate().onStarted(post.nanoTime());
    }

    /** It has begun, and was quiet since; from now on it may do things by itself. */
    void letAct() {
        mayAct = true;
        releaseIfItMay();
    }

    private void releaseIfItMay() {
        if (instance != null && mayAct && !(posts.isHeld() && post.isExclusive())) {
            instance.release();
        }
    }

    /** It has failed, or ended itself. What is sent until it is started again becomes dead letters. */
    private void onEnded(LocalActorRef<Object> ended) {
        if (instance == ended) {
            instance = null;
            post.gate().onEnded(post.nanoTime());
        }
    }

    /** What is wrong with it here, in sentences. */
    List<String> troubles() {
        return troubles.sentences(post.gate().startAgainAtNanos(), post.nanoTime());
    }

    // --- While it is there
    // -----------------------------------------------------------------------------------------------------

    /** Returns why it was not taken; null if it was. */
    DeadLetter.Reason deliver(Parcel message) {
        return instance == null
                ? DeadLetter.Reason.STOPPED
                : instance.deliver(message.markedContent(posts.remoting(), post.ref()), message.replyTo());
    }

    void hold(boolean held) {
        if (instance != null && held) {
            instance.hold();
        } else {
            releaseIfItMay();
        }
        if (!held && deferred != null) {
            Runnable start = deferred;
            deferred = null;
            start.run();
        }
    }

    // --- Ending
    // ---------------------------------------------------------------------------------------------------------------

    void retire(boolean wantsState) {
        if (isCreating && deferred == null) {
            isToRetire = true;
            return;
        }
        isCreating = false;
        deferred = null;
        LocalActorRef<Object> retiring = instance;
        instance = null;
        if (retiring == null) {
            posts.runUsers(() -> post.turn(() -> post.gate().onRetired(List.of(), Optional.empty(), post.nanoTime())));
        } else {
            AtomicReference<List<byte[]>> written = new AtomicReference<>();
            Consumer<Object> taker = state -> written.set(posts.states().write(post.path(), state));
            // Later and elsewhere: it may be told at once, and what is left has to be written.
            retiring.retire(
                    wantsState ? taker : null, left -> posts.runUsers(() -> onRetired(retiring, left, written)));
        }
    }

    /** Without the lock. */
    private void onRetired(LocalActorRef<Object> retiring, Retired left, AtomicReference<List<byte[]>> written) {
        if (left.failure().isPresent()) {
            Throwable why = left.failure().get();
            posts.node().log().cannotLeaveState(post.path(), why);
            post.turn(() -> onNotRetired(retiring, said(why)));
            return;
        }
        List<Parcel> rest = left.rest().stream().map(InstanceSeat::parcelOf).toList();
        rest.forEach(parcel -> parcel.write(posts.remoting(), posts.node().log(), post.ref()));
        Optional<List<byte[]>> state = Optional.ofNullable(written.get());
        post.turn(() -> post.gate().onRetired(rest, state, post.nanoTime()));
    }

    private static Parcel parcelOf(Letter letter) {
        Parcel parcel = Parcel.of(letter.message(), letter.replyTo());
        return letter.isForAll() ? parcel.markForAll() : parcel;
    }

    private void onNotRetired(LocalActorRef<Object> staying, String why) {
        instance = staying;
        troubles.onNotHandedOver(why, post.nanoTime());
        hold(posts.isHeld() && post.isExclusive());
        post.gate().onNotRetired(why, post.nanoTime());
        if (staying.hasEnded()) {
            onEnded(staying); // nobody looked when it did
        }
    }
}
