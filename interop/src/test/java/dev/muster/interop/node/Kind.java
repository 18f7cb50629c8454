package dev.muster.interop.node;

/** Whose node it is. */
public enum Kind {
    MUSTER(MusterProgram.class),
    PEKKO(PekkoProgram.class);

    private final Class<?> program;

    Kind(Class<?> program) {
        this.program = program;
    }

    String program() {
        return program.getName();
    }

    public Kind other() {
        return this == MUSTER ? PEKKO : MUSTER;
    }
}
