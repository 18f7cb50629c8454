/** Where a node learns whom to ask for its cluster. */
package dev.muster.discovery;
