package dev.muster.node.http;

import dev.muster.cluster.NodeStoppedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what a node answers, but not for ever. */
final class Answers {

    private static final int LONGEST_SECONDS = 5;

    private Answers() {}

    static <T> T await(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException silent) {
            throw new RefusedRequest(
                    503, "the node did not answer within " + LONGEST_SECONDS + " s; it is overloaded or stopping");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof NodeStoppedException stopped) {
                throw new RefusedRequest(503, stopped.getMessage());
            }
            throw new IllegalStateException("the node could not answer", failed.getCause());
        }
    }
}
