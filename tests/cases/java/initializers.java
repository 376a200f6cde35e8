class Initializers {
    static final Map<String, Integer> TABLE = new HashMap<>();

    static {
        int size = 3;
        TABLE.put("size", size);
    }

    int[] squares = new int[3];

    {
        for (int i = 0; i < 3; i++) squares[i] = i * i;
    }
}
