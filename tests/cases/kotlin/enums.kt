enum class Direction(val x: Int, val y: Int) : Turning {
    /** Up. */
    NORTH(0, 1) {
        val cold = true

        override fun turn() = EAST
    },
    @Warm SOUTH(0, -1),
    EAST(1, 0);

    val length: Int
        get() = x + y

    open fun turn() = NORTH

    companion object {
        fun of(name: String) = valueOf(name)
    }
}

enum class Plain { A, B }
