/** The programs of the tutorial. Each ends by itself; what they print is shown, and checked, in docs/tutorial. */
package dev.muster.examples;
