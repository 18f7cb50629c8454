package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage.Join;
import dev.muster.core.exchange.JoinMessage.SeedContact;
import dev.muster.core.exchange.JoinMessage.SeedWelcomes;
import dev.muster.core.exchange.JoinMessage.Welcome;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenDigest;
import dev.muster.wire.proto.ClusterAddress;
import dev.muster.wire.proto.ClusterNode;
import dev.muster.wire.proto.ConfigurationCheck;
import dev.muster.wire.proto.ConfigurationCheck.Verdict;
import dev.muster.wire.proto.Gossip;
import dev.muster.wire.proto.GossipOverview;
import dev.muster.wire.proto.GossipStatusMessage;
import dev.muster.wire.proto.GossipVersion;
import dev.muster.wire.proto.JoinRequest;
import dev.muster.wire.proto.SeedContactMessage;
import dev.muster.wire.proto.SeedWelcomesMessage;
import dev.muster.wire.proto.WelcomeMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a node of ours sounds to Pekko and Akka, and what it makes of their messages, which lack what only we say. */
class OtherSystemsTest {
    private static final String RESOLVER = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider";
    private static final NodeId SELF = new NodeId(NodeAddress.parse("pekko://Sys@self:1"), 1);
    private static final NodeId PEER = new NodeId(NodeAddress.parse("pekko://Sys@peer:2"), 2);

    private final ClusterCodec codec = Samples.codec(SELF);

    @Test
    void theDialectFollowsFromTheProtocol() {
        assertThat(WireDialect.of(SELF.address())).isEqualTo(WireDialect.PEKKO);
        assertThat(WireDialect.of(NodeAddress.parse("akka://Sys@a:1"))).isEqualTo(WireDialect.AKKA);
        assertThat(WireDialect.of(NodeAddress.parse("muster://Sys@a:1"))).isEqualTo(WireDialect.MUSTER);
        assertThat(WireDialect.of(NodeAddress.parse("own.name://Sys@a:1"))).isEqualTo(WireDialect.MUSTER);
    }

    @Test
    void everyContactNamesTheDowningProvider() throws InvalidProtocolBufferException {
        for (JoinConfiguration configuration : List.of(Samples.OWN, JoinConfiguration.UNKNOWN)) {
            Config pekko = asked(SELF, configuration);
            assertThat(pekko.hasPath("pekko.cluster.downing-provider-class")).isTrue();
            NodeId akka = new NodeId(NodeAddress.parse("akka://Sys@self:1"), 1);
            assertThat(asked(akka, configuration).hasPath("akka.cluster.downing-provider-class"))
                    .isTrue();
        }
    }

    @Test
    void ourStrategiesAreTheirResolverWithTheNameOnly() throws InvalidProtocolBufferException {
        Config config = asked(SELF, Samples.configuration("static-quorum of 3 of role backend"));

        assertThat(config.getString("pekko.cluster.downing-provider-class")).isEqualTo(RESOLVER);
        assertThat(config.getString("pekko.cluster.split-brain-resolver.active-strategy"))
                .isEqualTo("static-quorum");
    }

    @Test
    void manualDowningIsNoProvider() throws InvalidProtocolBufferException {
        Config config = asked(SELF, Samples.configuration("manual"));

        assertThat(config.getString("pekko.cluster.downing-provider-class")).isEmpty();
        assertThat(config.hasPath("pekko.cluster.split-brain-resolver.active-strategy"))
                .isFalse();
    }

    @Test
    void amongOurselvesOnlyOurOwnKeysAreSent() throws InvalidProtocolBufferException {
        NodeId muster = new NodeId(NodeAddress.parse("muster://Sys@self:1"), 1);

        Config config = asked(muster, Samples.OWN);

        assertThat(config.root().keySet()).containsExactly("muster");
        assertThat(config.getString("muster.cluster.wire-version")).isEqualTo("1");
    }

