/** The other end of the management routes: asks nodes, and reads what they answer. */
package dev.muster.node.client;
