"""`impact`, `path`, `cycles`, `components`, `rank` and `unused` as people and programs read them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from running import birthmark, document
from worlds import World

MONEY = """\
def round_cents(amount):
    return _scale(amount) / 100


def _scale(amount):
    return round(amount * 100)


def _forgotten(amount):
    return amount
"""
BASKET = """\
from shop.money import round_cents
from shop.orders import Order


class Basket:
    def __init__(self):
        self.items = []

    def total(self):
        return round_cents(sum(self.items))

    def order(self):
        return Order(self)


class Gift(Basket):
    def total(self):
        return 0
"""
ORDERS = """\
from shop import basket


class Order:
    def __init__(self, content):
        self.price = content.total()


def place():
    return basket.Basket().order()


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def main():
    place()


@on("sale")
def sale():
    handlers = {"offer": 1}


def offer():
    pass
"""
TESTS = """\
from shop.basket import Basket
from shop.money import round_cents


def test_total():
    assert Basket().total() == 0


def test_cents():
    assert round_cents(1) == 1


def helper():
    pass
"""
UNSEEN = "uses through variables of unknown type, reflection and other repositories are not seen"
PAGE = "<p>{{ sale }}</p>\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    files = {
        "shop/__init__.py": "",
        "shop/money.py": MONEY,
        "shop/basket.py": BASKET,
        "shop/orders.py": ORDERS,
        "tests/test_shop.py": TESTS,
        "alone.py": "def one():\n    two()\n\n\ndef two():\n    pass\n",
        "page.html": PAGE,
    }
    world = World(tmp_path_factory.mktemp("graph") / "w", files)
    world.index()
    return world


CASES = [
    (
        "users of users as a tree, tests last",
        ["impact", "_scale"],
        """\
_scale                  shop/money.py:5-6
└── round_cents         shop/money.py:2
    ├── Basket.total    shop/basket.py:10
    │   └── test_total  tests/test_shop.py:6   test
    └── test_cents      tests/test_shop.py:10  test

4 users in 3 files, 2 of them tests; deepest 3
these are all that are known: uses through variables of unknown type, reflection and other repositories are not seen
""",
    ),
    (
        "bounded",
        ["impact", "_scale", "--depth", "1"],
        """\
_scale           shop/money.py:5-6
└── round_cents  shop/money.py:2

1 user in 1 file; deepest 1
what is further than 1 use away was not looked for; --depth goes further
""",
    ),
    (
        "by rows",
        ["impact", "_scale", "--limit", "2", "--no-tests"],
        """\
_scale                shop/money.py:5-6
└── round_cents       shop/money.py:2
    └── Basket.total  shop/basket.py:10

2 users in 2 files; deepest 2
these are all that are known: uses through variables of unknown type, reflection and other repositories are not seen
""",
    ),
    (
        "members, subclasses, overrides",
        ["impact", "Basket", "--depth", "1"],
        """\
Basket          shop/basket.py:5-13
├── Gift        shop/basket.py:16     subclass
├── Gift.total  shop/basket.py:17     override, of total
├── place       shop/orders.py:10
└── test_total  tests/test_shop.py:6  test

4 users in 3 files, 1 of them a test; deepest 1
what is further than 1 use away was not looked for; --depth goes further
1 other line may mean it by its name; `birthmark users` lists what does

shop/orders.py
  6  by name  Order.__init__

""",
    ),
    (
        "nothing",
        ["impact", "main"],
        f"nothing uses `main`, as far as 7 files show; {UNSEEN}\n",
    ),
    (
        "a way",
        ["path", "main", "Order"],
        """\
main                  shop/orders.py:21
└── place             shop/orders.py:22
    └── Basket.order  shop/orders.py:10
        └── Order     shop/basket.py:13

3 uses from `main` to `Order`
""",
    ),
    (
        "no way",
        ["path", "Order", "main"],
        """\
`Order` does not use `main`, as far as is known; `main` uses `Order`: ask the other way round
""",
    ),
    (
        "a picture for Markdown",
        ["path", "place", "Order", "--mermaid"],
        """\
flowchart LR
  n0["place"]:::root
  n0 -- "calls at shop/orders.py:10" --> n1["Basket.order"]
  n1 -- "calls at shop/basket.py:13" --> n2["Order"]:::root
  classDef root stroke-width:3px
  classDef test stroke-dasharray:4 2
""",
    ),
    (
        "another one",
        ["impact", "Order", "--mermaid", "--depth", "2"],
        """\
