package dev.muster.serialization;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a message is called on the wire, instead of a name made from its class.
 *
 * <p>On a record or enum it is the whole name. On a sealed type it is the first half of the names of all messages in
 * it: {@code @Manifest("orders") sealed interface Command permits Place} gives {@code orders.Place}. With it, classes
 * can be renamed and moved while nodes of the old and the new version talk to each other.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Manifest {

    String value();
}
