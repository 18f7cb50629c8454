package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.SpawnOptions;
import dev.muster.testkit.ActorTestKit;
import org.junit.jupiter.api.Test;

class BlockingActorTest {

    @Test
    void aReaderRepliesWithWhatTheArchiveHolds() {
        try (ActorTestKit kit = ActorTestKit.create()) {
            ActorRef<String> reader =
                    kit.spawn(BlockingActor.reader(title -> "page of " + title), "reader", SpawnOptions.blocking());

            assertThat(kit.ask(reader, "Emma", String.class)).isEqualTo("page of Emma");
        }
    }
}
