/** Tells actors and cores on other nodes what they are told here: connections, handshakes, order, quarantine. */
package dev.muster.remote;
