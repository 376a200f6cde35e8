class Anonymous {
    Comparator<String> order = new Comparator<String>() {
        private int calls;

        @Override
        public int compare(String a, String b) {
            calls++;
            return new Object() {
                int twice() { return 2; }
            }.twice();
        }
    };

    void start() {
        new Thread() {
            { setDaemon(true); }

            public void run() { work(); }
        }.start();
    }
}
