class Money
  def +(other) = Money.new(cents + other.cents)
  def -@ = Money.new(-cents)
  def ==(other)
    cents == other.cents
  end
  def [](i) = digits[i]
  def []=(i, digit)
    digits[i] = digit
  end
  def <=>(other) = cents <=> other.cents
  def call(*args, **) = args
  def `(command) = command
end
