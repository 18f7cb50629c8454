package dev.muster.interop.node;

import com.google.protobuf.Struct;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Terminated;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.Partition;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A node of Muster. It reads the very configuration that a node of Pekko would read. */
public class MusterProgram extends Program {

    /** What the client is told to do. */
    private sealed interface Order {
        record Ask(String path, String text) implements Order {}

        record Flood(String path, int count) implements Order {}

        record Watch(String path) implements Order {}

        record Buy(String path, String customer) implements Order {}

        record Wrap(String path, String text) implements Order {}
    }

    private static final List<OurMessages.Line> GOODS = List.of(
            new OurMessages.Line("pens", 3, new BigDecimal("1.10")),
            new OurMessages.Line("paper", 1, new BigDecimal("4.05")));

    protected final ActorSystem system;
    private final Cluster cluster;
    private final ActorRef<Object> echo;
    private final ActorRef<Object> client;
    private final Map<String, ActorRef<Object>> partitions = new TreeMap<>();

    protected MusterProgram(String name) {
        system = ActorSystem.create(name, ConfigFactory.load());
        cluster = Cluster.get(system);
        echo = system.spawn(echo(), "echo");
        client = system.spawn(client(), "client");
        system.spawn(shop(), "shop");
        cluster.subscribe(system.spawn(observer(), "observer"), ClusterEvent.UnreachableMember.class);
        cluster.registerOnMemberUp(() -> say("up"));
        cluster.registerOnMemberRemoved(() -> say("removed"));
    }

    public static void main(String[] args) throws Exception {
        new MusterProgram(Node.SYSTEM).listen();
    }

    private static Behavior<Object> echo() {
        return Behaviors.receive(Object.class)
                .on(String.class, (context, text) -> {
                    if (text.equals("stop")) {
                        return Behaviors.stopped();
                    }
                    context.reply(text);
                    return Behaviors.same();
                })
                .on(Struct.class, (context, struct) -> {
                    context.reply(struct);
                    return Behaviors.same();
                })
                .build();
    }

    private static Behavior<OurMessages.Order> shop() {
        return Behaviors.receive(OurMessages.Order.class, (context, order) -> {
            BigDecimal total = order.lines().stream()
                    .map(it -> it.price().multiply(BigDecimal.valueOf(it.count())))
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
            order.replyTo().tell(new OurMessages.Placed(order.customer(), total));
            return Behaviors.same();
        });
    }

    private static Behavior<Object> observer() {
        return Behaviors.receive(Object.class)
                .on(ClusterEvent.UnreachableMember.class, (context, event) -> {
                    say("unreachable " + event.member().id().address().port());
                    return Behaviors.same();
                })
                .build();
    }

    private Behavior<Object> client() {
        Numbered numbered = new Numbered();
        return Behaviors.setup(context -> Behaviors.receive(Object.class)
                .on(Order.Ask.class, (ctx, ask) -> {
                    actor(ask.path()).tell(ask.text(), ctx.self());
                    return Behaviors.same();
                })
                .on(Order.Flood.class, (ctx, flood) -> {
                    ActorRef<Object> target = actor(flood.path());
                    numbered.expect(flood.count());
                    for (int i = 0; i < flood.count(); i++) {
                        target.tell(Numbered.text(i), ctx.self());
                    }
                    return Behaviors.same();
                })
                .on(Order.Watch.class, (ctx, watch) -> {
                    ctx.watch(actor(watch.path()));
                    say("watching " + watch.path());
                    return Behaviors.same();
                })
                .on(Order.Buy.class, (ctx, buy) -> {
                    actor(buy.path())
                            .tell(new OurMessages.Order(
                                    buy.customer(), GOODS, ctx.self().narrow()));
                    return Behaviors.same();
                })
                .on(Order.Wrap.class, (ctx, wrap) -> {
                    actor(wrap.path()).tell(struct(wrap.text()), ctx.self());
                    return Behaviors.same();
                })
                .on(OurMessages.Placed.class, (ctx, placed) -> {
                    say("placed " + placed.customer() + " " + placed.total());
                    return Behaviors.same();
                })
                .on(Struct.class, (ctx, struct) -> {
                    say(text(struct));
                    return Behaviors.same();
                })
                .on(String.class, (ctx, text) -> {
                    if (!numbered.hears(text) && !flow.hears(text)) {
                        say("answer " + text);
                    }
                    return Behaviors.same();
                })
                .onSignal(Terminated.class, (ctx, gone) -> {
                    say("terminated " + cluster.nameOf(gone.ref()));
                    return Behaviors.same();
                })
                .build());
    }

    @SuppressWarnings("unchecked") // whoever lives there is told texts, as a selection would be
    private ActorRef<Object> actor(String path) {
        return (ActorRef<Object>) cluster.resolve(path);
    }

    @Override
    protected String state() {
        ClusterSnapshot snapshot = cluster.snapshot();
        Map<Integer, String> members = new TreeMap<>();
        snapshot.state()
                .members()
                .forEach(it -> members.merge(
                        it.id().address().port(), text(it.status()), (before, next) -> before + "+" + next));
        return State.write(
                text(snapshot.selfStatus()),
                snapshot.leader().map(it -> it.address().port()).orElse(0),
                members,
                snapshot.state().unreachable().stream()
                        .map(it -> it.address().port())
                        .toList());
    }

    /** As Pekko writes it: WeaklyUp. */
    private static String text(MemberStatus status) {
        StringBuilder text = new StringBuilder();
        for (String word : status.name().split("_")) {
            text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    @Override
    protected void leave(String address) {
        var unused = cluster.leave(NodeAddress.parse(address));
    }

    @Override
    protected void down(String address) {
        var unused = cluster.down(NodeAddress.parse(address));
    }

    @Override
    protected void ask(String path, String text) {
        client.tell(new Order.Ask(path, text));
    }

    @Override
    protected void order(String path, String customer) {
        client.tell(new Order.Buy(path, customer));
    }

    @Override
    protected void struct(String path, String text) {
        client.tell(new Order.Wrap(path, text));
    }

    @Override
    protected void flood(String path, int count) {
        client.tell(new Order.Flood(path, count));
    }

    @Override
    protected void watch(String path) {
        client.tell(new Order.Watch(path));
    }

    @Override
    protected void host(String path, int instances) {
        partitions.put(
                path, cluster.host(Partition.at(path, MusterProgram::echo).instances(instances)));
    }

    @Override
    protected void hostAlone(String path) {
        partitions.put(path, cluster.host(Partition.singleton(path, MusterProgram::echo)));
    }

    @Override
    protected void askPartition(String path, String text) {
        partitions.get(path).tell(text, client);
    }

    @Override
    protected String table() {
        return cluster.snapshot().partitions().entries().values().stream()
                .map(row -> row.path() + "@"
                        + row.instances().stream()
                                .map(it -> String.valueOf(it.address().port()))
                                .sorted()
                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
    }

    @Override
    protected void stopEcho() {
        echo.tell("stop");
    }

    @Override
    protected void end() {
        var terminated = system.terminate();
        Thread waiting = new Thread(() -> {
            terminated.toCompletableFuture().join();
            System.exit(0);
        });
        waiting.setDaemon(true);
        waiting.start();
    }
}
