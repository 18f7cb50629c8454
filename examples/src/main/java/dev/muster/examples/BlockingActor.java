package dev.muster.examples;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.SpawnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Actors that wait inside their handlers, without anybody else having to wait. */
public final class BlockingActor {

    private BlockingActor() {}

    /** Something slow that makes its caller wait, as a database or a file does. */
    interface Archive {
        String read(String title) throws InterruptedException;
    }

    /** Answers a title with a page. */
    static Behavior<String> reader(Archive archive) {
        return Behaviors.receive(String.class, (ctx, title) -> {
            ctx.reply(archive.read(title));
            return Behaviors.same();
        });
    }

    /** Answers at once. */
    static Behavior<String> clerk() {
        return Behaviors.receive(String.class, (ctx, name) -> {
            ctx.reply("good morning, " + name);
            return Behaviors.same();
        });
    }

    /** A tape that has to be mounted before anybody can read from it. */
    static final class Tape implements Archive {
        private final CountDownLatch readers;
        private final CountDownLatch mounted = new CountDownLatch(1);

        Tape(int readers) {
            this.readers = new CountDownLatch(readers);
        }

        @Override
        public String read(String title) throws InterruptedException {
            readers.countDown();
            mounted.await();
            return "the first page of " + title;
        }

        void awaitReaders() throws InterruptedException {
            readers.await();
        }

        void mount() {
            mounted.countDown();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int count = 20;
        Tape tape = new Tape(count);
        try (ActorSystem system = ActorSystem.create("library")) {
            ActorRef<String> clerk = system.spawn(clerk(), "clerk");
            List<CompletableFuture<String>> pages = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                ActorRef<String> reader = system.spawn(reader(tape), "reader-" + i, SpawnOptions.blocking());
                pages.add(reader.ask("book " + i, String.class));
            }

            tape.awaitReaders();
            System.out.println(count + " readers wait for the tape, each in its handler");
            System.out.println(clerk.ask("Ada", String.class).join());

            tape.mount();
            System.out.println(pages.get(0).join());
            System.out.println(pages.stream().map(CompletableFuture::join).count() + " pages were read");
        }
    }
}
