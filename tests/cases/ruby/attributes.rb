class Reader
  attr_reader :path, :size
  @opened = 0

  def lines
    @lines ||= read
    @count = 0
  end

  def initialize(path)
    # How it reads.
    @mode = mode_of(path)
    @path = path
    @first, @last = 1, 2
    @opened = 1
    @count += 1
    @@all = -> { @inner = 1 }
  end
end

module Counting
  def count
    @count = 1
  end
end
