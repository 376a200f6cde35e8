"""`tests` and `affected`: what is listed, why, and in which forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import birthmark, document
from worlds import World

TOKEN = "t" * 43
SHOP = """from shop.tax import rate

LIMIT = 5


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(self.items) * rate()

    def _drop(self):
        return LIMIT


def open_cart():
    return Cart()


def traced(function):
    return function


def unused():
    return 1
"""
CONFTEST = """import pytest
from shop.cart import open_cart


@pytest.fixture
def cart():
    return open_cart()


@pytest.fixture(name="cash")
def make_cash():
    return 3


def pytest_configure():
    return 1
"""
TEST_CART = """import pytest
from shop.cart import traced


def test_total(cart):
    assert cart.total() == 0


def test_nothing():
    assert 1


def test_cash(cash):
    assert cash


@traced
def test_traced():
    assert 1


@pytest.mark.usefixtures("cart")
class TestMore:
    def setup_method(self):
        self.size = 1

    def test_size(self):
        assert self.size
"""
TEST_TAX = """from shop import tax


def test_rate():
    assert tax.rate() == 2
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": SHOP,
    "shop/tax.py": "def rate():\n    return 2\n\n\nHIGH = 3\n",
    "shop/page.html": "<p>cart</p>\n",
    "shop/data.csv": "1\n",
    "tests/conftest.py": CONFTEST,
    "tests/test_cart.py": TEST_CART,
    "tests/test_tax.py": TEST_TAX,
    "pyproject.toml": "[project]\n",
}
CART = "tests/test_cart.py::"
ALL_CART = {
    f"{CART}{name}" for name in ("test_total", "test_nothing", "test_cash", "test_traced", "TestMore::test_size")
}
ALL = ALL_CART | {"tests/test_tax.py::test_rate"}
WITH_CART = {f"{CART}test_total", f"{CART}TestMore::test_size"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("tests") / "w", FILES, with_git=True)
    world.commit()
    world.index()
    return world


def ids(world: World, *arguments: str) -> set[str]:
    result = birthmark(*arguments, "--ids", cwd=world.root)
    assert result.returncode == 0, result.stderr
    return set(result.stdout.split())


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("rate", {"tests/test_tax.py::test_rate", *WITH_CART}),
        ("open_cart", WITH_CART),  # A fixture is taken by the name of a parameter, or named in a string.
        ("Cart._drop", WITH_CART),  # Who has a cart may call any of its methods.
        ("LIMIT", WITH_CART),
        ("make_cash", {f"{CART}test_cash"}),
        ("traced", ALL_CART),  # A decorator runs when the file is imported.
        ("TestMore.setup_method", {f"{CART}TestMore::test_size"}),
        ("pytest_configure", ALL),  # Nothing is known to use it, and its file is shared.
        ("test_nothing", {f"{CART}test_nothing"}),
    ],
)
def test_tests_that_reach_it(world: World, ref: str, expected: set[str]) -> None:
    assert ids(world, "tests", ref) == expected


def test_what_nothing_is_known_to_use_is_reached_by_what_imports_its_file(world: World) -> None:
    assert ids(world, "tests", "unused") >= ALL_CART


def test_the_way_says_why(world: World) -> None:
    found = document("tests", "rate", cwd=world.root)
    assert found["all_tests"] == len(ALL)
    nearest, *others = found["results"]
    assert (nearest["id"], nearest["distance"]) == ("tests/test_tax.py::test_rate", 1)
    assert [(step["word"], step["qualified_name"]) for step in nearest["way"]] == [("calls", "rate")]
    ways = {one["id"]: [(step["word"], step["qualified_name"]) for step in one["way"]] for one in others}
    assert ways[f"{CART}test_total"] == [
        ("takes as parameter", "cart"),
        ("calls", "open_cart"),
        ("calls", "Cart"),
        ("contains", "Cart.total"),
        ("calls", "rate"),
    ]
    scores = [one["score"] for one in found["results"]]
    assert 1 > scores[0] > scores[-1] > 0
    assert scores == sorted(scores, reverse=True)


def test_text_for_people(world: World) -> None:
    result = birthmark("tests", "rate", cwd=world.root)
    first, *others = result.stdout.splitlines()
    assert first.split(maxsplit=1)[1].split("  ")[0] == "tests/test_tax.py::test_rate"
    assert first.endswith("  calls rate")
    assert [line.split()[0] for line in others[:2]] == sorted((line.split()[0] for line in others[:2]), reverse=True)
    assert "takes as parameter cart, which calls open_cart, which calls Cart with Cart.total, which" in result.stdout
    assert result.stdout.endswith("3 of 6 tests reach `rate`\n")


