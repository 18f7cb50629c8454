package dev.muster.interop.node;

import java.util.ArrayList;
import java.util.List;

/** Whose node it is. */
public enum Kind {
    MUSTER(MusterProgram.class),
    PEKKO(PekkoProgram.class);

    private static final String PEKKO_SECTION = "pekko.";

    private final Class<?> program;

    Kind(Class<?> program) {
        this.program = program;
    }

    String program() {
        return program.getName();
    }

    public Kind other() {
        return this == MUSTER ? PEKKO : MUSTER;
    }

    /** Both kinds get the same settings, in the words of an application on Pekko or, for Muster, on Akka. */
    List<String> options(Setup setup, Place place, List<Integer> seeds) {
        List<String> settings = new ArrayList<>(setup.settings());
        settings.add("pekko.remote.artery.canonical.port=" + place.port());
        settings.add("pekko.remote.artery.bind.port=" + place.bindPort());
        for (int i = 0; i < seeds.size(); i++) {
            settings.add("pekko.cluster.seed-nodes." + i + "=" + setup.address(seeds.get(i)));
        }
        boolean isAkka = setup.protocol().equals("akka");
        if (isAkka && this == PEKKO) {
            settings.add("pekko.remote.protocol-name=akka");
            settings.add("pekko.remote.accept-protocol-names.0=akka");
            settings.add("pekko.remote.accept-protocol-names.1=pekko");
        } else if (isAkka) {
            settings.replaceAll(
                    it -> it.startsWith(PEKKO_SECTION) ? "akka." + it.substring(PEKKO_SECTION.length()) : it);
            settings.add("config.resource=akka.conf");
        }
        settings.replaceAll(it -> "-D" + it);
        return settings;
    }
}
