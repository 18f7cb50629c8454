package dev.muster.remote;

/** From whom, to whom and what kind: as numbers of the peer's tables where it gave some, else written out. */
final class Labels {
    int refTableVersion;
    int manifestTableVersion;
    int senderIndex = -1;
    byte[] sender;
    int recipientIndex = -1;
    byte[] recipient;
    int manifestIndex = -1;
    byte[] manifest;

    static Labels of(byte[] manifest) {
        Labels labels = new Labels();
        labels.manifest = manifest;
        return labels;
    }

    static Labels of(byte[] sender, byte[] recipient, byte[] manifest) {
        Labels labels = of(manifest);
        labels.sender = sender;
        labels.recipient = recipient;
        return labels;
    }
}
