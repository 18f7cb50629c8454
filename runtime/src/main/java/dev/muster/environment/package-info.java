/** The ports through which Muster reaches time, threads and chance, and nothing else does. */
package dev.muster.environment;
