fun sum(a: Int, b: Int) = a + b
fun sum(a: Double, b: Double) = a + b
fun sum(vararg all: Int): Int = all.sum()

class Sums {
    fun add(a: Int) {}
    fun add(a: Int, b: Int = 1, /* last */ c: Int /* c */) {}
}
