package garden:

  /** What the weather brings. */
  enum Weather(val water: Int) derives Eq, Show:
    case Dry extends Weather(0)
    case Rain, Snow
    case Storm(force: Int) extends Weather(force)

    def wet: Boolean = water > 0

  given ordering: Ordering[Weather] with
    def compare(a: Weather, b: Weather): Int = a.water - b.water

  given Show[Weather] = w => w.toString

  given [T](using Show[T]): Show[List[T]] with
    extension (ts: List[T]) def show: String = ts.mkString

  extension (name: String)
    def shout: String = name.toUpperCase
    def twice = name + name

  extension [T](xs: List[T]) def second: T = xs(1)

  opaque type Seed = Int

  trait Plant(val kind: String):
    def grow(days: Int): Int

  class Tree(kind: String) extends Plant(kind), Rooted:
    private var height = 0

    def grow(days: Int): Int =
      val before = height
      for day <- 1 to days do
        height += day
      if height > 10 then
        trim()
      else
        water()
      height match
        case 0 => before
        case other => other
    end grow

    def names = branches.map: branch =>
      val first = branch.head
      first.name
  end Tree

  inline def twice(inline times: Int): Int = times * 2

  @main def run(args: String*): Unit =
    println(args.size)

  val top = 3
  export Tree.{names, grow as growing}
  export tools.*
