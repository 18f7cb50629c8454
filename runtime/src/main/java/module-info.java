/** Actors, remoting and clusters, and the environment they run in. */
module dev.muster.runtime {
    requires transitive dev.muster.core;
    requires transitive org.slf4j;
    requires transitive typesafe.config;
    requires com.google.protobuf;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.cbor;

    exports dev.muster.actor;
    exports dev.muster.cluster;
    exports dev.muster.environment;
    exports dev.muster.virtual;
    exports dev.muster.wire;
}
