class Outer {
    class Nested {
        inner class Deep {
            fun dive() {
                fun local(): Int {
                    class Local {
                        val x = 1
                    }
                    return Local().x
                }
                val plain = local()
            }
        }
    }

    interface Inside {
        object Here
    }
}
