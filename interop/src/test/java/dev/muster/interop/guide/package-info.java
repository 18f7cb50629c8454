/** Does what the guide to moving says. */
package dev.muster.interop.guide;