    @Test
    void theirResolverFitsOursWhenTheNamesAreEqual() {
        SeedContact same = contact(RESOLVER, "keep-majority");
        SeedContact other = contact(RESOLVER, "keep-oldest");
        SeedContact manual = contact("", "keep-majority");
        SeedContact foreign = contact("com.example.Downing", "keep-majority");

        assertThat(Samples.OWN.differencesTo(same.configuration())).isEmpty();
        assertThat(Samples.OWN.differencesTo(other.configuration())).hasSize(1);
        assertThat(Samples.OWN.differencesTo(manual.configuration())).hasSize(1);
        assertThat(Samples.OWN.differencesTo(foreign.configuration())).hasSize(1);
        assertThat(Samples.configuration("manual").differencesTo(manual.configuration()))
                .isEmpty();
        assertThat(same.fromMember()).isFalse();
    }

    @Test
    void aContactThatSaysNothingIsNotCompared() {
        byte[] empty =
                SeedContactMessage.newBuilder().setConfiguration("{}").build().toByteArray();

        assertThat(((SeedContact) read("IJ", empty)).configuration()).isEqualTo(JoinConfiguration.UNKNOWN);
        assertThat(((SeedContact) read("IJ", new byte[0])).configuration()).isEqualTo(JoinConfiguration.UNKNOWN);
    }

    @Test
    void theAnswerRepeatsTheirKeysAndGivesOurValues() throws InvalidProtocolBufferException {
        contact("{\"pekko\":{\"version\":\"1.7.0\",\"cluster\":{\"downing-provider-class\":\"" + RESOLVER
                + "\",\"split-brain-resolver\":{\"active-strategy\":\"keep-majority\"},"
                + "\"sharding\":{\"state-store-mode\":\"ddata\"}}}}");

        byte[] answer =
                codec.encode(new SeedWelcomes(List.of()), PEER.address()).bytes();

        SeedWelcomesMessage message = SeedWelcomesMessage.parseFrom(answer);
        Config config = ConfigFactory.parseString(message.getCheck().getConfiguration());
        assertThat(message.getCheck().getVerdict()).isEqualTo(Verdict.COMPATIBLE);
        assertThat(config.getString("pekko.cluster.sharding.state-store-mode")).isEqualTo("ddata");
        assertThat(config.getString("pekko.cluster.downing-provider-class")).isEqualTo(RESOLVER);
        assertThat(config.getString("pekko.cluster.split-brain-resolver.active-strategy"))
                .isEqualTo("keep-majority");
    }

    @Test
    void theAnswerSurvivesKeysThatAreValuesInOnePlaceAndObjectsInAnother() throws InvalidProtocolBufferException {
        contact("{\"pekko\":{\"cluster\":7,\"\":1,\"a b\":2,\"version\":{\"x\":1}}}");

        byte[] answer =
                codec.encode(new SeedWelcomes(List.of()), PEER.address()).bytes();

        String text = SeedWelcomesMessage.parseFrom(answer).getCheck().getConfiguration();
        assertThat(ConfigFactory.parseString(text).getString("pekko.cluster.downing-provider-class"))
                .isEqualTo(RESOLVER);
    }

    @Test
    void aRefusalIsToldWithoutAConfiguration() throws InvalidProtocolBufferException {
        byte[] answer =
                codec.encode(new SeedWelcomes(List.of("no")), PEER.address()).bytes();

        SeedWelcomesMessage message = SeedWelcomesMessage.parseFrom(answer);
        assertThat(message.getCheck().getVerdict()).isEqualTo(Verdict.INCOMPATIBLE);
        assertThat(message.getCheck().hasConfiguration()).isFalse();
    }

    @Test
    void theirAnswersAreComparedHereToo() {
        String fits = "{\"pekko\":{\"cluster\":{\"downing-provider-class\":\"" + RESOLVER
                + "\",\"split-brain-resolver\":{\"active-strategy\":\"keep-majority\"}}}}";
        String differs = "{\"pekko\":{\"cluster\":{\"downing-provider-class\":\"\"}}}";

        assertThat(answered(Verdict.COMPATIBLE, fits).isCompatible()).isTrue();
        assertThat(answered(Verdict.COMPATIBLE, differs).reasonsAgainst()).hasSize(1);
        assertThat(answered(Verdict.UNCHECKED, null).isCompatible()).isTrue();
        assertThat(answered(Verdict.INCOMPATIBLE, null).reasonsAgainst())
                .singleElement()
                .asString()
                .contains("pekko://Sys@peer:2");
    }

