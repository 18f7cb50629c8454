package dev.muster.examples;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;

/** The example of the README: an actor that counts. */
public final class Counter {

    private Counter() {}

    sealed interface Command permits Add, Get {}

    record Add(int by) implements Command {}

    record Get() implements Command {}

    static Behavior<Command> counter(int n) {
        return Behaviors.receive(Command.class)
                .on(Add.class, (ctx, add) -> counter(n + add.by()))
                .on(Get.class, (ctx, get) -> {
                    ctx.reply(n);
                    return Behaviors.same();
                })
                .build();
    }

    public static void main(String[] args) {
        try (ActorSystem system = ActorSystem.create("demo")) {
            ActorRef<Command> counter = system.spawn(counter(0), "counter");
            counter.tell(new Add(3));
            counter.tell(new Add(4));
            System.out.println(counter.ask(new Get(), Integer.class).join());
        }
    }
}
