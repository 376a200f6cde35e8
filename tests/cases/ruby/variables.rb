$debug = false
name = "Ada"
class Tally
  @@total = 0
  @names = []
  def run
    first, (second, *others), @third = pair
    if (found = find(first))
      found.count += 1
    end
    @names ||= []
    @names[0] = second
    @names << others
    @names.delete(first)
    config => { port:, host: String => host }
    begin
      work!
    rescue Timeout::Error => error
      retry
    end
    $debug = true
  end
end
