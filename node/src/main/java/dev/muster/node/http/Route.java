package dev.muster.node.http;

/**
 * One thing that can be asked for.
 *
 * @param path exact text; if it ends in a name in braces, whatever follows the part before it
 * @param access who may ask
 * @param summary for the list of routes
 */
record Route(String method, String path, Access access, String summary, Handler handler) {

    /** Who may ask. */
    enum Access {
        /** Anybody who can connect; tells only yes or no. */
        OPEN,
        READ,
        WRITE
    }

    /** Answers. */
    @FunctionalInterface
    interface Handler {
        Response handle(Call call) throws Exception;
    }

    boolean hasVariable() {
        return path.endsWith("}");
    }

    /** The part before the variable. */
    String prefix() {
        return path.substring(0, path.indexOf('{'));
    }

    boolean matches(String requested) {
        return hasVariable()
                ? requested.startsWith(prefix()) && requested.length() > prefix().length()
                : requested.equals(path);
    }
}
