val increment = { x: Int -> x + 1 }
val decrement = fun(x: Int): Int { return x - 1 }

class Holder {
    val onClick: () -> Unit = { clicked() }
}

fun run() {
    val local = { a: Int, (b, c) -> a + b + c }
    val plain = local(1, 2 to 3)
    list.map { it.size }.filter { n -> n > 1 }.forEach(::println)
    with(scope) { call() }
    button.setOnClickListener { view -> view.hide() }
}
