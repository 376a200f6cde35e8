"""Where calls lead in Ruby: names without parentheses, modules, members that are defined by a word."""

from __future__ import annotations

import pytest

from birthmark.graph.edges import CALLS, users
from graph_snapshot import Files, Snapshot, check, edges_of, resolver_of

LIBRARY = {
    "lib/shop.rb": "module Trade\n  class Shop\n    def self.open_at(town)\n      new(town)\n    end\n"
    "    def initialize(town)\n      @till = Till.new\n    end\n    def sell; end\n    attr_reader :till\n"
    "  end\nend\n",
    "lib/till.rb": "module Trade\n  class Till\n    include Counted\n    def empty; count; end\n  end\nend\n",
    "lib/counted.rb": "module Counted\n  def count; end\nend\n",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "a.rb": "class A\n  def f(x)\n    g\n    y = g\n    [x, y, g]\n    list.each { |g| g }\n  end\n"
                "  def g; end\nend\n"
            },
            """a.rb:3 calls g: exact a.rb::A.g
            a.rb:4 calls g: exact a.rb::A.g
            a.rb:5 calls g: exact a.rb::A.g""",
            id="a bare name is a call, unless it is a variable there",
        ),
        pytest.param(
            {
                "a.rb": "def top; end\nclass A\n  top\n  def f\n    top = 1\n    top\n    top()\n"
                "  end\n  def g = top\nend\n"
            },
            """a.rb:3 calls top: exact a.rb::top
            a.rb:7 calls top: exact a.rb::top
            a.rb:9 calls top: exact a.rb::top""",
            id="all objects have what is defined at the top",
        ),
        pytest.param(
            {
                "a.rb": "class A\n  def self.make; end\n  class << self\n    def build; make; end\n  end\n"
                "  make\n  def f\n    self.class.build\n    make\n  end\nend\nA.build\nA.f\n"
            },
            """a.rb:4 calls make: exact a.rb::A.self.make
            a.rb:6 calls make: exact a.rb::A.self.make
            a.rb:8 calls self.class build: exact a.rb::A.self.build
            a.rb:9 calls make: unresolved
            a.rb:12 calls A build: exact a.rb::A.self.build
            a.rb:13 calls A f: name a.rb::A.f""",
            id="a type's own methods and those of its instances are apart",
        ),
        pytest.param(
            {
                "a.rb": "class A\n  def initialize; end\n  def f; end\n  def self.s; end\nend\n"
                "module M\n  def f; end\nend\n"
                "class B < A\n  include M\n  def initialize\n    super\n  end\n  def f\n    super()\n  end\n"
                "  def self.s\n    super\n  end\n  def g\n    self.f\n  end\nend\n"
            },
            """a.rb:12 calls super: hierarchy a.rb::A.initialize
            a.rb:15 calls super: hierarchy a.rb::M.f
            a.rb:18 calls super: hierarchy a.rb::A.self.s
            a.rb:21 calls self f: exact a.rb::B.f""",
            id="super calls the same method of the next module or class",
        ),
        pytest.param(
            LIBRARY
            | {
                "app.rb": "shop = Trade::Shop.new('x')\nshop.sell\nshop.till.empty\nshop.till.count\n"
                "Trade::Shop.open_at('y').sell\nString.new.sell\n"
            },
            """app.rb:2 calls shop sell: import lib/shop.rb::Trade.Shop.sell
            app.rb:3 calls shop till: import lib/shop.rb::Trade.Shop.till
            app.rb:3 calls shop.till empty: import lib/till.rb::Trade.Till.empty
            app.rb:4 calls shop.till count: hierarchy lib/counted.rb::Counted.count
            app.rb:5 calls Trade.Shop.open_at("y") sell: import lib/shop.rb::Trade.Shop.sell
            app.rb:6 calls String.new sell: external
            lib/till.rb:4 calls count: hierarchy lib/counted.rb::Counted.count""",
            id="constants are seen from all files, attributes and results are followed",
        ),
        pytest.param(
            {
                "a.rb": "class A\n  alias_method :old, :f\n  alias older f\n  attr_accessor :size\n  def f; end\n"
                "  def name=(v); end\n  def g\n    [old, older]\n    self.name = 1\n"
                "    self.size = 2\n    size\n  end\nend\n"
            },
            """a.rb:8 calls old: exact a.rb::A.f
            a.rb:8 calls older: exact a.rb::A.f
            a.rb:9 calls self name=: exact a.rb::A.name=
            a.rb:10 calls self size=: exact a.rb::A.size
            a.rb:11 calls size: exact a.rb::A.size""",
            id="aliases mean what they rename, and an assignment calls the setter",
        ),
        pytest.param(
            {
                "a.rb": "class Till\n  def empty; end\n  def count; end\nend\nclass Shop\n"
                "  delegate :empty, to: :till\n  delegate :count, to: :till, prefix: true\n"
                "  delegate :sum, prefix: :till, to: :till\n  delegate :lost, to: :nowhere\n"
                "  def_delegators :@spare, :count\n  def_delegator :@spare, :count, :total\n"
                "  def till; @till ||= Till.new; end\n  def initialize; @spare = Till.new; end\n"
                "  def f\n    empty\n    till_count\n    lost\n    count\n    total\n    till_sum\n  end\nend\n"
                "Shop.new.empty\n"
            },
            """a.rb:15 calls empty: exact a.rb::Till.empty
            a.rb:16 calls till_count: exact a.rb::Till.count
            a.rb:17 calls lost: exact a.rb::Shop.lost
            a.rb:18 calls count: exact a.rb::Till.count
            a.rb:19 calls total: exact a.rb::Till.count
            a.rb:20 calls till_sum: exact a.rb::Shop.till_sum
            a.rb:23 calls Shop.new empty: exact a.rb::Till.empty""",
            id="what is delegated leads to the other object's method where that is known",
        ),
        pytest.param(
            {
                "a.rb": "class Till\n  def empty; end\nend\nclass Shop < T::Struct\n  prop :till, Till\n"
                "  const :town, T.nilable(String)\n  alias_attribute :desk, :till\n  scope :open, -> { where(x: 1) }\n"
                "  class_attribute :limit\n  enum status: { on: 1 }\n  belongs_to :street\n"
                "  def f\n    till.empty\n    desk\n    [status, street]\n    self.town = 1\n  end\nend\n"
                "Shop.open\nShop.limit\nShop.new.desk.empty\n",
                "config/routes.rb": "draw do\n  scope :admin\n  field :x\nend\ndef g\n  x\nend\n",
            },
            """a.rb:13 calls till: exact a.rb::Shop.till
            a.rb:13 calls till empty: exact a.rb::Till.empty
            a.rb:14 calls desk: exact a.rb::Shop.till
            a.rb:15 calls status: exact a.rb::Shop.status
            a.rb:15 calls street: exact a.rb::Shop.street
            a.rb:16 calls self town=: exact a.rb::Shop.town
            a.rb:19 calls Shop open: exact a.rb::Shop.self.open
            a.rb:20 calls Shop limit: exact a.rb::Shop.self.limit
            a.rb:21 calls Shop.new.desk empty: exact a.rb::Till.empty
            config/routes.rb:6 calls x: unresolved""",
            id="words of libraries define members in a type, and only there",
        ),
        pytest.param(
            {
                "a.rb": "Point = Struct.new(:x, :y) do\n  def sum; x + y; end\nend\np = Point.new(1, 2)\np.sum\np.x\n"
                "def f(q)\n  case q\n  when Point then q.sum\n  end\n  q.sum\nrescue Point => e\n  e.sum\nend\n"
            },
            """a.rb:2 calls x: exact a.rb::Point.x
            a.rb:2 calls y: exact a.rb::Point.y
            a.rb:5 calls p sum: exact a.rb::Point.sum
            a.rb:6 calls p x: exact a.rb::Point.x
            a.rb:9 calls q sum: exact a.rb::Point.sum
            a.rb:11 calls q sum: name a.rb::Point.sum
            a.rb:13 calls e sum: exact a.rb::Point.sum""",
            id="structs have their fields, and tests say what a name is",
        ),
        pytest.param(
            {
                "a.rb": "class A\n  def f; g; end\nend\n",
                "b.rb": "class A < Base\n  include M\nend\n",
                "m.rb": "module M\n  def g; end\nend\n",
            },
            "a.rb:2 calls g: hierarchy m.rb::M.g",
            id="each opening of a class adds to it",
        ),
        pytest.param(
            {
                "a.rb": "module M\n  module ClassMethods\n    def plug; end\n  end\nend\n"
                "class A\n  include M\n  plug\n  def initialize; end\nend\n",
                "b.rb": "class A\n  def g; end\nend\nA.plug\nA.new.g\nmodule N\n  class A; end\n  ::A.new.g\nend\n",
            },
            """a.rb:8 calls plug: hierarchy a.rb::M.ClassMethods.plug
            b.rb:4 calls A plug: hierarchy a.rb::M.ClassMethods.plug
            b.rb:5 calls A: import a.rb::A
            b.rb:5 calls A.new g: import b.rb::A.g
            b.rb:8 calls :: A: import a.rb::A
            b.rb:8 calls ::.A.new g: import b.rb::A.g""",
            id="modules pass on methods of the class, and the opening with the constructor is called",
        ),
        pytest.param(
            {
                "a.rb": "class A < Elsewhere\n  attr_reader :name\n  before do\n    prepare\n    make\n"
                "    name\n  end\n  def prepare; end\n  def self.make; end\n  def make; end\nend\n"
            },
            """a.rb:4 calls prepare: exact a.rb::A.prepare
            a.rb:5 calls make: exact a.rb::A.self.make
            a.rb:6 calls name: external""",
            id="blocks in the body of a class call methods of its instances",
        ),
        pytest.param(
            {
                "a.rb": "class Till\n  def ring; end\nend\nclass Shop\n  sig { params(a: Till).returns(Till) }\n"
                "  def open(a)\n    a.ring\n    open(a).ring\n    x = T.let(other, Till)\n    x.ring\n    a\n  end\n"
                "  def close(a = nil)\n    a.ring\n  end\nend\n"
            },
            """a.rb:7 calls a ring: exact a.rb::Till.ring
            a.rb:8 calls open() ring: exact a.rb::Till.ring
            a.rb:10 calls x ring: exact a.rb::Till.ring
            a.rb:14 calls a ring: name a.rb::Till.ring""",
            id="signatures declare types",
        ),
        pytest.param(
            {
                "a.rb": "class A\n  def f(x)\n    x.g\n    h\n  end\nend\n",
                "b.rb": "class B\n  def g; end\n  def h; end\nend\n",
            },
            """a.rb:3 calls x g: name b.rb::B.g
            a.rb:4 calls h: name b.rb::B.h""",
            id="what is unknown has candidates",
        ),
    ],
)
def test_ruby(files: Files, expected: str) -> None:
    check(files, expected)


def test_candidates_of_a_bare_name_are_not_claimed() -> None:
    snapshot = Snapshot({"a.rb": "class A\n  def f; h; end\nend\n", "b.rb": "class B\n  def h; end\nend\n"})
    resolver = resolver_of(snapshot)
    assert [resolver.resolve(*entry).claimed for entry in snapshot.all_references()] == [()]


def test_a_variable_is_no_call() -> None:
    source = (
        "class A\n  def f(x, y: 1, &b)\n    z, w = x\n    [x, y, z, w, b]\n"
        "    v ||= x\n    ->(u) { u + v }\n  end\nend\n"
    )
    assert not [line for line in edges_of({"a.rb": source}) if " calls " in line]


def test_callers_of_class_methods_and_setters() -> None:
    files = {"a.rb": "class A\n  attr_writer :size\n  def self.make; end\nend\nA.make\nA.new.size = 1\n"}
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    for name, lines in {"A.self.make": [5], "A.size": [6]}.items():
        found = users(snapshot, resolver, snapshot.find(f"a.rb::{name}"), CALLS)
        assert [edge.line for edge in found] == lines
