/** An environment in virtual time on the caller's thread: the same seed gives the same run. */
package dev.muster.virtual;
