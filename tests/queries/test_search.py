"""What a search finds in an index that is made step by step, judged by what was written."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.documents.listings import SearchDocument
from examples import n_examples
from worlds import World

WORDS = ["amber", "birch", "cedar", "delta", "ember", "fjord"]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True).flatmap(
    lambda words: st.sampled_from(["_".join(words), words[0] + "".join(word.title() for word in words[1:])])
)
# A file is a list of functions: names, and the words of their bodies.
FUNCTIONS = st.lists(st.tuples(NAMES, st.lists(st.sampled_from(WORDS), max_size=2)), max_size=4)
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "lib/c.py"]), FUNCTIONS, min_size=1)
Tree = dict[str, list[tuple[str, list[str]]]]


def source_of(functions: list[tuple[str, list[str]]]) -> str:
    """One function a line, so that which words are in it can be seen."""
    return "".join(f"def {name}(): return {[word.upper() for word in words]}\n" for name, words in functions)


def write_tree(world: World, tree: Tree) -> None:
    for path in [path for path in ("a.py", "b.py", "lib/c.py") if (world.root / path).exists() and path not in tree]:
        world.remove(path)
    for path, functions in tree.items():
        world.write(path, source_of(functions))
    world.index()


def found(world: World, text: str, **options: Any) -> SearchDocument:
    """As a surface asks, which has texts made searchable."""
    with world.session(RefreshOptions()) as session:
        return find_page(session, SearchQuery(text, limit=1_000)._replace(**options))[0]


def places(page: SearchDocument) -> list[tuple[str, str, int, str]]:
    """Without what was found by a former name, which an index that was made at once does not know."""
    results = [(one.entity, one.match, one.former_name) for one in page.results]
    return [(entity.path, entity.name, entity.start_line, match) for entity, match, former in results if not former]


@settings(max_examples=n_examples(5), deadline=None)
@given(st.lists(st.tuples(TREES, st.booleans()), min_size=2, max_size=4))
def test_an_index_made_in_steps_answers_as_one_made_at_once(steps: list[tuple[Tree, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world, fresh = World(Path(folder) / "steps"), World(Path(folder) / "once")
        for tree, is_searched in steps:
            write_tree(world, tree)
            if is_searched:
                found(world, "anything at all")
        write_tree(fresh, tree)
        for text in ("amber", "birchCedar", "cedar ember", "dleta"):
            page = found(world, text)
            renamed = {(one.entity.path, one.entity.start_line) for one in page.results if one.former_name}
            expected = [place for place in places(found(fresh, text)) if (place[0], place[2]) not in renamed]
            assert places(page) == expected
        check_names(world, tree)
        check_texts(world, tree)
        check_tables(world)


def check_names(world: World, tree: Tree) -> None:
    """By its name every function is found, before all that is called otherwise."""
    everything = [(path, name) for path, functions in tree.items() for name, _ in functions]
    for name in {name for _, name in everything}:
        results = [(one.entity.path, one.entity.name) for one in found(world, name).results]
        namesakes = [one for one in everything if one[1] == name]
        assert sorted(results[: len(namesakes)]) == sorted(namesakes)


def check_texts(world: World, tree: Tree) -> None:
    """With two words in quotes the body is meant, unless both are in the name."""
    text = "'amber' 'birch'"
    expected = {
        (path, line)
        for path, functions in tree.items()
        for line, (_, words) in enumerate(functions, 1)
        if {"amber", "birch"} <= set(words)
    }
    results = {(one.entity.path, one.entity.start_line): one.found for one in found(world, text).results}
    assert {place for place, line in results.items() if line is not None} <= expected <= set(results)


def check_tables(world: World) -> None:
    """Every text of the snapshot is searchable; others are dropped when the next one is added."""
    with world.session() as session:
        rows = session.store.files(session.view.number).values()
        versions = session.store.versions([row.version for row in rows if row.version is not None])
        shown = {version.extraction for version in versions.values()}
        assert session.store.unsearched_texts(session.view.number) == set()
        assert session.store.check_integrity() == []
        connection = session.store.connection  # type: ignore[attr-defined]
        assert {row[0] for row in connection.execute("SELECT rowid FROM searched_texts")} >= shown


SHOP = '''\
class Cart:
    """What a customer wants to buy."""

    def total(self, rebate: float) -> float:
        """The sum of all prices."""
        def rounded(value):
            return int(value * 100) / 100
        return rounded(sum(item.price for item in self.items))


class Order(Cart):
    def send_invoice(self):
        return render(self, "invoice.html")


def render(order, template):
    return template
'''
TEST = "def test_total():\n    assert Cart().total(0.5) == 0\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(
        tmp_path_factory.mktemp("search") / "w",
        {"shop.py": SHOP, "tests/test_shop.py": TEST, "web.js": "function Rendered() {}\n"},
    )
    world.index()
    world.replace("shop.py", "def send_invoice", "def bill")
    world.index()
    return world


# What is searched for, with options, and what is found by what.
FOUND: list[tuple[str, dict[str, Any], list[str]]] = [
    ("Cart", {}, ["Cart name", "Order signature", "test_total code"]),
    ("cart", {}, ["Cart name", "Order signature", "test_total code"]),
    ("total", {}, ["Cart.total name", "test_total part"]),
    ("Cart.total", {}, ["Cart.total name"]),
    ("ttoal", {}, ["Cart.total slip"]),
    ("render", {}, ["render name", "Rendered part", "Order.bill code"]),
    ("render", {"languages": ["javascript"]}, ["Rendered part"]),
    ("render", {"kinds": ["method"]}, ["Order.bill code"]),
    ("render", {"paths": ["*.js"]}, ["Rendered part"]),
    ("render", {"paths": ["!shop.py"]}, ["Rendered part"]),
    ("total", {"paths": ["tests"]}, ["test_total part"]),
    ("total", {"limit": 1}, ["Cart.total name"]),
    ("total", {"offset": 1}, ["test_total part"]),
    ("send_invoice", {}, ["Order.bill former name"]),
    ("send invioce", {}, ["Order.bill slip"]),
    ("Order.send_invoice", {}, ["Order.bill former name"]),
    ("sum prices", {}, ["Cart.total doc"]),
    ("customer buy", {}, ["Cart doc"]),
    ("rebate", {}, ["Cart.total signature"]),
    ("int(value", {}, ["Cart.total.rounded code"]),
    ("invoice.html", {}, ["Order.bill code"]),
    ("nothing of it", {}, []),
    ("+", {}, []),
]


@pytest.mark.parametrize(("text", "options", "expected"), FOUND)
def test_what_is_found(world: World, text: str, options: dict[str, Any], expected: list[str]) -> None:
    results = found(world, text, **options).results
    assert [f"{one.entity.qualified_name} {one.match}" for one in results] == expected


def test_a_former_name_says_until_when(world: World) -> None:
    former = found(world, "send_invoice").results[0].former_name
    assert former is not None
    assert former.qualified_name == "Order.send_invoice"
    assert former.until is not None
    assert former.until.after is not None
    assert former.until.after.qualified_name == "Order.bill"


def test_pages_follow_one_another(world: World) -> None:
    whole = [one.entity.mark for one in found(world, "t").results]
    pages: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = found(world, "t", limit=2, offset=offset)
        pages += [one.entity.mark for one in page.results]
        offset = page.next
    assert pages == whole


def test_texts_are_found_though_nothing_may_be_written(world: World) -> None:
    world.write("new.py", "def fresh():\n    return 'unheard of'\n")
    world.index()
    with world.session() as session:
        page, _ = find_page(session, SearchQuery("unheard"))
        assert session.store.unsearched_texts(session.view.number) != set()
    assert [one.entity.name for one in page.results] == ["fresh"]
    world.remove("new.py")
    world.index()
