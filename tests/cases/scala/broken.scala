class Broken {
  val before = 1

  def fine() = work()

  def half() = {
    val x = ) 1
  }

  def stillFine() = more()
}

object After {
  def last = 2
