/** The environment of production, and the only package that starts threads or reads clocks. */
package dev.muster.real;
