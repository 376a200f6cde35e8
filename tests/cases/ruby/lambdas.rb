square = ->(x) { x * x }
CUBE = lambda do |x|
  x**3
end
halve = Proc.new { |x| x / 2 }
HANDLERS = {
  start: ->(job) { job.start },
  "stop" => -> { :stopped },
  :pause => ->(job, at: now) { job.pause(at) },
}
on :save, -> { puts "saved" }
numbers.map(&square).each { |n; copy| copy = n }
