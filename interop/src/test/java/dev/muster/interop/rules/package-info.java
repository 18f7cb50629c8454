/**
 * The rules of both kinds side by side, without any network: drawn states go through our core and through Pekko's
 * classes.
 */
package dev.muster.interop.rules;
