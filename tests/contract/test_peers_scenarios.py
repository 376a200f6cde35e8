"""Where other programs lose a thing's identity, or mix up two: none of it may happen here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from both_stores import check_rows_are_the_same
from database_rows import database_rows

from birthmark.app.answers.files import name_file
from birthmark.ledger.file_scan import IndexTools
from birthmark.model import Problem
from birthmark.vocabulary import RefStatus
from worlds import World

# Seven functions in two files.
SHOP = """\
def total(prices):
    result = 0
    for price in prices:
        result += price
    return result


def discount(price, rate):
    if rate > 1:
        raise ValueError(rate)
    return price - price * rate


def describe(item):
    name = item["name"].strip()
    return f"{name}: {item['price']:.2f}"


class Cart:
    def __init__(self, items):
        self.items = list(items)

    def add(self, item):
        self.items.append(item)
        return total(i["price"] for i in self.items)
"""
STOCK = """\
def load(path):
    with open(path) as file:
        return [line.split(",") for line in file]


def find(rows, name):
    for row in rows:
        if row[0] == name:
            return row
    return None
"""
TWINS = """\
if FAST:
    def area(shape):
        return shape.width * shape.height
else:
    def area(shape):
        rows = [sum(row) for row in shape.cells]
        return sum(rows)
"""


@pytest.fixture
def world(tmp_path: Path, chosen_store: str) -> World:
    return make_world(tmp_path)


def make_world(root: Path) -> World:
    world = World(root, {"shop.py": SHOP, "stock.py": STOCK}, with_git=True)
    world.commit()
    world.index()
    return world


def shift_lines(world: World) -> None:
    for path in ("shop.py", "stock.py"):
        world.write(path, "# a line\n" * 10 + world.read(path))


def edit_bodies(world: World) -> None:
    world.replace("shop.py", "result = 0", "result = 0.0")
    world.replace("shop.py", "price - price * rate", "price * (1 - rate)")
    world.replace("stock.py", "return None", "raise KeyError(name)")


def rename(world: World) -> None:
    world.replace("shop.py", "total", "sum_of_prices")
    world.replace("stock.py", "def find(", "def find_row(")


def move_elsewhere(world: World) -> None:
    moved, rest = SHOP.split("class Cart")[0], "class Cart" + SHOP.split("class Cart")[1]
    world.write("shop.py", "from prices import total\n\n\n" + rest)
    world.write("prices.py", moved)


def rename_file(world: World) -> None:
    world.move("shop.py", "src/store/shopping.py")


SCENARIOS = (shift_lines, edit_bodies, rename, move_elsewhere, rename_file)


@pytest.mark.parametrize("edit", SCENARIOS)
def test_all_marks_are_kept(world: World, edit: Callable[[World], None]) -> None:
    before = world.marks()
    edit(world)
    foretold = world.diff().counts
    world.commit()
    world.index()
    assert sorted(world.marks().values()) == sorted(before.values())
    assert (foretold["added"], foretold["deleted"]) == (0, 0)
    assert world.check() == []


@pytest.mark.postgres
@pytest.mark.parametrize("edit", SCENARIOS)
def test_the_rows_are_the_same_in_both_stores(tmp_path: Path, edit: Callable[[World], None]) -> None:
    folders = iter((tmp_path / "sqlite", tmp_path / "postgres"))

    def run() -> dict[str, list[str]]:
        world = make_world(next(folders))
        edit(world)
        world.index()
        return database_rows(world.root)

    check_rows_are_the_same(run)


@pytest.mark.parametrize("edit", SCENARIOS)
def test_each_mark_stays_with_its_own(world: World, edit: Callable[[World], None]) -> None:
    """No scenario changes the order of the functions, files taken together as they were."""
    order = ("total", "discount", "describe", "Cart", "Cart.__init__", "Cart.add", "load", "find")
    renamed = {"sum_of_prices": "total", "find_row": "find"}
    before = {held.entity.qualified_name: held.mark for held in world.entities()}
    edit(world)
    world.index()
    after = {held.entity.qualified_name: held.mark for held in world.entities()}
    after = {renamed.get(name, name): mark for name, mark in after.items()}
    assert {name: after[name] for name in order} == {name: before[name] for name in order}


@pytest.mark.parametrize("edit", [*SCENARIOS, None])
def test_two_functions_of_one_name_have_two_marks(world: World, edit: Callable[[World], None] | None) -> None:
    world.write("shop.py", SHOP + "\n\n" + TWINS)
    world.index()
    first, second = (held for held in world.entities() if held.entity.name == "area")
    assert first.mark != second.mark
    if edit is not None and edit not in (move_elsewhere, rename):
        edit(world)
    else:
        world.replace("shop.py", "shape.width * shape.height", "shape.height * shape.width + shape.border")
    world.index()
    twins = {held.mark: held.fingerprint.interface for held in world.entities() if held.entity.name == "area"}
    assert list(twins) == [first.mark, second.mark]


def test_of_two_with_one_name_the_one_that_stays_keeps_its_own(world: World) -> None:
    """Elsewhere the first one's id passes to the second."""
    world.write("shop.py", TWINS)
    world.index()
    first, second = (held.mark for held in world.entities() if held.entity.name == "area")
    world.replace(
        "shop.py", "if FAST:\n    def area(shape):\n        return shape.width * shape.height\nelse", "if SLOW"
    )
    world.index()
    assert world.mark("area") == second
    assert world.resolve(first).status == RefStatus.GONE


