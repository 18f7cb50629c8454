package dev.muster.bench.remote;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.LocalCluster;
import java.time.Duration;
import java.util.function.Consumer;

/** The two nodes in Muster. */
final class MusterRemote implements RemoteSide {

    private static final byte[] REPORT = new byte[1];

    private final LocalCluster cluster = LocalCluster.start("bench", 2);

    MusterRemote() {
        cluster.awaitUp(Duration.ofSeconds(60));
    }

    @Override
    public Consumer<byte[]> counter(int reportEvery, Runnable onReport) {
        ActorRef<byte[]> reports = cluster.node(0).system().spawn(receiving(report -> onReport.run()));
        ActorRef<byte[]> counter = fromFirst(cluster.node(1).system().spawn(counting(reportEvery)));
        return message -> counter.tell(message, reports);
    }

    @Override
    public Consumer<byte[]> echo(Consumer<byte[]> onEcho) {
        ActorRef<byte[]> echoes = cluster.node(0).system().spawn(receiving(onEcho));
        ActorRef<byte[]> echo = fromFirst(cluster.node(1).system().spawn(echoing()));
        return message -> echo.tell(message, echoes);
    }

    /** The ref of an actor of the second node, as the first one has it. */
    @SuppressWarnings("unchecked")
    private ActorRef<byte[]> fromFirst(ActorRef<byte[]> ref) {
        return (ActorRef<byte[]>)
                cluster.node(0).cluster().resolve(cluster.node(1).cluster().nameOf(ref));
    }

    private static Behavior<byte[]> receiving(Consumer<byte[]> receiver) {
        return Behaviors.receive(byte[].class)
                .on(byte[].class, (ctx, message) -> {
                    receiver.accept(message);
                    return Behaviors.same();
                })
                .build();
    }

    private static Behavior<byte[]> counting(int reportEvery) {
        return Behaviors.setup(context -> {
            int[] count = new int[1];
            return Behaviors.receive(byte[].class)
                    .on(byte[].class, (ctx, message) -> {
                        if (++count[0] == reportEvery) {
                            count[0] = 0;
                            ctx.reply(REPORT);
                        }
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static Behavior<byte[]> echoing() {
        return Behaviors.receive(byte[].class)
                .on(byte[].class, (ctx, message) -> {
                    ctx.reply(message);
                    return Behaviors.same();
                })
                .build();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
