"""`callers` and `callees` as people read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

APP = """from tools import helper, ready
import json

ready()


class App:
    def run(self):
        helper(1)
        helper(2)
        self.stop()

    def stop(self):
        json.dumps(self.thing.save())
        unheard_of()


def never_called():
    pass
"""
TOOLS = "def helper(x):\n    return x\n\n\ndef ready():\n    return helper(0)\n"
STORES = "class A:\n    def save(self): ...\n\n\nclass B:\n    def save(self): ...\n"
OTHER = "def go(app):\n    app.run()\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    files = {"app.py": APP, "tools.py": TOOLS, "stores.py": STORES, "other.py": OTHER}
    world = World(tmp_path_factory.mktemp("edges") / "w", files)
    world.index()
    return world


LEGEND = "by name: only the name is known to be the same, so another definition may be meant"

CASES = [
    (
        "grouped by file, lines of a caller together",
        ["users", "helper"],
        """\
uses of fn helper  tools.py:1-2

app.py
  1      import     top level of app.py
  9, 10  by import  App.run

tools.py
  6  certain  ready

4 uses in 2 files: 3 calls, 1 import; 1 certain, 3 by import
""",
    ),
    (
        "calls alone",
        ["callers", "helper"],
        """\
calls of fn helper  tools.py:1-2

app.py
  9, 10  by import  App.run

tools.py
  6  certain  ready

3 calls in 2 files: 1 certain, 2 by import
""",
    ),
    (
        "at the top level",
        ["callers", "ready"],
        """\
calls of fn ready  tools.py:5-6

app.py
  4  by import  top level of app.py

1 call in 1 file: 1 by import
""",
    ),
    (
        "a legend where it is needed",
        ["callers", "App.run"],
        f"""\
calls of method App.run  app.py:8-11

other.py
  2  by name  go

1 call in 1 file: 1 by name
{LEGEND}
""",
    ),
    (
        "several candidates",
        ["callers", "B.save"],
        f"""\
calls of method B.save  stores.py:6

app.py
  14  by name, one of 2  App.stop

1 call in 1 file: 1 by name
{LEGEND}
""",
    ),
    (
        "no caller",
        ["callers", "never_called"],
        "no call of `never_called` found in 4 files; "
        "uses through variables of unknown type, reflection and other repositories are not seen\n",
    ),
    (
        "callees by the file in which they are defined",
        ["callees", "App.run"],
        """\
calls in method App.run  app.py:8-11

app.py
  11  certain  App.stop  13-15

tools.py
  9, 10  by import  helper  1-2

3 calls in 2 files: 1 certain, 2 by import
""",
    ),
    (
        "callees that are not one definition of the repository",
        ["callees", "App.stop"],
        f"""\
calls in method App.stop  app.py:13-15

one of several definitions of the name
  14  one of 2  save

outside the repository
  14  dumps

not found
  15  unheard_of

