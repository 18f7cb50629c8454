/** What applications see of the cluster: who is in it, what changes, and how to come and go. */
package dev.muster.cluster;
