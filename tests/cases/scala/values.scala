object Values {
  val a, b = 1
  var c: Int = _
  lazy val d = { val inner = 2; inner }
  val (e, f) = pair
  val Array(g, h) = line.split(",")
  val head :: tail = list
  // A constant
  @volatile final val Limit = 3
  val add = (x: Int, y: Int) => x + y
  var handler: Int => Int = x => x
  implicit val order: Ordering[Int] = null
  type Table = Map[String, Int]
  if (a > 1) { val local = 2; use(local) }
}
