package dev.muster.bench.partitions;

import java.nio.ByteBuffer;

/**
 * What an instance of a partition answers to one question.
 *
 * @param before the highest number that this instance knows of; 0 if it has seen none, and was told of none
 * @param handledAtNanos by the clock of the machine, which all its processes share
 * @param host the process that it runs in
 */
record Answer(int partition, long number, long before, long handledAtNanos, long host) {

    byte[] bytes() {
        return ByteBuffer.allocate(Integer.BYTES + 4 * Long.BYTES)
                .putInt(partition)
                .putLong(number)
                .putLong(before)
                .putLong(handledAtNanos)
                .putLong(host)
                .array();
    }

    static Answer of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Answer(buffer.getInt(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
    }
}
