class Point
  # Where it is.
  attr_reader :x, :y
  # What it is called.
  attr_accessor :name
  private attr_writer :secret
  attr :plain, "quoted"

  def z = @z
  def z=(value)
    @z = value
  end
end