flowchart RL
  n0["Order"]:::root
  n1["Basket.order"] --> n0
  n2["place"] --> n1
  classDef root stroke-width:3px
  classDef test stroke-dasharray:4 2
""",
    ),
    (
        "cycles of definitions",
        ["cycles"],
        """\
2 definitions in 1 file
  even  shop/orders.py:14  uses odd
  odd   shop/orders.py:18  uses even

2 definitions in 1 group, among 24 definitions
""",
    ),
    (
        "cycles of files",
        ["cycles", "--files"],
        """\
2 files
  shop/basket.py:13  uses shop/orders.py
  shop/orders.py:10  uses shop/basket.py

2 files in 1 group, among 7 files
""",
    ),
    (
        "some of the groups",
        ["components", "--limit", "1"],
        """\
9 definitions in 4 files
  shop/basket.py:5      Basket
  shop/basket.py:16     Gift
  shop/money.py:1       round_cents
  shop/money.py:5       _scale
  shop/orders.py:4      Order
  shop/orders.py:9      place
  shop/orders.py:21     main
  tests/test_shop.py:5  test_total
  tests/test_shop.py:9  test_cents

13 definitions in 3 groups, among 17 definitions
… 2 more; --offset 1
""",
    ),
    (
        "what may be meant",
        ["impact", "Basket.total", "--depth", "1"],
        """\
Basket.total    shop/basket.py:9-10
├── Gift.total  shop/basket.py:17     override
└── test_total  tests/test_shop.py:6  test

2 users in 2 files, 1 of them a test; deepest 1
1 other line may mean it by its name; `birthmark users` lists what does

shop/orders.py
  6  by name  Order.__init__

""",
    ),
    (
        "groups",
        ["components"],
        """\
9 definitions in 4 files
  shop/basket.py:5      Basket
  shop/basket.py:16     Gift
  shop/money.py:1       round_cents
  shop/money.py:5       _scale
  shop/orders.py:4      Order
  shop/orders.py:9      place
  shop/orders.py:21     main
  tests/test_shop.py:5  test_total
  tests/test_shop.py:9  test_cents

2 definitions in 1 file
  alone.py:1  one
  alone.py:5  two

2 definitions in 1 file
  shop/orders.py:13  even
  shop/orders.py:17  odd

13 definitions in 3 groups, among 17 definitions
""",
    ),
    (
        "groups of files",
        ["components", "--files"],
        """\
4 files
  shop/basket.py
  shop/money.py
  shop/orders.py
  tests/test_shop.py

4 files in 1 group, among 7 files
""",
    ),
    (
        "rank",
        ["rank", "--limit", "4"],
        """\
score  users  name
  3.3      1  even    shop/orders.py:13
  3.3      1  odd     shop/orders.py:17
  1.7      1  _scale  shop/money.py:5
  1.5      3  Basket  shop/basket.py:5

the first 4 of 24 definitions
… 20 more; --offset 4
""",
    ),
    (
        "rank of files",
        ["rank", "--files", "--no-tests"],
        """\
score  users  file
  1.7      1  shop/basket.py
  1.3      1  shop/money.py
  1.3      1  shop/orders.py
  0.6      0  alone.py
  0.6      0  page.html
  0.6      0  shop/__init__.py

the first 6 of 6 files
""",
    ),
    (
        "unused",
        ["unused"],
        """\
private, and named nowhere else
  shop/money.py:9  fn  _forgotten

named nowhere else, but public for other repositories
  alone.py:1             fn     one
  shop/basket.py:16      class  Gift
  shop/orders.py:6       field  Order.price
  tests/test_shop.py:13  fn     helper

named in a string
  shop/orders.py:30  fn  offer  shop/orders.py:27

6 definitions without known users, among 24 definitions
not listed, as they are likely used: 2 tests, 1 decorated definition, 1 entry point; --all lists them
""",
    ),
    (
        "unused but for tests",
        ["unused", "--no-tests", "--all"],
        """\
private, and named nowhere else
  shop/money.py:9  fn  _forgotten

named nowhere else, but public for other repositories
  alone.py:1         fn     one
  shop/basket.py:16  class  Gift, 1 inside
  shop/orders.py:6   field  Order.price

named in a string
  shop/orders.py:30  fn  offer  shop/orders.py:27

named in code, where something else may be meant
  shop/basket.py:9  method  Basket.total  shop/orders.py:6

