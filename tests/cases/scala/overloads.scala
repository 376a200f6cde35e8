class Sums {
  def sum(a: Int, b: Int): Int = a + b
  def sum(a: Double)(b: Double): Double = a + b
  def sum(all: Int*): Int = all.sum
  def sum[T](it: => T)(implicit n: Numeric[T]): T = it
  def +(o: Sums): Sums = o
  def unary_- : Sums = this
  def size_=(n: Int): Unit = ()
  def `quoted name` = 1
}
