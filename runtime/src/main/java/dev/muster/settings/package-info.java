/** Turns configuration files into settings, and says everything that is wrong with them at once. */
package dev.muster.settings;
