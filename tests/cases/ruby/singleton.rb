class Config
  def load = 1
  def self.load = 2
  def Config.reset = 3
  class << self
    def save = 4
    private

    def hide = 5
  end
end

log = Object.new
def log.write(line)
  puts line
end
