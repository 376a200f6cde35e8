class Broken {
    val before = 1

    fun fine() { work() }

    fun half() {
        val x = 1 +* 2
    }

    fun stillFine() { more() }
}

fun after() = 2

class Unclosed {
    fun first() = 1

    private class Inner

    fun second() {
