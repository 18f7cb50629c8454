package dev.muster.cluster.engine;

import dev.muster.environment.Dispatchers;
import dev.muster.environment.Environment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Futures for users, who may hang anything on them, such as a callback that waits for the next answer.
 *
 * <p>The core answers in its turn, and a callback that ran there would keep it from any other. So what users get is
 * completed where work may wait, and always: a callback may be attached in the very moment of the answer. Actors that
 * keep every thread of the default dispatcher busy do not hold up an operator's question either.
 */
final class UserFutures {
    private final Environment environment;

    UserFutures(Environment environment) {
        this.environment = environment;
    }

    /** What becomes of {@code inside}, which the core completes, a moment later and elsewhere. */
    <T> CompletableFuture<T> of(CompletableFuture<T> inside) {
        if (inside.isDone()) {
            return inside; // nothing hangs on it yet, and what will be runs on the thread that attaches it
        }
        CompletableFuture<T> outside = new CompletableFuture<>();
        var unused = inside.whenComplete((answer, failure) -> elsewhere(() -> {
            if (failure == null) {
                outside.complete(answer);
            } else {
                outside.completeExceptionally(failure);
            }
        }));
        return outside;
    }

    private void elsewhere(Runnable completion) {
        try {
            environment.dispatchers().named(Dispatchers.BLOCKING).execute(completion);
        } catch (RejectedExecutionException systemHasEnded) {
            completion.run(); // the core has no turns any more that it could be kept from
        }
    }
}
