package library.shelf

import java.time.LocalDate
import library.paper.{Ink, Page => Sheet, _}
import scala.collection.mutable
import scala.util.Try

/** Something that can be lent. */
trait Lendable[+A <: Item] extends Named with Ordered[Lendable[_]] { self: Shelf =>
  type Key
  val limit: Int
  def lend(to: Reader, days: Int = 14): Try[A]
  def describe: String = s"$name until ${limit.toString}"
}

sealed abstract class Item(val weight: Double)

/** A bound book. */
@Entity("books")
final case class Book(title: String, override val weight: Double = 0.4)(implicit clock: Clock)
    extends Item(weight)
    with Lendable[Book]
    with java.io.Serializable {
  import Book._

  private var lent, lost = 0
  lazy val label: String = {
    val short = title.take(10)
    short.trim
  }
  val compare: (Book, Book) => Int = (a, b) => a.title.compareTo(b.title)
  private[this] val pages = mutable.ArrayBuffer.empty[Sheet]

  def this(title: String) = this(title, 0.2)(Clock.system)

  // Lends while there is time
  @throws[LendError]
  override def lend(to: Reader, days: Int): Try[Book] = Try {
    var left = days
    for {
      page <- pages
      (number, text) <- page.lines if text.nonEmpty
      size = text.length
    } yield size
    while (left > 0) left -= 1
    do { left += 1 } while (left < 3)
    if (left == 1) to.visits += 1
    else if (left == 2) pages(0) = Sheet.blank
    else {
      to.card.stamp = today()
    }
    def inner(n: Int): Int = if (n > 1) n * inner(n - 1) else 1
    try {
      to.register(this) { entry => entry.close() }
    } catch {
      case e: LendError => throw new IllegalStateException(e)
      case NonFatal(other) => log.warn("no", other)
    } finally {
      lent += 1
    }
    this
  }

  def kind(thing: Any): String = thing match {
    case Book(name, _) if name.isEmpty => "blank"
    case head :: tail => "list"
    case n: Int => n.toString
    case whole @ Some(inside) => inside.toString
    case Empty => "empty"
    case _ => "?"
  }

  def +(other: Book): Book = new Book(title + other.title) with Bound {
    val cover = "leather"
    override def bind(): Unit = pages.append(new Sheet)
  }
}

object Book extends Factory[Book](3) {
  val Limit = 100
  private val (first, second) = ("a", "b")
  type Shelfmark = Map[String, List[Book]]

  def unapply(text: String): Option[Book] = Some(text).filter(_.nonEmpty).map { case t => Book(t)(null) }
  implicit class Marks(private val book: Book) extends AnyVal {
    def mark(at: Int): Unit = ()
  }
  implicit val ordering: Ordering[Book] = Ordering.by(_.title)
}

package object tools {
  def dust(times: Int): Unit = 1 to times foreach println
}
