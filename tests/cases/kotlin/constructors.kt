class Constructors private constructor(private val a: Int, b: String = "b") : Base(a), Marker {
    constructor(text: String) : this(text.length) {
        check(text)
    }

    constructor() : this(0)

    init {
        val doubled = a * 2
        use(doubled)
    }
}

class Derived : Base {
    constructor(a: Int) : super(a)
}

data class Point(val x: Int, val y: Int)

@JvmInline
value class Name(val text: String)

annotation class Marked(val why: String = "")
