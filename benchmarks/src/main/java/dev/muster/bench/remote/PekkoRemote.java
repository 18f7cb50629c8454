package dev.muster.bench.remote;

import dev.muster.bench.formation.PekkoCluster;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;

/** The two nodes in Pekko: Artery over TCP, and the serializer of its own for arrays of bytes. */
final class PekkoRemote implements RemoteSide {

    private static final byte[] REPORT = new byte[1];
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final PekkoCluster cluster;

    PekkoRemote() throws InterruptedException {
        // Room for the whole window; its default of 3,072 messages would drop what goes beyond.
        cluster = new PekkoCluster(
                "pekko.remote.artery.advanced.outbound-message-queue-size = " + 2 * RemoteBenchmark.WINDOW);
        cluster.add();
        cluster.add();
        cluster.awaitUp(PATIENCE);
    }

    @Override
    public Consumer<byte[]> counter(int reportEvery, Runnable onReport) {
        ActorRef reports = cluster.system(0).actorOf(receiving(report -> onReport.run()));
        ActorRef counter =
                fromFirst(cluster.system(1).actorOf(Props.create(Counting.class, () -> new Counting(reportEvery))));
        return message -> counter.tell(message, reports);
    }

    @Override
    public Consumer<byte[]> echo(Consumer<byte[]> onEcho) {
        ActorRef echoes = cluster.system(0).actorOf(receiving(onEcho));
        ActorRef echo = fromFirst(cluster.system(1).actorOf(Props.create(Echoing.class, Echoing::new)));
        return message -> echo.tell(message, echoes);
    }

    private ActorRef fromFirst(ActorRef ref) {
        ActorSystem second = cluster.system(1);
        String path = ref.path().toStringWithAddress(Cluster.get(second).selfAddress());
        try {
            return cluster.system(0)
                    .actorSelection(path)
                    .resolveOne(PATIENCE)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException nobody) {
            throw new IllegalStateException("there is nobody at " + path, nobody);
        }
    }

    private static Props receiving(Consumer<byte[]> receiver) {
        return Props.create(Receiving.class, () -> new Receiving(receiver));
    }

    private static final class Receiving extends AbstractActor {

        private final Consumer<byte[]> receiver;

        Receiving(Consumer<byte[]> receiver) {
            this.receiver = receiver;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(byte[].class, receiver::accept).build();
        }
    }

    private static final class Counting extends AbstractActor {

        private final int reportEvery;
        private int count;

        Counting(int reportEvery) {
            this.reportEvery = reportEvery;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().match(byte[].class, this::count).build();
        }

        private void count(byte[] message) {
            if (++count == reportEvery) {
                count = 0;
                getSender().tell(REPORT, getSelf());
            }
        }
    }

    private static final class Echoing extends AbstractActor {

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(byte[].class, message -> getSender().tell(message, getSelf()))
                    .build();
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
