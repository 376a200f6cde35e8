module Loud
  extend ActiveSupport::Concern
  include Talk, Sing::Aloud

  included do
    attr_reader :volume
  end

  class_methods do
    def loudest
      order(:volume).last
    end
  end
end

class Duck < Bird[7.1]
  include Loud
  prepend Audited::Model

  def quack
    extend Once
  end
end

module Polite
  refine String do
    def please = "#{self}, please"
  end
end
