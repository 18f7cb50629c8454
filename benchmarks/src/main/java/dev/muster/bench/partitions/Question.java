package dev.muster.bench.partitions;

import java.nio.ByteBuffer;

/**
 * What a client sends to a partition. It travels as bytes, for which both sides have a serializer of their own.
 *
 * @param number counts the questions to one partition from 1; 0 only asks whether anybody is there
 */
record Question(int partition, long number) {

    byte[] bytes() {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .putInt(partition)
                .putLong(number)
                .array();
    }

    static Question of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Question(buffer.getInt(), buffer.getLong());
    }
}
