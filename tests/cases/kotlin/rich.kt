@file:JvmName("Orchards")

package farm.orchard

import farm.tools.Basket
import farm.tools.*
import java.time.LocalDate as Day
import kotlin.properties.Delegates

/** How many trees fit in a row. */
const val ROW_LENGTH = 12
private val defaultName: String by lazy { "orchard" }
internal var opened = 0
    private set

typealias Harvest<T> = Map<Day, List<T>>

/**
 * Something that bears fruit.
 */
interface Bearer<out F : Fruit> : Named, Comparable<Bearer<*>> {
    val season: IntRange

    fun pick(limit: Int = 10): List<F>

    fun describe() = "$name bears in $season"
}

sealed class Fruit(val weight: Double) {
    object Quince : Fruit(0.4)

    data class Apple(val sort: String, override var ripe: Boolean = false) : Fruit(0.2), Edible
}

/** An orchard with its trees. */
@Entity(table = "orchards")
open class Orchard<F : Fruit>(
    @Id val id: Long,
    protected var owner: String = "nobody",
    trees: List<Tree>,
) : Field(id, "orchard"), Bearer<F>, Iterable<Tree> by trees where F : Edible {
    private val rows = mutableListOf<List<Tree>>()
    lateinit var keeper: Keeper

    /** Counts what grows here. */
    var size: Int = 0
        get() = field + rows.size
        set(value) {
            require(value >= 0) { "negative" }
            field = value
        }

    override val season get() = 8..10
    val onRipe: (Fruit) -> Unit = { fruit -> log.info("ripe: ${fruit.weight}") }
    var temperature by Delegates.observable(20) { _, old, new -> changed(old, new) }

    init {
        val half = trees.size / 2
        if (half > 0) {
            rows.add(trees.take(half))
        }
    }

    constructor(id: Long) : this(id, trees = emptyList()) {
        owner = "founder"
    }

    // Picks by weight
    override fun pick(limit: Int): List<F> {
        val picked = ArrayList<F>()
        var (row, column) = start()
        outer@ for (line in rows) {
            for ((index, tree) in line.withIndex()) {
                if (picked.size >= limit) break@outer else if (tree.bare) continue
                else {
                    picked += tree.fruits[index] as F
                }
            }
        }
        while (row < limit) row++
        do { column-- } while (column > 0)
        fun weigh(fruit: F): Double = fruit.weight
        return picked.sortedBy { weigh(it) }
    }

    suspend fun <T> visit(vararg guests: Guest, block: suspend Guest.() -> T): T? = try {
        guests.first().block()
    } catch (e: GateClosed) {
        this.keeper.calls[0] = e.message!!
        null
    } finally {
        gate?.close()
    }

    operator fun get(row: Int, column: Int) = rows[row][column]

    fun kind(thing: Any): String = when (val seen = look(thing)) {
        is Fruit.Apple, is Fruit.Quince -> "fruit"
        in 1..3 -> "few"
        null -> {
            "nothing"
        }
        else -> seen.toString()
    }

    companion object : Factory<Orchard<*>>() {
        const val LIMIT = 100

        @JvmStatic
        fun planted(on: Day) = Orchard<Fruit.Apple>(on.toEpochDay())
    }

    inner class Gate(private val code: Int) {
        fun open() = this@Orchard.keeper.let(::println)
    }
}

enum class Season(val months: IntRange) : Named {
    /** Frost. */
    WINTER(12..14) {
        override fun cold() = true
    },

    @Warm
    SUMMER(6..8);

    open fun cold() = false
}

fun <T : Fruit> Basket<T>.heaviest(): T? = items.maxByOrNull(Fruit::weight)

val Basket<*>?.isFull: Boolean
    get() = this != null && items.size > 3

object Registry : Listener {
    val known = HashMap<String, Orchard<*>>()
    private val watcher = object : Watcher(3), AutoCloseable {
        var seen = 0

        override fun close() {
            seen = 0
        }
    }
}
