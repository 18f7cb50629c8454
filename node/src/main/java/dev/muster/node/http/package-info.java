/** Management over HTTP: what a node answers to tools and people, and whom it lets change anything. */
package dev.muster.node.http;
