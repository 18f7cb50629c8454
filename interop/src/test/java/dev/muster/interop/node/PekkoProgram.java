package dev.muster.interop.node;

import com.google.protobuf.Struct;
import com.typesafe.config.ConfigFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;

/** A node of Pekko. Its configuration is in system properties and in {@code application.conf}. */
public class PekkoProgram extends Program {
    protected final ActorSystem system;
    private final Cluster cluster;
    private final ActorRef echo;
    private final ActorRef client;

    protected PekkoProgram(String name) {
        system = ActorSystem.create(name, ConfigFactory.load());
        cluster = Cluster.get(system);
        echo = system.actorOf(Props.create(Echo.class, Echo::new), "echo");
        client = system.actorOf(Props.create(Client.class, () -> new Client(flow)), "client");
        system.actorOf(Props.create(Shop.class, Shop::new), "shop");
        cluster.subscribe(
                system.actorOf(Props.create(Observer.class, Observer::new), "observer"),
                ClusterEvent.initialStateAsEvents(),
                ClusterEvent.UnreachableMember.class);
        cluster.registerOnMemberUp(() -> say("up"));
        cluster.registerOnMemberRemoved(() -> say("removed"));
    }

    public static void main(String[] args) throws Exception {
        new PekkoProgram(Node.SYSTEM).listen();
    }

    @Override
    protected String state() {
        ClusterEvent.CurrentClusterState state = cluster.state();
        List<Member> members = new ArrayList<>();
        state.getMembers().forEach(members::add);
        return State.write(
                cluster.selfMember().status().toString(),
                state.getLeader() == null ? 0 : port(state.getLeader()),
                members.stream()
                        .collect(Collectors.toMap(
                                it -> port(it.address()), it -> it.status().toString(), (a, b) -> a + "+" + b)),
                state.getUnreachable().stream().map(it -> port(it.address())).toList());
    }

    private static int port(Address address) {
        return (Integer) address.port().get();
    }

    @Override
    protected void leave(String address) {
        cluster.leave(AddressFromURIString.parse(address));
    }

    @Override
    protected void down(String address) {
        cluster.down(AddressFromURIString.parse(address));
    }

    @Override
    protected void ask(String path, String text) {
        system.actorSelection(path).tell(text, client);
    }

    @Override
    protected void order(String path, String customer) {
        List<TheirMessages.Line> lines = List.of(
                new TheirMessages.Line("pens", 3, new BigDecimal("1.10")),
                new TheirMessages.Line("paper", 1, new BigDecimal("4.05")));
        system.actorSelection(path).tell(new TheirMessages.Order(customer, lines, client), ActorRef.noSender());
    }

    @Override
    protected void struct(String path, String text) {
        system.actorSelection(path).tell(struct(text), client);
    }

    @Override
    protected void flood(String path, int count) {
        system.actorSelection(path).tell(new Identify(count), client);
    }

    @Override
    protected void watch(String path) {
        system.actorSelection(path).tell(new Identify(path), client);
    }

    @Override
    protected void stopEcho() {
        echo.tell(PoisonPill.getInstance(), ActorRef.noSender());
    }

    @Override
    protected void end() {
        CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.jvmExitReason());
    }

    /** Sends everything back. */
    static final class Echo extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .matchAny(message -> getSender().tell(message, getSelf()))
                    .build();
        }
    }

    /** Says to whom the order names what all of it costs. */
    static final class Shop extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(TheirMessages.Order.class, order -> {
                        BigDecimal total = order.lines().stream()
                                .map(it -> it.price().multiply(BigDecimal.valueOf(it.count())))
                                .reduce(BigDecimal.ZERO, BigDecimal::add);
                        order.replyTo().tell(new TheirMessages.Placed(order.customer(), total), getSelf());
                    })
                    .build();
        }
    }

    /** Says whom this node begins to hold unreachable. */
    static final class Observer extends AbstractActor {
        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(
                            ClusterEvent.UnreachableMember.class,
                            it -> say("unreachable " + port(it.member().address())))
                    .build();
        }
    }

    /** Says what it hears. An identity that it asked for with a path is watched, one with a number is flooded. */
    static final class Client extends AbstractActor {
        private final Numbered numbered = new Numbered();
        private final Flow flow;

        Client(Flow flow) {
            this.flow = flow;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(ActorIdentity.class, this::onIdentity)
                    .match(
                            Terminated.class,
                            it -> say("terminated " + it.getActor().path()))
                    .match(String.class, this::onText)
                    .match(TheirMessages.Placed.class, it -> say("placed " + it.customer() + " " + it.total()))
                    .match(Struct.class, it -> say(text(it)))
                    .build();
        }

        private void onIdentity(ActorIdentity identity) {
            if (identity.getActorRef().isEmpty()) {
                say("nobody " + identity.correlationId());
            } else if (identity.correlationId() instanceof Integer count) {
                ActorRef target = identity.getActorRef().get();
                numbered.expect(count);
                for (int i = 0; i < count; i++) {
                    target.tell(Numbered.text(i), getSelf());
                }
            } else {
                getContext().watch(identity.getActorRef().get());
                say("watching " + identity.correlationId());
            }
        }

        private void onText(String text) {
            if (!numbered.hears(text) && !flow.hears(text)) {
                say("answer " + text);
            }
        }
    }
}