# Mistakes of the programs that the seeds were written for, each reproduced there.


def test_births_are_given_by_the_clock(world: World) -> None:
    """There they were hashed from path and name, so that a successor inherits its predecessor's key."""
    old = world.key("discount")
    world.write("shop.py", SHOP.replace("discount", "unrelated").replace("price - price * rate", "open(rate).read()"))
    world.remove("stock.py")
    world.index()
    world.write("shop.py", "def discount():\n    import turtle\n    return turtle.Turtle()\n")
    world.index()
    assert world.key("discount") != old


def test_methods_of_one_name_in_one_file_are_all_stored(world: World) -> None:
    """There two classes' constructors overwrote one another."""
    world.write(
        "two.py", "class A:\n    def __init__(self): self.a = 1\n\nclass B:\n    def __init__(self): self.b = 2\n"
    )
    world.index()
    names = [held.entity.qualified_name for held in world.entities() if held.entity.path == "two.py"]
    assert {"A.__init__", "B.__init__"} <= set(names)
    assert len({held.key for held in world.entities()}) == len(world.entities())


def test_a_matched_candidate_is_consumed(tmp_path: Path) -> None:
    """There two duplicates both got the first one's key."""
    world = World(tmp_path, {"a.py": "def f(x):\n    return [x, x, x, x]\n\n\n" * 2})
    world.index()
    before = [held.key for held in world.entities()]
    world.write("a.py", "# shifted\n" + world.read("a.py"))
    world.index()
    assert [held.key for held in world.entities()] == before
    assert len(set(before)) == 2


def test_an_edit_far_away_keeps_the_key(world: World) -> None:
    """There an edited entity more than ten lines from its place lost its key."""
    key = world.key("find")
    world.write("stock.py", "x = 1\n" * 500 + STOCK.replace("return None", "return ()"))
    world.index()
    assert world.key("find") == key


def test_a_parse_failure_keeps_the_entities(world: World) -> None:
    before = world.marks()
    world.replace("shop.py", "result = 0", "result = 1")

    def crash(tools: IndexTools) -> IndexTools:
        extractor = tools.extractor
        extractor.fill_cache = lambda blobs, level: (  # type: ignore[method-assign]
            (blob, Problem(blob.path, "crashed")) for blob in blobs if not extractor.numbers([blob.key], level)
        )
        return tools

    assert world.index(crash).problems == [Problem("shop.py", "crashed")]
    assert world.marks() == before


def test_a_deleted_files_entities_go(world: World) -> None:
    marks = [mark for name, mark in world.marks().items() if name.startswith("stock.py")]
    world.remove("stock.py")
    world.index()
    assert not any(name.startswith("stock.py") for name in world.marks())
    assert {world.resolve(mark).status for mark in marks} == {RefStatus.GONE}


def test_old_edges_of_a_modified_entity_go(world: World) -> None:
    assert world.callers("total") == ["Cart.add"]
    world.replace("shop.py", 'total(i["price"] for i in self.items)', "len(self.items)")
    world.index()
    assert world.callers("total") == []


def test_files_that_differ_by_extension_are_two_places(tmp_path: Path) -> None:
    source = "int add(int a, int b) { return a + b; }\n"
    world = World(tmp_path, {"a.c": source, "a.h": source})
    world.index()
    assert len({held.key.rpartition(":T")[0] for held in world.entities()}) == 2


def test_paths_that_sanitise_alike_get_two_keys(tmp_path: Path) -> None:
    source = "def f(x):\n    return x\n"
    world = World(tmp_path, {"a/b.py": source, "a_b.py": source, "a.b.py": source})
    world.index()
    assert len({held.key for held in world.entities()}) == 3
    before = world.marks()
    world.write("a_b.py", "\n" + source)
    world.index()
    assert world.marks() == before


def test_a_file_has_one_name_however_it_is_asked_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the watcher said absolute paths and the indexer relative ones."""
    monkeypatch.chdir(world.root)
    assert name_file(world.root / "shop.py") == name_file(Path("shop.py")) == "shop.py"
    assert {held.entity.path for held in world.entities()} == {"shop.py", "stock.py"}
