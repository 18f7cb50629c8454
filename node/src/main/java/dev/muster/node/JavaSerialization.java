package dev.muster.node;

import java.io.ObjectInputFilter;

/** Muster never uses Java's own serialization, and nobody who sends bytes to it shall make anything else do so. */
final class JavaSerialization {

    private JavaSerialization() {}

    /**
     * From now on, no object is read by it in this process. A filter that was set before stays, whatever it lets in.
     */
    static void refuse() {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(information -> ObjectInputFilter.Status.REJECTED);
        }
    }
}
