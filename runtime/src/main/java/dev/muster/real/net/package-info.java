/** Sockets and the threads that serve them. */
package dev.muster.real.net;
