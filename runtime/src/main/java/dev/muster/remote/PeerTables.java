package dev.muster.remote;

import java.util.Map;

/** The numbers that the peer wants us to use for its frequent refs and manifests. */
final class PeerTables {
    /** One table; two are the same only if they are the same object, so that whoever remembers a number can tell. */
    record Table(int version, Map<String, Integer> numbers) {
        static final Table NONE = new Table(0, Map.of());

        int numberOf(String text) {
            Integer number = numbers.get(text);
            return number == null ? -1 : number;
        }
    }

    private volatile Table refs = Table.NONE;
    private volatile Table manifests = Table.NONE;

    Table refs() {
        return refs;
    }

    Table manifests() {
        return manifests;
    }

    void setRefs(int version, Map<String, Integer> numbers) {
        refs = new Table(version, Map.copyOf(numbers));
    }

    void setManifests(int version, Map<String, Integer> numbers) {
        manifests = new Table(version, Map.copyOf(numbers));
    }

    void reset() {
        refs = Table.NONE;
        manifests = Table.NONE;
    }
}
