class Plain
class Params(val a: Int, private var b: String = "b", c: Int)(implicit val d: D)
case class Point(x: Int, y: Int)
abstract class Base[T](t: T) extends pkg.Root[T](t) with First with Second[T] {
  def this() = this(null)
  def abs(x: Int): Int
  val v: Int
  var w, z: String
}
case object Origin extends Point(0, 0)
trait Mixed extends Base[Int] with Other
class Made @Inject() (@Named("n") name: String)
