/** Actors on one node, and the environment they run in. */
module dev.muster.runtime {
    requires transitive org.slf4j;
    requires transitive typesafe.config;

    exports dev.muster.actor;
    exports dev.muster.environment;
    exports dev.muster.virtual;
}
