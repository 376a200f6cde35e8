LIMIT = 3
A, B = 1, 2
Limits::MAX = 9
COUNT ||= 0
# A reading.
Reading = Data.define(:at, :value)
class Pair < Struct.new(:left, :right); end
Oops = Class.new(Errors::Base) do
  def message = "oops"
end
Tools = Module.new do
  def self.saw = 1
end
TEXT = <<~ONE.freeze
  one  two
    #{LIMIT  + 1}
ONE
AFTER = 1
