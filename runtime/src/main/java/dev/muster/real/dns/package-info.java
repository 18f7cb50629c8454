/** Finds seed nodes in the domain name system. */
package dev.muster.real.dns;
