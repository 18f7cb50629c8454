package dev.muster.cluster.engine;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.remote.AnswerTo;
import dev.muster.remote.Remoting;
import dev.muster.wire.ClusterCodec;

/** Sends what cores say to the places where nodes of this wire expect it. */
final class CorePost {
    private static final String DAEMON = "/system/cluster/core/daemon";
    private static final String JOINER = DAEMON + "/joinSeedNodeProcess-1";
    private static final String HEARTBEAT_SENDER = DAEMON + "/heartbeatSender";
    private static final String HEARTBEAT_RECEIVER = "/system/cluster/heartbeatReceiver";

    private final Remoting remoting;
    private final ClusterCodec codec;

    CorePost(Remoting remoting, ClusterCodec codec) {
        this.remoting = remoting;
        this.codec = codec;
    }

    void send(NodeAddress to, CoreMessage message) {
        String sender = DAEMON;
        String recipient = DAEMON;
        int answerTo = AnswerTo.NOBODY_IN_PARTICULAR;
        if (message instanceof HeartbeatMessage.Heartbeat) {
            sender = HEARTBEAT_SENDER;
            recipient = HEARTBEAT_RECEIVER;
        } else if (message instanceof HeartbeatMessage.HeartbeatReply) {
            sender = HEARTBEAT_RECEIVER;
            recipient = HEARTBEAT_SENDER;
            answerTo = AnswerTo.HEARTBEAT;
        } else if (message instanceof JoinMessage.SeedContact) {
            sender = JOINER;
        } else if (message instanceof JoinMessage.SeedWelcomes || message instanceof JoinMessage.SeedIsNoMember) {
            recipient = JOINER;
            answerTo = AnswerTo.SEED_CONTACT;
        } else if (message instanceof JoinMessage.Welcome) {
            answerTo = AnswerTo.JOIN;
        } else if (message instanceof GossipMessage) {
            recipient = DAEMON;
        }
        remoting.sendCore(to, sender, recipient, answerTo, codec.encode(message, to));
    }
}
