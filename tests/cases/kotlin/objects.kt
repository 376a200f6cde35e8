object Single {
    val name = "single"
    fun use() = name
}

class WithCompanion {
    companion object {
        fun create() = WithCompanion()
    }
}

class WithNamed {
    companion object Factory : Maker<WithNamed>(), Tagged {
        val made = 0
    }
}

data object Nothing : Base()

fun anonymous() = object : Runnable {
    val times = 1

    override fun run() {
        work()
    }
}
