package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every actor has one place in the tree, and can be found there while it lives. */
class NamesAndLookupTest {

    private final World world = World.ofSeed(1);

    private static Behavior<String> family(List<ActorRef<?>> children, String... names) {
        return Behaviors.setup(ctx -> {
            for (String name : names) {
                children.add(ctx.spawn(Behaviors.<String>ignore(), name));
            }
            return Behaviors.receive(String.class, (c, message) -> {
                c.stop(c.child(message).orElseThrow());
                return Behaviors.same();
            });
        });
    }

    @Test
    void aPathNamesTheSystemAndEveryoneFromTheRootDown() {
        List<ActorRef<?>> children = new ArrayList<>();
        world.spawn(family(children, "b"), "a");
        world.run();
        ActorPath path = children.get(0).path();
        assertThat(path).hasToString("muster://world/user/a/b");
        assertThat(path.local()).isEqualTo("/user/a/b");
        assertThat(path.name()).isEqualTo("b");
        assertThat(path.uid()).isPositive();
    }

    @Test
    void lookupFindsTheLivingOnly() {
        List<ActorRef<?>> children = new ArrayList<>();
        ActorRef<String> parent = world.spawn(family(children, "b", "c"), "a");
        world.run();
        assertThat(world.system.lookup("a/b")).contains(children.get(0));
        assertThat(world.system.lookup("a")).contains(parent);
        assertThat(world.system.lookup(children.get(0).path().local())).contains(children.get(0));
        assertThat(world.system.lookup("")).isEmpty();
        assertThat(world.system.lookup("a/")).isEmpty();
        assertThat(world.system.lookup("a/b/none")).isEmpty();
        parent.tell("b");
        world.run();
        assertThat(world.system.lookup("a/b")).isEmpty();
        assertThat(world.system.lookup("a/c")).contains(children.get(1));
    }

    @Test
    void lookupChecksTheProtocolWhereItIsKnown() {
        ActorRef<String> actor =
                world.spawn(Behaviors.receive(String.class, (ctx, message) -> Behaviors.same()), "strings");
        assertThat(world.system.lookup("strings", String.class)).contains(actor);
        assertThatThrownBy(() -> world.system.lookup("strings", Integer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("java.lang.Integer");
    }

    @Test
    void aNameIsTakenUntilItsActorHasFullyStopped() {
        ActorRef<String> first = world.spawn(Behaviors.ignore(), "one");
        assertThatThrownBy(() -> world.spawn(Behaviors.<String>ignore(), "one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"one\"")
                .hasMessageContaining("/user");
        world.system.stop(first);
        world.run();
        ActorRef<String> second = world.spawn(Behaviors.ignore(), "one");
        assertThat(second).isNotEqualTo(first);
        assertThat(second.path().uid()).isNotEqualTo(first.path().uid());
        assertThat(second.path().local()).isEqualTo(first.path().local());
    }

    @Test
    void aSpawnThatWasRefusedIsNotCountedAsAlive() {
        Behavior<String> plain = Behaviors.receive(String.class, (ctx, message) -> Behaviors.same());
        world.spawn(plain, "one");
        assertThatThrownBy(() -> world.spawn(plain, "one")).isInstanceOf(IllegalArgumentException.class);
        assertThat(world.metricsOf(String.class).alive()).isEqualTo(1);
    }

    @Test
    void madeUpNamesCanBeLookedUpToo() {
        ActorRef<String> actor = world.spawn(Behaviors.ignore());
        assertThat(actor.path().name()).startsWith("$");
        assertThat(world.system.lookup(actor.path().name())).contains(actor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "$a", "a/b", "a b", "ä", "a\u0000", "a#1", "a?b", "a%20"})
    void namesThatCouldNotBeWrittenInAPathAreRefused(String name) {
        assertThatThrownBy(() -> world.spawn(Behaviors.<String>ignore(), name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "-a", "a/b", "ü"})
    void soAreNamesOfSystems(String name) {
        assertThatThrownBy(() -> ActorSystem.create(name, ActorSettings.defaults(), world.environment.environment()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name of an actor system");
    }

    @Test
    void anActorKnowsItsChildrenOldestFirstAndStopsOnlyThem() {
        List<List<String>> seen = new ArrayList<>();
        world.spawn(Behaviors.<String>setup(ctx -> {
            ctx.spawn(Behaviors.<String>ignore(), "z");
            ctx.spawn(Behaviors.<String>ignore(), "a");
            seen.add(ctx.children().stream().map(child -> child.path().name()).toList());
            assertThatThrownBy(() -> ctx.stop(ctx.self())).hasMessageContaining("Behaviors.stopped()");
            return Behaviors.ignore();
        }));
        world.run();
        assertThat(seen).containsExactly(List.of("z", "a"));
    }

    @Test
    void manyChildrenComeAndGoAndAllAreFound() {
        World.forEachSeed(5, seed -> {
            World w = World.ofSeed(seed);
            java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
            java.util.Map<String, ActorRef<?>> alive = new java.util.TreeMap<>();
            for (int i = 0; i < 3_000; i++) {
                String name = "n" + random.nextInt(400);
                ActorRef<?> known = alive.remove(name);
                if (known == null) {
                    alive.put(name, w.spawn(Behaviors.<String>ignore(), name));
                } else {
                    w.system.stop(known);
                    w.run();
                    assertThat(w.system.lookup(name)).isEmpty();
                }
            }
            alive.forEach((name, ref) -> assertThat(w.system.lookup(name)).contains(ref));
        });
    }

    @Test
    void onlyActorsOfTheSystemCanBeStopped() {
        assertThatThrownBy(() -> world.system.stop(world.system.deadLetters()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deadLetters");
        World other = World.ofSeed(2);
        assertThatThrownBy(() -> world.system.stop(other.spawn(Behaviors.<String>ignore())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
