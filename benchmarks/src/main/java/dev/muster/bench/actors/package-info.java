/** What actors cost: the same work in Muster and in Pekko, each in the words of its own Java API. */
package dev.muster.bench.actors;
