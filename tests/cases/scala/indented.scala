class A:
  val x = 1

// about B
class B:
  def f =
    val y = 1
    y

  def g = 2
