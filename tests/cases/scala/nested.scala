object Outer {
  class Inner {
    object Deep {
      def dive(): Int = {
        def local(n: Int): Int = {
          class Local { val x = n }
          new Local().x
        }
        val f = (n: Int) => local(n)
        f(1)
      }
    }
  }
}
