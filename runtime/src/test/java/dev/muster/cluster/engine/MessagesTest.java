package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import org.junit.jupiter.api.Test;

class MessagesTest {

    sealed interface Command permits Place, Cancel {}

    record Place(String customer) implements Command {}

    record Cancel(long order) implements Command {}

    private final Messages messages = new Messages(ConfigFactory.parseString("muster.serialization.foreign = [{"
                    + "manifest = com.old.Place, serializer-id = 33, class = \"" + Place.class.getName() + "\"}]")
            .withFallback(ConfigFactory.load()));

    private Serialization.Label labelOf(Object message) {
        return messages.present().write(message, null, new ByteSink());
    }

    @Test
    void messagesOfAnActorAreLearned() {
        assertThat(messages.present().knows(Cancel.class)).isFalse();
        messages.learn(Command.class);
        assertThat(labelOf(new Cancel(1)).manifest()).isEqualTo("MessagesTest.Cancel");
    }

    /** Otherwise the start of an actor would change what nodes of other systems get to read. */
    @Test
    void whatOthersCallAMessageStaysSo() {
        messages.learn(Command.class);
        assertThat(labelOf(new Place("Ada")).manifest()).isEqualTo("com.old.Place");
        assertThat(labelOf(new Place("Ada")).serializerId()).isEqualTo(33);
    }
}
