package dev.muster.bench.partitions;

/** A node of either side in this process. Ending it is left to the process, which does so when it is told to. */
interface PartitionNode {

    static PartitionNode start(NodePlan plan, Watcher watcher) {
        return switch (plan.side()) {
            case MUSTER -> new MusterPartitionNode(plan, watcher);
            case PEKKO -> new PekkoPartitionNode(plan, watcher);
            default -> throw new IllegalArgumentException(plan.side().title() + " has no partitions");
        };
    }

    /** Where it can be joined, as host:port. */
    String address();

    /** Sends a question to whoever is that partition now. */
    void ask(Question question);

    /** Whether this node sees so many members, and all of them up. */
    boolean sees(int members);

    /** Lets partitions be spread anew, where that does not happen by itself. */
    void rebalance();

    /** Gets what comes to a node. Called on threads of that node. */
    interface Watcher {

        /** Of a node that only hosts, and asks nobody. */
        Watcher NOBODY = new Watcher() {
            @Override
            public void answered(byte[] answer) {}

            @Override
            public void unreachable(String address) {}

            @Override
            public void removed(String address) {}
        };

        void answered(byte[] answer);

        void unreachable(String address);

        void removed(String address);
    }
}
