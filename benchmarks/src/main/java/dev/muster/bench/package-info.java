/**
 * The command {@code ./muster bench}: runs benchmarks in processes of their own, one side after the other, and
 * compares.
 */
package dev.muster.bench;
