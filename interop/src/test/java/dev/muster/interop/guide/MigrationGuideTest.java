package dev.muster.interop.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.shop.muster.Deliveries;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.interop.node.Application;
import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import dev.muster.testkit.relay.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Holds {@value Guide#NAME} to the truth: its steps are walked in their order with real nodes of both kinds, whose
 * configuration is that of the guide, and its code is code that compiles and runs.
 */
@Tag("interop")
@Execution(ExecutionMode.SAME_THREAD)
class MigrationGuideTest {
    static final String SYSTEM = "shop";

    private static final List<String> STEPS = List.of(
            "Step 1: Make the old cluster ready",
            "Step 2: Start the first Muster node beside it",
            "Step 3: Let both kinds work",
            "Step 4: Replace the old nodes, one at a time",
            "Step 5: Replace the last old node, and tidy up");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");
    private static final Pattern PORT = Pattern.compile("\\b255([1-4])\\b");
    private static final String REFUSED = "join refused between this node and";

    private final Guide guide = Guide.read();
    private final int[] ports = FreePorts.take(4);

    @TempDir
    private Path folder;

    @Test
    void everyStepHasItsParts() {
        assertThat(guide.headings().stream().filter(it -> it.startsWith("Step ")))
                .as("the steps of %s, which are those of this test", Guide.NAME)
                .containsExactlyElementsOf(STEPS);
        for (String part : List.of("**Do.**", "**Watch.**", "**To go back.**")) {
            assertThat(guide.lines().stream().filter(line -> line.startsWith(part)))
                    .as("one %s for each step", part)
                    .hasSameSizeAs(STEPS);
        }
    }

    @Test
    void everyJavaBlockIsCodeThatCompiles() {
        List<String> sources = Guide.shownSources();
        List<Guide.Block> shown = guide.blocks("java");
        assertThat(shown).isNotEmpty();
        assertThat(shown.stream()
                        .filter(block -> sources.stream().noneMatch(block::occursIn))
                        .map(block -> Guide.NAME + ":" + block.line()))
                .as("blocks of Java that are not word for word in a file of com.example.shop")
                .isEmpty();
    }

    @Test
    void everyLinkLeadsSomewhere() {
        Path docs = Guide.root().resolve("docs");
        List<String> anchors = guide.headings().stream()
                .map(it -> "#"
                        + it.toLowerCase(Locale.ROOT)
                                .replaceAll("[^a-z0-9 -]", "")
                                .replace(' ', '-'))
                .toList();
        assertThat(LINK.matcher(String.join("\n", guide.lines())).results().map(link -> link.group(1)))
                .filteredOn(link -> !link.startsWith("http"))
                .filteredOn(link -> link.startsWith("#")
                        ? !anchors.contains(link)
                        : Files.notExists(docs.resolve(link.replaceFirst("#.*", ""))))
                .as("links of %s that lead nowhere", Guide.NAME)
                .isEmpty();
    }

    @Test
    void theExampleOfStashTimersSupervisionAndWatchRuns() throws InterruptedException {
        BlockingQueue<String> road = new LinkedBlockingQueue<>();
        try (ActorSystem system =
                ActorSystem.create(SYSTEM, ConfigFactory.parseString("muster.actor.provider=local"))) {
            ActorRef<Deliveries.Command> deliveries = system.spawn(
                    Deliveries.closed(parcel -> {
                        if (parcel.equals("broken")) {
                            throw new IllegalArgumentException("as this test wants");
                        }
                        road.add(parcel);
                    }),
                    "deliveries");
            for (String parcel : List.of("one", "broken", "two")) {
                deliveries.tell(new Deliveries.Send(parcel));
            }
            deliveries.tell(new Deliveries.Open());
            deliveries.tell(new Deliveries.Send("three"));
            for (String parcel : List.of("one", "two", "three")) {
                assertThat(road.poll(10, TimeUnit.SECONDS)).isEqualTo(parcel);
            }
        }
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void everyStepCanBeDoneAndUndone() {
        try (MixedCluster cluster = new MixedCluster()) {
            Move move = new Move(cluster);
            step(0, move::makeReady);
            step(1, move::startFirst);
            step(2, move::letBothWork);
            step(3, move::replaceAllButOne);
            step(4, move::replaceLastAndTidyUp);
        }
    }

    private static void step(int number, Runnable doing) {
        long startNanos = System.nanoTime();
        try {
            doing.run();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "\"" + STEPS.get(number) + "\" of " + Guide.NAME + " does not work: " + failure.getMessage(),
                    failure);
        }
        long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
        System.out.println("guide: " + STEPS.get(number) + ": " + seconds + " s");
    }

    /** A team that moves. */
    private final class Move {
        private final Application before = pekko(text("hocon before"));
        private final Application after = muster(text("hocon before") + text("hocon added"));
        private final Application tidy = muster(text("hocon tidy"));
        private final MixedCluster cluster;
        private final Node[] team = new Node[4];

        Move(MixedCluster cluster) {
            this.cluster = cluster;
        }

        void makeReady() {
            for (int i = 0; i < 3; i++) {
                team[i] = startUp(before, i);
            }
            orderFrom(team[0], team[1]);
        }

        void startFirst() {
            team[3] = startUp(after, 3);
            for (String line : guide.block("text log").lines()) {
                assertThat(team[3].log())
                        .as("the log of the first Muster node, with what the guide says is in it")
                        .anyMatch(logged -> logged.endsWith(line));
            }
            assertThat(team[3].log())
                    .as("the log of the first Muster node: its role is the one below muster, not the one below pekko")
                    .anyMatch(line -> line.contains(ports[3] + " is joining, roles [dc-default, muster-1, new]"))
                    .as("what the actor that listens to the cluster tells")
                    .anyMatch(line -> line.endsWith("shop sees up: " + team[0].address()));

            leave(team[3]);
            orderFrom(team[2], team[0]);

            team[3] = startUp(after, 3);
        }

        void letBothWork() {
            for (int i = 0; i < 3; i++) {
                orderFrom(team[3], team[i]);
                orderFrom(team[i], team[3]);
            }
            team[3].tell("flow " + team[0].path("echo"));
        }

        void replaceAllButOne() {
            replace(2, after);
            orderFrom(team[2], team[0]);
            orderFrom(team[0], team[2]);

            replace(2, before);
            orderFrom(team[2], team[3]);
            orderFrom(team[3], team[2]);

            replace(2, after);
            replace(1, after);
            for (int i = 1; i < 4; i++) {
                orderFrom(team[0], team[i]);
                orderFrom(team[i], team[0]);
            }
        }

        void replaceLastAndTidyUp() {
            team[3].tell("flow " + team[1].path("echo"));
            leave(team[0]);
            assertThat(cluster.nodes())
                    .as("who is left after the last old node")
                    .hasSize(3)
                    .allMatch(node -> node.kind() == Kind.MUSTER);
            team[0] = startUp(after, 0);
            orderFrom(team[0], team[3]);
            team[3].tell("flow-end");
            assertThat(team[3].hears("flowed"))
                    .as("what was sent all the time, to an old node and then to a new one, and came back")
                    .matches("flowed \\d{3,} missing 0 reordered 0");

            for (int i = 3; i >= 0; i--) {
                replace(i, tidy);
            }
            for (int i = 0; i < 4; i++) {
                orderFrom(team[i], team[(i + 1) % 4]);
                assertThat(team[i].log())
                        .as("the log of %s with the tidy configuration", team[i])
                        .noneMatch(line -> line.contains("the section pekko"));
            }
            replace(3, before);
            orderFrom(team[3], team[0]);
            orderFrom(team[0], team[3]);
            assertThat(cluster.all())
                    .filteredOn(node -> node.kind() == Kind.MUSTER)
                    .allSatisfy(node -> assertThat(node.log())
                            .as("the log of %s, which should never have formed a cluster of its own", node)
                            .noneMatch(line -> line.contains("formed a new cluster")));
        }

        private Node startUp(Application application, int number) {
            Node node = cluster.start(application, ports[number]);
            node.hears("up");
            cluster.awaitAllUp();
            return node;
        }

        private void leave(Node node) {
            node.tell("leave " + node.address());
            node.hears("removed");
            cluster.forget(node);
            cluster.awaitAllUp();
            node.close();
            node.awaitEnd();
        }

        private void replace(int number, Application next) {
            leave(team[number]);
            team[number] = startUp(next, number);
        }
    }

    /** A message of the shop, in CBOR and by the names that the guide maps, and its answer. */
    private static void orderFrom(Node asking, Node asked) {
        asking.tell("order " + asked.address() + " pens");
        assertThat(asking.hears("placed"))
                .as("what %s says to an order of %s", asked, asking)
                .matches("placed \\d+ pens");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void downingThatDiffersIsRefusedAndWithoutAProviderNobodyDecides() {
        String nobodyDecides = text("hocon before").replaceAll("(?m)^.*downing-provider-class.*\n", "");
        String added = text("hocon added");
        try (MixedCluster cluster = new MixedCluster()) {
            cluster.start(pekko(nobodyDecides), ports[0]).hears("up");
            Node wrong = cluster.start(muster(text("hocon before") + added), ports[1]);
            awaitLog(wrong, REFUSED);
            giveUp(wrong, cluster);

            Node right = cluster.start(muster(nobodyDecides + added), ports[2]);
            right.hears("up");
            awaitLog(right, "pekko.cluster.downing-provider-class is not set");
            cluster.awaitAllUp();
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theCheckOfShardingRefusesAndTheRemedyHelps() {
        String sharding = text("hocon before")
                + "pekko.cluster.sharding.state-store-mode = ddata\n"
                + "pekko.cluster.configuration-compatibility-check.checkers.pekko-cluster-sharding = \""
                + ShardingCheck.class.getName() + "\"\n";
        Application joining = muster(text("hocon before") + text("hocon added"));
        try (MixedCluster cluster = new MixedCluster()) {
            cluster.start(pekko(sharding), ports[0]).hears("up");
            Node refused = cluster.start(joining, ports[1]);
            awaitLog(refused, REFUSED);
        }
        try (MixedCluster cluster = new MixedCluster()) {
            cluster.start(pekko(sharding + text("hocon sharding")), ports[0]).hears("up");
            cluster.start(joining, ports[2]).hears("up");
            cluster.awaitAllUp();
        }
    }

    private static void awaitLog(Node node, String text) {
        node.await("logs: " + text, state -> node.log().stream().anyMatch(line -> line.contains(text)));
    }

    private static void giveUp(Node node, MixedCluster cluster) {
        node.kill();
        cluster.forget(node);
    }

    private Application pekko(String configuration) {
        return new Application(Kind.PEKKO, "pekko", SYSTEM, OldShop.class, file(configuration));
    }

    private Application muster(String configuration) {
        return new Application(Kind.MUSTER, "pekko", SYSTEM, NewShop.class, file(configuration));
    }

    /** A block of the guide. Only ports are others than there, because those may be taken on this machine. */
    private String text(String info) {
        return PORT.matcher(guide.block(info).text())
                .replaceAll(port -> String.valueOf(ports[Integer.parseInt(port.group(1)) - 1]));
    }

    private Path file(String configuration) {
        try {
            return Files.writeString(Files.createTempFile(folder, "guide", ".conf"), configuration);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
