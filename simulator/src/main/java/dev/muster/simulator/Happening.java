package dev.muster.simulator;

/** An event that is rare enough to be written as a lambda. */
final class Happening extends Event {
    private final Runnable what;

    private Happening(Runnable what) {
        this.what = what;
    }

    static Happening of(Runnable what) {
        return new Happening(what);
    }

    @Override
    void happen() {
        what.run();
    }
}
