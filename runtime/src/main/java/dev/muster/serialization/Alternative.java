package dev.muster.serialization;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** One of the types that a sealed type permits: its fields stand in an object that begins with the type's tag. */
interface Alternative {

    /** Writes what stands between the tag and the end of the object. */
    void writeFields(Object value, JsonGenerator out, Trip trip);

    /** Reads what stands between the tag and the end of the object, which is the current token afterwards. */
    Object readFields(JsonParser in, Trip trip);
}
