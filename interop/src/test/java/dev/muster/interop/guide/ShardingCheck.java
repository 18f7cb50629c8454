package dev.muster.interop.guide;

import com.typesafe.config.Config;
import java.util.List;
import org.apache.pekko.cluster.ConfigValidation;
import org.apache.pekko.cluster.JoinConfigCompatChecker;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Demands what the module for sharding demands, which is not on the class path of these tests. */
public final class ShardingCheck extends JoinConfigCompatChecker {
    @Override
    public Seq<String> requiredKeys() {
        return CollectionConverters.asScala(List.of("pekko.cluster.sharding.state-store-mode"))
                .toList();
    }

    @Override
    public ConfigValidation check(Config toCheck, Config actual) {
        return JoinConfigCompatChecker.fullMatch(requiredKeys(), toCheck, actual);
    }
}