CHANGES = [
    ("nothing", {}, set()),
    ("layout", {"shop/tax.py": "def rate():\n\n    return  2  # low\n\n\nHIGH = 3\n"}, set()),
    (
        "a function",
        {"shop/tax.py": FILES["shop/tax.py"].replace("2", "4")},
        {"tests/test_tax.py::test_rate", *WITH_CART},
    ),
    ("a test", {"tests/test_tax.py": TEST_TAX.replace("== 2", "> 0")}, {"tests/test_tax.py::test_rate"}),
    ("a fixture", {"tests/conftest.py": CONFTEST.replace("return 3", "return 4")}, {f"{CART}test_cash"}),
    ("a setting", {"pyproject.toml": "[tool]\n"}, ALL),
    ("a file that nothing names", {"shop/data.csv": "2\n"}, set()),
    ("imports", {"shop/tax.py": f"import os\n\n\n{FILES['shop/tax.py']}"}, ALL),
    ("what tests share", {"tests/conftest.py": f"{CONFTEST}\n\nprint()\n"}, ALL),
    ("a deletion", {"shop/tax.py": "HIGH = 3\n"}, ALL),
    (
        "a method that is gone",
        {"shop/cart.py": SHOP.replace("    def _drop(self):\n        return LIMIT\n", "")},
        WITH_CART,
    ),
    ("a new test", {"tests/test_new.py": "def test_new():\n    assert 1\n"}, {"tests/test_new.py::test_new"}),
]


@pytest.mark.parametrize(("files", "expected"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_tests_to_run_after_a_change(tmp_path: Path, files: dict[str, str], expected: set[str]) -> None:
    world = World(tmp_path / "w", FILES, with_git=True)
    world.commit()
    for path, text in files.items():
        world.write(path, text)
    world.git("add", "-A")
    if files:
        world.commit()
    world.index()
    base = "HEAD~1" if files else "HEAD"
    found = ids(world, "affected", "--since", base)
    assert found >= expected
    assert found == expected or expected == ALL
    assert ids(world, "affected", "--since", base, "--until", "HEAD") == found


def test_what_is_not_looked_into_is_said(world: World) -> None:
    world.write("shop/data.csv", "2\n")
    world.commit()
    result = birthmark("affected", "--since", "HEAD~1", cwd=world.root)
    assert "not analysed: shop/data.csv" in result.stderr
    assert "0 of 6 tests to run: no code changed" in result.stdout
    found = document("affected", "--since", "HEAD~1", cwd=world.root)
    assert (found["unseen_files"], found["results"], found["changes"]) == (["shop/data.csv"], [], [])


def test_the_same_over_http(world: World) -> None:
    app = make_app(world.root, TOKEN.encode(), Hosts.of(7433))
    client = Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])
    reply = client.get("/v1/tests", ref="rate", limit="1").document
    assert ([one["id"] for one in reply["results"]], reply["truncated"]) == (["tests/test_tax.py::test_rate"], True)
    assert client.get("/v1/affected", since="HEAD").document["results"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tests", "nothing_like_it"], "nothing_like_it"),
        (["affected", "--since", "nowhere"], "nowhere"),
        (["affected", "--until", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_line(world: World, arguments: list[str], message: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert result.returncode == 2
    assert message in result.stderr.splitlines()[0]


def test_a_test_that_only_names_what_is_gone_did_not_change(tmp_path: Path) -> None:
    tests = {
        "test_a.py": 'NAMES = ["parse"]\n\n\ndef test_a():\n    assert NAMES\n',
        "test_b.py": "def test_b(): pass\n",
    }
    world = World(tmp_path / "w", {"app.py": "def parse(): pass\n", **tests}, with_git=True)
    world.commit()
    world.write("app.py", "X = 1\n")
    world.write("test_b.py", "def test_b(): return 1\n")
    world.commit()
    world.write("test_a.py", tests["test_a.py"].replace("assert NAMES", "assert not NAMES"))
    world.commit()
    world.index()
    found = document("affected", "--since", "HEAD~2", "--until", "HEAD~1", cwd=world.root)["results"]
    assert [(one["id"], one["distance"], one["score"] == 1) for one in found] == [
        ("test_b.py::test_b", 0, True),
        ("test_a.py::test_a", 2, False),
    ]
    assert [(step["word"], step["path"]) for step in found[1]["way"]] == [
        ("reads", "test_a.py"),
        ("names", "app.py::parse"),
    ]


def test_a_file_that_is_a_test_changes_with_what_is_in_it(tmp_path: Path) -> None:
    helper = "function helper() {\n  return 1\n}\n"
    world = World(tmp_path / "w", {"a.spec.js": f"{helper}it('is', () => helper())\n"}, with_git=True)
    world.commit()
    world.replace("a.spec.js", "return 1", "return 2")
    world.index()
    found = document("affected", cwd=world.root)["results"]
    assert [(one["id"], one["distance"]) for one in found] == [("a.spec.js", 0)]


def test_likely_tests_are_those_with_the_highest_scores(tmp_path: Path) -> None:
    tests = {
        f"test_{number}.py": f"import app\n\n\ndef test_{number}():\n    app.{'fg'[number > 2]}()\n"
        for number in range(60)
    }
    world = World(tmp_path / "w", {"app.py": "def f():\n    return 1\n\n\ndef g():\n    f()\n", **tests}, with_git=True)
    world.commit()
    world.replace("app.py", "return 1", "return 2")
    world.index()
    whole = document("affected", cwd=world.root)["results"]
    likely = document("affected", "--likely", cwd=world.root)["results"]
    assert (len(whole), likely) == (60, whole[:12])
    assert {one["id"] for one in whole[:3]} == {f"test_{number}.py::test_{number}" for number in range(3)}
