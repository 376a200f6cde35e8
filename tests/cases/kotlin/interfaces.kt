interface Shape : Named, Comparable<Shape> {
    val area: Double
    val label: String get() = "shape"
    fun draw()
    fun twice() {
        draw()
        draw()
    }
}

fun interface Action {
    fun run(times: Int)
}

sealed interface Result<out T>

abstract class Base : Shape {
    abstract val color: Int
    abstract fun paint(): Int
    protected open fun wipe() = Unit
}

class Delegating(inner: Shape) : Shape by inner, pkg.Other<Int>