3 calls: 1 by name, 1 outside the repository, 1 not found
{LEGEND}
not found: built in, or called through a variable of unknown type
""",
    ),
    ("no callee", ["callees", "never_called"], "`never_called` calls nothing: there is no call in app.py:18-19\n"),
]


@pytest.mark.parametrize(("arguments", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_edges_for_people(world: World, arguments: list[str], expected: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert (result.returncode, result.stdout) == (0, expected)


def test_every_use_has_its_word(tmp_path: Path) -> None:
    shop = "LIMIT = 2\n\n\nclass Shop:\n    def open(self):\n        return LIMIT\n"
    big = (
        "from shop import LIMIT, Shop\n\n\nclass Big(Shop):\n    def open(self):\n        return LIMIT\n\n\n"
        "def visit(one: Shop):\n    one.open()\n    return one.open\n"
    )
    world = World(tmp_path / "w", {"shop.py": shop, "big.py": big})
    world.index()

    def rows(*arguments: str) -> list[str]:
        printed = birthmark("users", *arguments, cwd=world.root).stdout.splitlines()
        return [" ".join(line.split()) for line in printed if line.startswith("  ")] + printed[-1:]

    assert rows("Shop") == [
        "1 import top level of big.py",
        "4 subclass, by import Big",
        "9 type, by import visit",
        "3 uses in 1 file: 1 subclass, 1 type, 1 import; 3 by import",
    ]
    assert rows("Shop", "--subclasses") == ["4 subclass, by import Big", "1 subclass in 1 file: 1 by import"]
    assert rows("Shop.open") == [
        "5 override Big.open",
        "10 by import visit",
        "11 read, by import visit",
        "3 uses in 1 file: 1 call, 1 override, 1 read; 3 by import",
    ]
    assert rows("LIMIT", "--references") == [
        "1 import top level of big.py",
        "6 read, by import Big.open",
        "6 read, certain Shop.open",
        "3 references in 2 files: 2 reads, 1 import; 1 certain, 2 by import",
    ]


def test_the_uses_of_a_function_are_those_of_its_signatures(tmp_path: Path) -> None:
    source = "function f(x: string): void\nfunction f(x: any) {}\nfunction g() {\n  f(1)\n}\n"
    world = World(tmp_path / "w", {"a.ts": source})
    world.index()
    for ref, lines in {"a.ts::f": [4], "f": [4], "a.ts:1": [2, 4]}.items():
        found = document("users", ref, cwd=world.root)["results"]
        assert [one["site"]["line"] for one in found] == lines
    assert document("callees", "g", cwd=world.root)["results"][0]["entity"]["start_line"] == 2


def test_uses_in_scripts_of_a_page(tmp_path: Path) -> None:
    page = "<p>limit</p>\n<script>\nconst limit = 1;\n// limit\nconsole.log(limit);\n</script>\n<p>limit</p>\n"
    world = World(tmp_path / "w", {"index.html": page})
    world.index()
    found = document("users", "limit", cwd=world.root)["results"]
    assert [(one["edge"], one["site"]["line"]) for one in found] == [("reads", 5)]


def test_a_long_sentence_is_wrapped_where_the_screen_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    printed = birthmark("callers", "never_called", cwd=world.root).stdout.splitlines()
    assert len(printed) > 1
    assert all(len(line) <= 40 for line in printed)


def test_json_has_every_call(world: World) -> None:
    found = document("callers", "helper", cwd=world.root)
    sites = [(one["site"]["path"], one["site"]["line"], one["resolution"]) for one in found["results"]]
    assert sites == [("tools.py", 6, "exact"), ("app.py", 9, "import"), ("app.py", 10, "import")]
    assert {one["depth"] for one in found["results"]} == {1}
    assert found["searched_files"] == 4
    assert document("users", "--calls", "ready", cwd=world.root)["results"][0]["entity"] is None


def test_callers_are_users_narrowed_to_calls(world: World) -> None:
    expected = birthmark("users", "--calls", "helper", cwd=world.root).stdout
    assert birthmark("callers", "helper", cwd=world.root).stdout == expected


def test_no_line_is_repeated(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"a.py": "def f(x):\n    return x\n\n\ndef g():\n    return f(f(1))\n"})
    world.index()
    printed = birthmark("callers", "f", cwd=world.root).stdout
    assert "  6  certain  g\n" in printed
    assert printed.endswith("2 calls in 1 file: 2 certain\n")


@pytest.mark.parametrize(("columns", "expected"), [("60", "2, 3, 4, 5, +3"), (None, "2, 3, 4, 5, 6, 7, 8")])
def test_many_lines_are_not_all_shown_on_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str | None, expected: str
) -> None:
    """A long name is cut where the screen ends; output to a file is whole."""
    long = "x" * 60
    calls = "    it.f()\n" * 7
    world = World(tmp_path / "w", {"a.py": f"def {long}(it):\n{calls}", "f.py": "class A:\n    def f(self): ...\n"})
    world.index()
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    row = birthmark("callers", "A.f", cwd=world.root).stdout.splitlines()[3]
    assert row.startswith(f"  {expected}  by name  xxx")
    assert len(row) == (60 if columns else 21 + 60 + 11)
