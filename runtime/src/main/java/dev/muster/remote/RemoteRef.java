package dev.muster.remote;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import dev.muster.actor.engine.InternalRef;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.actor.engine.SystemMessage;
import dev.muster.actor.engine.Watchable;
import java.nio.charset.StandardCharsets;

/** An actor on another node. */
final class RemoteRef<M> implements InternalRef<M>, Watchable {
    private final Remoting remoting;
    private volatile Association association;
    private final String name;
    private final byte[] ascii;
    private final ActorPath path;
    private final boolean isLarge;

    /** The number that the peer gave it, with the table that it is from; replaced as a whole. */
    private volatile Numbered numbered = Numbered.NONE;

    private record Numbered(PeerTables.Table table, int number) {
        static final Numbered NONE = new Numbered(PeerTables.Table.NONE, -1);
    }

    RemoteRef(Remoting remoting, Association association, String name, ActorPath path) {
        this.remoting = remoting;
        this.association = association;
        this.name = name;
        this.ascii = name.getBytes(StandardCharsets.US_ASCII);
        this.path = path;
        this.isLarge = remoting.isLarge(path.local());
    }

    @Override
    public void tell(M message, ActorRef<?> replyTo) {
        if (message == null) {
            throw new NullPointerException("a message must not be null; it was sent to " + path());
        }
        remoting.tell(this, message, replyTo);
    }

    /** An association that was forgotten because nobody answered gives way to a new one when it is needed again. */
    Association association() {
        Association known = association;
        if (known.isForgotten()) {
            Association next = remoting.association(known.peer());
            if (next != null) {
                association = next;
                return next;
            }
        }
        return known;
    }

    /** As it stands on the wire. */
    String name() {
        return name;
    }

    byte[] ascii() {
        return ascii;
    }

    boolean isLarge() {
        return isLarge;
    }

    /** The number to use with this table; -1 to write it out. */
    int numberIn(PeerTables.Table table) {
        Numbered known = numbered;
        if (known.table() != table) {
            known = new Numbered(table, table.numberOf(name));
            numbered = known;
        }
        return known.number();
    }

    @Override
    public boolean addWatcher(SystemMessage.Watcher watcher) {
        return remoting.watching().add(this, watcher);
    }

    @Override
    public void removeWatcher(SystemMessage.Watcher watcher) {
        remoting.watching().remove(this, watcher);
    }

    @Override
    public LocalActorSystem system() {
        return remoting.system();
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteRef<?> that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
