/** Certificates and keys for the wire. */
package dev.muster.real.tls;
