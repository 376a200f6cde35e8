object Lambdas {
  val inc = (x: Int) => x + 1
  def all() = {
    val local = (a: Int, b: Int) => a + b
    xs.map(x => x + 1).filter { y => val z = y; z > 1 }
    xs.collect { case (k, v) => k }
    xs.map(_.size).foreach(println)
    future.onComplete { r => done(r) }
  }
}
