/** A small cluster on this machine, to look at and to break. */
package dev.muster.node.demo;
