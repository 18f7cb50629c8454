/** Actors of both kinds talk to each other and watch each other. */
package dev.muster.interop.messages;
