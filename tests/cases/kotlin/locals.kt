fun scopes(list: List<String>, k: Int) {
    val a = 1
    var b: Int
    val c by lazy { 2 }
    val (d, e) = pair
    for (i in 0 until 3) use(i)
    for ((key, value) in map) {
        val inner = key
    }
    while (k > 0) step()
    do { step() } while (k > 1)
    if (k == 1) one() else if (k == 2) {
        two()
    } else {
        three()
    }
    val word = when (val seen = look()) {
        1, 2 -> "few"
        is String -> seen
        else -> {
            val many = "many"
            many
        }
    }
    try {
        risky()
    } catch (problem: IOException) {
        report(problem)
    } finally {
        close()
    }
    run {
        val inLambda = 3
    }
}
