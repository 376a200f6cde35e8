class Robot
  define_method(:walk) { |steps = 1| steps }
  define_method "run" do
    walk(9)
  end
  alias stroll walk
  alias :sprint :run
  alias_method :dash, :run
  define_method(name) { 1 }
end
Robot.define_singleton_method(:build) { new }
alias $err $stderr
