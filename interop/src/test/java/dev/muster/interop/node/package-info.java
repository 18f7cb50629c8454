/** Nodes of both kinds as processes of their own, and the few words that a test exchanges with them. */
package dev.muster.interop.node;
