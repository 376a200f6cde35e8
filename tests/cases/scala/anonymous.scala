object Anonymous {
  val runner = new Runnable {
    private var times = 0
    def run(): Unit = times += 1
  }

  def make(): Shape = new Base(1) with Shape {
    val sides = 3
    override def area = 2.0
  }
}
