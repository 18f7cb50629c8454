package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.UnhandledMessage;
import dev.muster.cluster.Cluster;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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

    /** An actor that listens to them has nothing to be told about; one whose messages cannot travel has. */
    @Test
    void whatANodeSaysToItsOwnActorsIsNoProblem() {
        record Odd(Thread thread) {}
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.muster.serialization");
        log.start();
        logger.addAppender(log);
        try {
            for (Class<?> type : List.of(
                    ClusterEvent.class,
                    ClusterEvent.MemberUp.class,
                    DeadLetter.class,
                    UnhandledMessage.class,
                    Cluster.CurrentClusterState.class)) {
                messages.learn(type);
            }
            assertThat(log.list).isEmpty();
            messages.learn(Odd.class);
            assertThat(log.list).singleElement().asString().contains("Odd stay on this node", "Thread");
        } finally {
            logger.detachAppender(log);
        }
    }

    /** Otherwise the start of an actor would change what nodes of other systems get to read. */
    @Test
    void whatOthersCallAMessageStaysSo() {
        messages.learn(Command.class);
        assertThat(labelOf(new Place("Ada")).manifest()).isEqualTo("com.old.Place");
        assertThat(labelOf(new Place("Ada")).serializerId()).isEqualTo(33);
    }
}
