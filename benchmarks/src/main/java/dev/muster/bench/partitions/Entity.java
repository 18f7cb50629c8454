package dev.muster.bench.partitions;

/** What the actor of a partition does, on either side. It belongs to that actor. */
final class Entity {

    private static final long HOST = ProcessHandle.current().pid();

    private long highest;

    /** @param highest what the instance before has left; 0 if it left nothing */
    Entity(long highest) {
        this.highest = highest;
    }

    byte[] answer(byte[] bytes) {
        Question question = Question.of(bytes);
        Answer answer = new Answer(question.partition(), question.number(), highest, System.nanoTime(), HOST);
        highest = Math.max(highest, question.number());
        return answer.bytes();
    }

    long highest() {
        return highest;
    }
}
