fun String.twice() = this + this
fun String?.orEmpty(): String = this ?: ""
fun <T> List<T>.second(): T = this[1]
fun kotlin.Int.half() = this / 2

class Scope {
    fun Builder.part(name: String) {
        add(name)
    }

    operator fun Scope.plus(other: Scope): Scope = other
}
