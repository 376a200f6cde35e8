object Locals {
  def scopes(list: List[Int], k: Int): Int = {
    val a = 1
    var b = 2
    lazy val c = 3
    val (d, e) = pair
    for (i <- 1 to 3; j = i) use(i)
    for { (k, v) <- map; Some(w) <- ws } yield k
    while (b > 0) b -= 1
    do b += 1 while (b < 3)
    if (a == 1) one() else if (a == 2) two() else { three() }
    k match {
      case 1 | 2 => val inCase = 4; inCase
      case Pair(left, Pair(right, Nil)) => left
      case (x, Some(y: Int)) => y
      case x if x > 3 => x
      case None => 0
    }
    try risky() catch { case e: IOException => report(e) } finally close()
  }
}
