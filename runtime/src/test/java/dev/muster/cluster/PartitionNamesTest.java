package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.AskTimeoutException;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.LogLines;
import dev.muster.actor.NotDeliveredException;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What people read about a partition calls it by the path that they gave it. */
class PartitionNamesTest {
    private static final PartitionPath PATH = new PartitionPath("new/0");

    private boolean cannotBegin;
    private ActorRef<String> ref;
    private VirtualCluster cluster;

    private void begin() {
        cluster =
                new VirtualCluster(1, 1, "", node -> ref = node.cluster.host(Partition.at(PATH.text(), this::silent)));
        cluster.awaitUp();
        cluster.await("it is placed", () -> row().isPresent());
        cluster.pass(500);
    }

    private Optional<PartitionEntry> row() {
        return cluster.node(0).cluster.snapshot().partitions().find(PATH).filter(it -> !it.isDeleted());
    }

    private Behavior<String> silent() {
        if (cannotBegin) {
            throw new IllegalStateException("no database");
        }
        return Behaviors.receive(String.class, (context, message) -> {
            if (message.equals("fail")) {
                throw new IllegalStateException("as told");
            }
            return Behaviors.same();
        });
    }

    private Throwable askInVain() {
        var answer = ref.ask("?", String.class, Duration.ofSeconds(1));
        cluster.await("an answer", answer::isDone);
        try {
            throw new AssertionError("answered " + answer.join());
        } catch (CompletionException failed) {
            return failed.getCause();
        }
    }

    @Test
    void whoAsksOneThatHasEndedLearnsThatThereIsNone() {
        begin();
        var unused = cluster.node(0).cluster.end(PATH);
        cluster.await("it has ended", () -> row().isEmpty());
        cluster.pass(500);
        String reason = "partition new/0 was not delivered: STOPPED, it has no instance that this node knows of; "
                + "see explain partition new/0";
        try (LogLines log = new LogLines("dev.muster.actor.ActorSystem.virtual")) {
            Throwable failure = askInVain();
            assertThat(failure).isInstanceOf(NotDeliveredException.class).hasMessage("the message to " + reason);
            assertThat(((NotDeliveredException) failure).reason()).isEqualTo(DeadLetter.Reason.STOPPED);
            assertThat(log.lines()).contains("message java.lang.String to " + reason);
        }
    }

    @Test
    void whoAsksOneThatCannotBeginLearnsThatItDoesNotRun() {
        cannotBegin = true;
        begin();
        assertThat(askInVain())
                .hasMessage("the message to partition new/0 was not delivered: STOPPED, its instance does not run now; "
                        + "see explain partition new/0");
    }

    @Test
    void whoIsNotAnsweredLearnsByWhom() {
        begin();
        assertThat(askInVain())
                .isInstanceOf(AskTimeoutException.class)
                .hasMessage("partition new/0 did not reply within PT1S");
    }

    @Test
    void aFailureIsLoggedByItsNameAndWhatComesOfIt() {
        begin();
        try (LogLines log = new LogLines("dev.muster.actor.ActorSystem.virtual")) {
            ref.tell("fail");
            cluster.pass(100);
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("partition new/0 failed; it will stop and begin anew"));
        }
    }
}
