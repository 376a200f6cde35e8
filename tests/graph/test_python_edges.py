"""What a Python source says of its names, and where calls lead by it."""

from __future__ import annotations

import pytest

from birthmark.graph.edges import CALLS, users
from graph_snapshot import Files, Snapshot, check, resolver_of

SHOP = """class Item:
    def price(self): pass
class Shop(Base):
    name = "shop"
    def __init__(self, item: Item):
        self.item = item
        self.items = [item]
        self.hook = None
    def open(self) -> "Shop":
        return self
    def first(self):
        return Item()
class Base:
    def close(self): pass
    def open(self): pass
def make():
    return Shop(Item())
"""

CASES: dict[str, tuple[Files, str]] = {
    "a field that is entered by `with`": (
        {"shop.py": SHOP, "m.py": "from shop import Shop\ndef f(s: Shop):\n  with s.item as it:\n    it.price()\n"},
        "m.py:4 calls it price: import shop.py::Item.price",
    ),
    "a constructor's result": (
        {"shop.py": SHOP, "m.py": "from shop import Shop\ndef f():\n  s = Shop(1)\n  s.open()\n"},
        "m.py:4 calls s open: import shop.py::Shop.open",
    ),
    "an inherited method": (
        {"shop.py": SHOP, "m.py": "import shop\nshop.Shop(1).close()\n"},
        "m.py:2 calls shop.Shop() close: hierarchy shop.py::Base.close",
    ),
    "a chain of results, declared and returned": (
        {"shop.py": SHOP, "m.py": "import shop\nshop.make().open().first().price()\n"},
        "m.py:2 calls shop.make().open().first() price: import shop.py::Item.price",
    ),
    "a parameter with a type, also a wrapped one": (
        {
            "shop.py": SHOP,
            "m.py": "from shop import *\ndef f(s: Shop | None, t: list[Shop]):\n  s.open()\n  t[0].close()\n",
        },
        """m.py:3 calls s open: import shop.py::Shop.open
        m.py:4 calls t[0] close: hierarchy shop.py::Base.close""",
    ),
    "a parameter without a type hides what has its name, and is not known": (
        {"shop.py": SHOP, "m.py": "from shop import Item\ndef f(Item):\n  Item()\n  Item.price()\n"},
        """m.py:3 calls Item: unresolved
        m.py:4 calls Item price: name shop.py::Item.price""",
    ),
    "an attribute that a constructor assigns": (
        {"shop.py": SHOP + "class Big(Shop):\n  def f(self):\n    self.item.price()\n"},
        "shop.py:20 calls self.item price: hierarchy shop.py::Item.price",
    ),
    "an attribute that is called is meant itself": (
        {"shop.py": SHOP + "class Big(Shop):\n  def f(self):\n    self.hook()\n"},
        "shop.py:20 calls self hook: hierarchy shop.py::Shop.hook",
    ),
    "super is the next class with the name": (
        {"shop.py": SHOP + "class Big(Shop):\n  def open(self):\n    super().open()\n    super().close()\n"},
        """shop.py:20 calls super() open: hierarchy shop.py::Shop.open
        shop.py:21 calls super() close: hierarchy shop.py::Base.close""",
    ),
    "a base outside of the repository has what no other base has": (
        {"m.py": "from lib import Far\nclass A(Far):\n  def f(self):\n    self.f()\n    self.g()\n"},
        """m.py:4 calls self f: exact m.py::A.f
        m.py:5 calls self g: external""",
    ),
    "the last assignment before a line counts": (
        {"shop.py": SHOP + "def f():\n  x = Item()\n  x.price()\n  x = Shop(x)\n  x.open()\n"},
        """shop.py:20 calls x price: exact shop.py::Item.price
        shop.py:22 calls x open: exact shop.py::Shop.open""",
    ),
    "a test says what a name is in its branch": (
        {"shop.py": SHOP + "def f(x):\n  if isinstance(x, Item):\n    x.price()\n  x.price()\n"},
        """shop.py:20 calls x price: exact shop.py::Item.price
        shop.py:21 calls x price: name shop.py::Item.price""",
    ),
    "loops and context managers": (
        {
            "shop.py": SHOP
            + "def f(all: list[Item]):\n  for one in all:\n    one.price()\n  with make() as s:\n    s.open()\n"
        },
        """shop.py:20 calls one price: exact shop.py::Item.price
        shop.py:22 calls s open: exact shop.py::Shop.open""",
    ),
    "stubs of overloads are one function": (
        {
            "m.py": "from typing import overload\n@overload\ndef g(x: int): ...\n@overload\ndef g(x: str): ...\n"
            "def g(x): pass\ng(1)\n"
        },
        "m.py:7 calls g: exact m.py::g",
    ),
    "a literal is of no class of the repository": (
        {"m.py": "class A:\n  def append(self): pass\ndef f():\n  x = []\n  x.append(1)\n"},
        "m.py:5 calls x append: external",
    ),
    "a function under another name": (
        {"m.py": "def g(): pass\ndef f():\n  h = g\n  h()\n"},
        "m.py:4 calls h: exact m.py::g",
    ),
    "a function that all callers pass": (
        {"lib.py": "def apply(action):\n  action()\n", "m.py": "from lib import apply\ndef g(): pass\napply(g)\n"},
        "lib.py:2 calls action: exact m.py::g",
    ),
    "several functions that callers pass": (
        {"m.py": "def apply(n, do=None):\n  do()\ndef g(): pass\ndef h(): pass\napply(1, g)\napply(2, do=h)\n"},
        "m.py:2 calls do: dispatch m.py::g m.py::h",
    ),
    "a decorator is called, with what it decorates": (
        {
            "deco.py": "def twice(f):\n  return f()\ndef named(x):\n  return twice\n",
            "m.py": "import deco\nfrom deco import named\n@deco.twice\ndef g(): pass\n@named(1)\ndef h(): pass\n",
        },
        """deco.py:2 calls f: exact m.py::g
        m.py:3 calls deco twice: import deco.py::twice
        m.py:5 calls named: import deco.py::named""",
    ),
    "of several decorators the nearest has what is decorated": (
        {"m.py": "def a(f):\n  f()\ndef b(f):\n  f()\n@a\n@b\ndef g(): pass\n"},
        """m.py:2 calls f: unresolved
        m.py:4 calls f: exact m.py::g
        m.py:5 calls a: exact m.py::a
        m.py:6 calls b: exact m.py::b""",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_python(case: tuple[Files, str]) -> None:
    check(*case)


def test_a_decorator_is_called_by_what_is_around_the_definition() -> None:
    snapshot = Snapshot({"m.py": "def d(f): ...\n@d\ndef g(): ...\ndef h():\n  @d\n  def i(): ...\n"})
    found = users(snapshot, resolver_of(snapshot), snapshot.find("m.py::d"), CALLS)
    assert [(edge.source and edge.source.name, edge.line) for edge in found] == [(None, 2), ("h", 5)]


def test_what_is_called_through_a_parameter_has_a_caller() -> None:
    snapshot = Snapshot({"m.py": "def apply(action):\n  action()\ndef g(): pass\napply(g)\n"})
    found = users(snapshot, resolver_of(snapshot), snapshot.find("m.py::g"), CALLS)
    assert [(edge.name, edge.line, edge.resolution) for edge in found] == [("action", 2, "exact")]


def test_what_a_star_collects_is_a_container_and_of_no_type_of_the_repository() -> None:
    source = """\
class G:
    def setdefault(self, key): ...
    def go(self): ...
def run(*args, **options):
    options.setdefault("a")
    args[0].go()
    for one in args:
        one.go()
"""
    expected = """
    a.py:5 calls options setdefault: external
    a.py:6 calls args[0] go: name a.py::G.go
    a.py:8 calls one go: name a.py::G.go
    """
    check({"a.py": source}, expected)
