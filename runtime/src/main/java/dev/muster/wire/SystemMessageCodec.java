package dev.muster.wire;

/** System messages as bytes. The schema is {@code messages.proto}; there is no manifest. */
public final class SystemMessageCodec {
    public static final int SERIALIZER_ID = 22;

    private static final int WATCH = 6;
    private static final int UNWATCH = 7;
    private static final int DEATH_WATCH_NOTIFICATION = 9;

    private SystemMessageCodec() {}

    public static Payload encode(RemoteSystemMessage message) {
        ProtoWriter out = new ProtoWriter(160);
        if (message instanceof RemoteSystemMessage.Watch m) {
            writeWatch(out, WATCH, m.watcheePath(), m.watcherPath());
        } else if (message instanceof RemoteSystemMessage.Unwatch m) {
            writeWatch(out, UNWATCH, m.watcheePath(), m.watcherPath());
        } else if (message instanceof RemoteSystemMessage.DeathWatchNotification m) {
            writeDeath(out, m);
        } else if (message instanceof RemoteSystemMessage.Other m) {
            out.int32(1, m.type());
        }
        return new Payload(SERIALIZER_ID, "", out.toBytes());
    }

    private static void writeWatch(ProtoWriter out, int type, String watchee, String watcher) {
        out.int32(1, type);
        int mark = out.begin(2);
        writePath(out, 1, watchee);
        writePath(out, 2, watcher);
        out.end(mark);
    }

    private static void writeDeath(ProtoWriter out, RemoteSystemMessage.DeathWatchNotification death) {
        out.int32(1, DEATH_WATCH_NOTIFICATION);
        int mark = out.begin(7);
        writePath(out, 1, death.actorPath());
        out.bool(2, death.existenceConfirmed());
        out.bool(3, death.addressTerminated());
        out.end(mark);
    }

    static void writePath(ProtoWriter out, int field, String path) {
        int mark = out.begin(field);
        out.text(1, path);
        out.end(mark);
    }

    static String readPath(ProtoReader in, String name) {
        int outer = in.enter(name);
        String path = null;
        while (in.next()) {
            if (in.field() == 1) {
                path = in.text(name, Limits.PATH_BYTES);
            } else {
                in.skip();
            }
        }
        in.leave(outer);
        if (path == null || path.isEmpty()) {
            throw WireException.missing(name);
        }
        return path;
    }

    /** @throws WireException if the bytes are no such message */
    public static RemoteSystemMessage decode(byte[] buffer, int offset, int length) {
        ProtoReader in = new ProtoReader(buffer, offset, length);
        int type = -1;
        String[] watch = null;
        RemoteSystemMessage death = null;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> type = in.between("type", 0, DEATH_WATCH_NOTIFICATION);
                case 2 -> watch = readWatch(in);
                case 7 -> death = readDeath(in);
                default -> in.skip();
            }
        }
        return switch (type) {
            case -1 -> throw WireException.missing("type");
            case WATCH -> new RemoteSystemMessage.Watch(requireWatch(watch)[0], watch[1]);
            case UNWATCH -> new RemoteSystemMessage.Unwatch(requireWatch(watch)[0], watch[1]);
            case DEATH_WATCH_NOTIFICATION -> requireDeath(death);
            default -> new RemoteSystemMessage.Other(type);
        };
    }

    private static String[] readWatch(ProtoReader in) {
        int outer = in.enter("watch");
        String[] paths = new String[2];
        while (in.next()) {
            switch (in.field()) {
                case 1 -> paths[0] = readPath(in, "watchee");
                case 2 -> paths[1] = readPath(in, "watcher");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (paths[0] == null || paths[1] == null) {
            throw WireException.missing(paths[0] == null ? "watchee" : "watcher");
        }
        return paths;
    }

    private static RemoteSystemMessage readDeath(ProtoReader in) {
        int outer = in.enter("death");
        String path = null;
        boolean existenceConfirmed = false;
        boolean addressTerminated = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> path = readPath(in, "actor");
                case 2 -> existenceConfirmed = in.bool("existenceConfirmed");
                case 3 -> addressTerminated = in.bool("addressTerminated");
                default -> in.skip();
            }
        }
        in.leave(outer);
        if (path == null) {
            throw WireException.missing("actor");
        }
        return new RemoteSystemMessage.DeathWatchNotification(path, existenceConfirmed, addressTerminated);
    }

    private static String[] requireWatch(String[] watch) {
        if (watch == null) {
            throw WireException.missing("watch");
        }
        return watch;
    }

    private static RemoteSystemMessage requireDeath(RemoteSystemMessage death) {
        if (death == null) {
            throw WireException.missing("death");
        }
        return death;
    }
}
