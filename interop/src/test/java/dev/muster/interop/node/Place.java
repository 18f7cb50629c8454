package dev.muster.interop.node;

/**
 * Where a node is to be found.
 *
 * @param port as the others know it
 * @param bindPort where it listens; not the same if a relay is between
 */
record Place(int port, int bindPort) {}
