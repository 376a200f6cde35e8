#!/usr/bin/env ruby
# frozen_string_literal: true

require "json"
require_relative "warehouse/errors"

# Everything about goods and where they lie.
module Warehouse
  VERSION = "2.1.0"
  LIMITS = { small: 10, large: 100 }.freeze
  WIDTH, HEIGHT = 4, 8

  QUERY = <<~SQL
    SELECT id,  name
    FROM   goods
  SQL

  # Raised when a shelf is full.
  FullError = Class.new(StandardError)

  # Where something lies.
  Place = Struct.new(:row, :column) do
    def to_s
      "#{row}/#{column}"
    end
  end

  @registry = {}
  @@opened ||= 0

  module_function

  def describe(thing, verbose: false, **options)
    return thing.to_s unless verbose

    format("%s (%s)", thing, options.keys.join(", "))
  end

  # A shelf keeps goods.
  class Shelf < Base::Furniture
    include Enumerable
    extend Forwardable, Comparable

    # Who owns it, and how much it bears.
    attr_accessor :owner, :capacity
    attr_reader :goods
    def_delegators :@goods, :size, :empty?

    BY_WEIGHT = ->(a, b = nil) { a.weight <=> b&.weight }

    class << self
      attr_writer :default_capacity

      # Builds one from a file.
      def load(path)
        File.open(path) do |file|
          new(**JSON.parse(file.read, symbolize_names: true))
        end
      rescue Errno::ENOENT, JSON::ParserError => e
        warn "cannot load: #{e.message}"
        nil
      ensure
        @loaded = true
      end
    end

    def self.empty(*) = new(capacity: 0)

    def initialize(capacity:, owner: "nobody", &block)
      super()
      @capacity = capacity
      @owner = owner
      @goods = []
      block&.call(self)
    end

    def each(&)
      @goods.each(&)
    end

    def <<(item)
      raise FullError, "no room" if full?

      @goods << item
      @index[item.name] = @goods.size
      self
    end

    def [](position) = @goods[position]

    def owner=(name)
      @owner = name.strip
    end

    def sort_by_weight
      sorted = @goods.sort(&BY_WEIGHT)
      heaviest, *rest = sorted.reverse
      for item in rest do puts item.name end
      rest.each_with_index { |other, i| log(other, i) }
      heaviest
    end

    def classify(item)
      case item
      in { weight: Integer => weight, name: } if weight > LIMITS[:large]
        [:heavy, name]
      in [first, *others]
        classify(first) + others
      else
        :light
      end
    end

    alias add <<
    alias_method :put, :add

    %i[red green].each do |colour|
      define_method("#{colour}?") { @colour == colour }
    end

    define_method(:blue?) do |strict = true|
      strict && @colour == :blue
    end

    private

    def full? = @goods.length >= @capacity

    protected def weight
      total = 0
      i = 0
      while i < size
        total += @goods[i].weight
        i += 1
      end
      total
    end
  end
end

if $PROGRAM_NAME == __FILE__
  shelf = Warehouse::Shelf.load(ARGV.first)
  shelf.owner = "Ada"
  puts Warehouse.describe shelf, verbose: true
end