decorated, and perhaps registered by that
  shop/orders.py:25  fn  sale  @on("sale")

where a program starts
  shop/orders.py:21  fn  main

8 definitions without known users, among 21 definitions
""",
    ),
]


@pytest.mark.parametrize(("words", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_output(world: World, words: list[str], expected: str) -> None:
    output = birthmark(*words, cwd=world.root).stdout
    assert output == expected


def test_the_document_of_an_impact(world: World) -> None:
    found = document("impact", "_scale", cwd=world.root)
    assert found["entity"]["qualified_name"] == "_scale"
    results = found["results"]
    assert [(one["entity"]["qualified_name"], one["depth"], one["is_test"]) for one in results] == [
        ("round_cents", 1, False),
        ("Basket.total", 2, False),
        ("test_cents", 2, True),
        ("test_total", 3, True),
    ]
    first, second = results[:2]
    assert {name: first[name] for name in ("edge", "resolution", "candidates", "site")} == {
        "edge": "calls",
        "resolution": "exact",
        "candidates": 1,
        "site": {"path": "shop/money.py", "line": 2},
    }
    assert (first["through"], second["through"]) == (found["entity"]["mark"], first["entity"]["mark"])
    assert (found["complete"], found["in_time"]) == (True, True)


def test_the_documents_of_the_whole_graph(world: World) -> None:
    (group,) = document("cycles", cwd=world.root)["groups"]
    assert [node["entity"]["name"] for node in group["nodes"]] == ["even", "odd"]
    assert [use["site"] for use in group["cycle"]] == [
        {"path": "shop/orders.py", "line": 14},
        {"path": "shop/orders.py", "line": 18},
    ]
    assert len(document("components", "--limit", "2", cwd=world.root)["groups"]) == 2
    ranked = document("rank", "--files", cwd=world.root)["results"]
    assert sum(one["score"] for one in ranked) == pytest.approx(1)
    steps = document("path", "main", "Order", cwd=world.root)["steps"]
    assert [(step["user"]["name"], step["used"]["name"]) for step in steps] == [
        ("main", "place"),
        ("place", "order"),
        ("order", "Order"),
    ]


def test_the_document_of_what_is_unused(world: World) -> None:
    results = document("unused", "--all", cwd=world.root)["results"]
    doubts = {one["entity"]["name"]: [doubt["doubt"] for doubt in one["doubts"]] for one in results}
    assert doubts["_forgotten"] == []
    assert doubts["sale"] == ["decorated", "named in another language", "public"]
    assert doubts["test_cents"] == ["test"]
    assert [one["likely_used"] for one in results] == sorted(one["likely_used"] for one in results)


def test_a_picture_has_a_box_for_each_and_a_text(world: World, tmp_path: Path) -> None:
    file = tmp_path / "impact.svg"
    done = birthmark("impact", "_scale", "--svg", str(file), cwd=world.root)
    assert (done.returncode, done.stdout) == (0, "")
    text = file.read_text("utf-8")
    root = ElementTree.fromstring(text)  # noqa: S314 (it is our own)
    boxes = [one for one in root.findall(".//{*}rect") if one.get("class") != "ground"]
    assert len(boxes) == 5
    assert "Basket.total uses round_cents at shop/basket.py:10" in (root.findtext("{*}desc") or "")
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"<script|\bon\w+=|href", text)
    spans = [[float(box.attrib[name]) for name in ("x", "y", "width", "height")] for box in boxes]
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    for x, y, wide, high in spans:
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
    for number, (x, y, wide, high) in enumerate(spans):
        for x_2, y_2, wide_2, high_2 in spans[number + 1 :]:
            assert x + wide <= x_2 or x_2 + wide_2 <= x or y + high <= y_2 or y_2 + high_2 <= y


def test_lines_fit_the_screen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for words in (["impact", "_scale"], ["cycles", "--files"], ["components"], ["rank"], ["unused"]):
        lines = birthmark(*words, cwd=world.root).stdout.splitlines()
        assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["impact", "no_such"], "no_such"),
        (["path", "Basket", "Basket.total"], "Basket.total is inside of Basket; name two things"),
        (["path", "main", "main"], "main is itself; name two things"),
        (["impact", "main", "--depth", "0"], "depth"),
    ],
)
def test_bad_questions_have_one_clear_line(world: World, words: list[str], message: str) -> None:
    done = birthmark(*words, cwd=world.root)
    assert done.returncode == 2
    assert message in done.stderr
