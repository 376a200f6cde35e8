class Broken {
    int before = 1;

    void fine() { work(); }

    int half( { return 1; }

    @Override void stillFine() { more(); }
}

class Unclosed {
    void first() {}

    Unclosed() {}

    !@#$ %
