val top = 1
const val LIMIT = 3
var counted = 0
    private set
val String.shout: String get() = uppercase()
val <T> List<T>?.none: Boolean
    get() = this == null

class Properties(val head: Int, private var start: String = "a", plain: Int) {
    val value: Int = 1
    val typed: String
    lateinit var late: String
    val lazily by lazy { 2 }

    // The size
    @get:JvmName("sized")
    var size: Int = 0 // behind
        get() = field
        set(value) {
            field = value
        }
    val computed: Int
        get() {
            return size * 2
        }

    companion object {
        const val MAX = 9
        private val table = mapOf(1 to 2)
    }
}

val (left, right) = pair()
