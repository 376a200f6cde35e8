class Before
  def fine = 1
end

class Broken
  def half(
    1 +
  end
end

class After
  def fine
    2
  end
end
