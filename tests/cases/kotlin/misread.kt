@Slow // the whole of it
@Tag("slow")
open class Misread {
    fun still() = 1
}

@Retention(RUNTIME)
annotation class Bare
