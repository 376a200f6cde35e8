module Outer
  class Inner::Deep
    module Helper
      def help
        def late = 1
        step = ->(n) { n + 1 }
        step.(2)
      end
    end
  end
  class ::Top; end
end

module Outer::Inner
  LIMIT = 1
  def self.go; end
end