    @Test
    void aJoinWithoutConfigurationIsThatOfTheContactBefore() {
        SeedContact contact = contact(RESOLVER, "keep-oldest");
        byte[] join = JoinRequest.newBuilder()
                .setNode(node(PEER))
                .addRoles("b")
                .build()
                .toByteArray();

        Join read = (Join) read("J", join);

        assertThat(read.configuration()).isEqualTo(contact.configuration());
        assertThat(read.appVersion()).isEqualTo("0.0.0");
        assertThat(read.roles()).containsExactly("b");
        NodeId reborn = new NodeId(PEER.address(), 77);
        byte[] again = JoinRequest.newBuilder().setNode(node(reborn)).build().toByteArray();
        ClusterMessage.Core other = (ClusterMessage.Core) codec.decode(reborn, "J", again, 0, again.length);
        assertThat(((Join) other.message()).configuration()).isEqualTo(JoinConfiguration.UNKNOWN);
    }

    @Test
    void whatNamesNoReceiverIsForUs() {
        byte[] status = GossipStatusMessage.newBuilder()
                .setFrom(node(PEER))
                .setVersion(GossipVersion.newBuilder().setTimestamp(0))
                .build()
                .toByteArray();
        byte[] welcome = BoundedGzip.zip(WelcomeMessage.newBuilder()
                .setFrom(node(PEER))
                .setGossip(Gossip.newBuilder()
                        .setOverview(GossipOverview.getDefaultInstance())
                        .setVersion(GossipVersion.getDefaultInstance()))
                .build()
                .toByteArray());

        GossipStatus readStatus = (GossipStatus) read("GS", status);
        assertThat(readStatus.to()).isEqualTo(SELF);
        assertThat(readStatus.seenDigest()).isEqualTo(SeenDigest.UNKNOWN);
        assertThat(((Welcome) read("W", welcome)).to()).isEqualTo(SELF);
    }

    @Test
    void akkaWritesItsOwnLongManifests() {
        NodeId self = new NodeId(NodeAddress.parse("akka://Sys@self:1"), 1);
        Payload leave = ClusterCodec.encode(new ClusterMessage.Leave(PEER.address()));

        assertThat(Samples.codec(self)
                        .decode(self, "akka.cluster.ClusterUserAction$Leave", leave.bytes(), 0, leave.bytes().length))
                .isEqualTo(new ClusterMessage.Leave(PEER.address()));
    }

    private static Config asked(NodeId self, JoinConfiguration configuration) throws InvalidProtocolBufferException {
        byte[] bytes = Samples.codec(self)
                .encode(new SeedContact(configuration, false), PEER.address())
                .bytes();
        return ConfigFactory.parseString(SeedContactMessage.parseFrom(bytes).getConfiguration());
    }

    private SeedContact contact(String provider, String strategy) {
        return contact("{\"pekko\":{\"cluster\":{\"downing-provider-class\":\"" + provider
                + "\",\"split-brain-resolver\":{\"active-strategy\":\"" + strategy + "\"}}}}");
    }

    private SeedContact contact(String json) {
        return (SeedContact) read(
                "IJ",
                SeedContactMessage.newBuilder().setConfiguration(json).build().toByteArray());
    }

    private SeedWelcomes answered(Verdict verdict, String configuration) {
        ConfigurationCheck.Builder check = ConfigurationCheck.newBuilder().setVerdict(verdict);
        if (configuration != null) {
            check.setConfiguration(configuration);
        }
        return (SeedWelcomes) read(
                "IJA",
                SeedWelcomesMessage.newBuilder()
                        .setAddress(node(PEER).getAddress())
                        .setCheck(check)
                        .build()
                        .toByteArray());
    }

    private Object read(String manifest, byte[] bytes) {
        return ((ClusterMessage.Core) codec.decode(PEER, manifest, bytes, 0, bytes.length)).message();
    }

    private static ClusterNode node(NodeId id) {
        return ClusterNode.newBuilder()
                .setAddress(ClusterAddress.newBuilder()
                        .setSystem(id.address().system())
                        .setHostname(id.address().host())
                        .setPort(id.address().port())
                        .setProtocol(id.address().protocol()))
                .setUidLow((int) id.uid())
                .setUidHigh((int) (id.uid() >>> 32))
                .build();
    }
}
