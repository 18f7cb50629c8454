package dev.muster.wire;

import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * What other systems said of their configuration when they asked for a seed: the answer has to repeat it, and their
 * later request to join does not say it again. Only the last few are kept.
 */
final class SeedContacts {
    private static final int MOST = 64;

    private record Contact(NodeId node, JoinConfigurationText.Reading reading) {}

    private final boolean isNeeded;
    private final Map<NodeAddress, Contact> contacts = new LinkedHashMap<>();

    SeedContacts(WireDialect dialect) {
        this.isNeeded = dialect != WireDialect.MUSTER;
    }

    synchronized void heard(NodeId from, JoinConfigurationText.Reading reading) {
        if (isNeeded && !reading.isOurs()) {
            contacts.remove(from.address());
            contacts.put(from.address(), new Contact(from, reading));
            if (contacts.size() > MOST) {
                contacts.remove(contacts.keySet().iterator().next());
            }
        }
    }

    synchronized SortedMap<String, String> askedBy(NodeAddress address) {
        Contact contact = contacts.get(address);
        return contact == null
                ? Collections.emptySortedMap()
                : contact.reading().foreign();
    }

    synchronized JoinConfiguration configurationOf(NodeId node) {
        Contact contact = contacts.get(node.address());
        return contact != null && contact.node().equals(node)
                ? contact.reading().configuration()
                : JoinConfiguration.UNKNOWN;
    }
}
