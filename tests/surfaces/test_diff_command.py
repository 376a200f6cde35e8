"""`diff`, as a user and a program meet it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

ROOT = Path(__file__).resolve().parents[2]
LOAD = "def load(path):\n    with open(path) as file:\n        return [line.strip() for line in file]\n"
CART = """class Cart:
    def add(self, item):
        self.items.append(item)
        return len(self.items) < self.limit

    def price(self):
        return sum(item.price * item.count for item in self.items)
"""
AFTER = CART.replace("<", "<=").replace("price(self)", "price(self, tax)")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Three commits: the second changes a class and moves a file, the third adds a test; HEAD is main."""
    world = World(tmp_path_factory.mktemp("shop") / "shop", with_git=True)
    world.write("src/cart.py", CART)
    world.write("src/old.py", LOAD)
    world.commit()
    world.git("tag", "v1.0")
    world.write("src/cart.py", f"{AFTER}\n\ndef main():\n    return 0\n")
    world.git("mv", "src/old.py", "src/files.py")
    world.write("src/files.py", LOAD.replace("strip", "rstrip"))
    world.commit()
    world.git("tag", "v2.0")
    world.write("tests/test_cart.py", "def test_cart():\n    assert True\n")
    world.commit()
    return world


LISTED = """\
src/cart.py
  modified  2  method  Cart.add  (body)
  modified  6  method  Cart.price  (signature)
  added     10  fn      main

src/old.py → src/files.py
  modified  1   fn      load  (body)

Tests

tests/test_cart.py  (new file)
  added     1   fn      test_cart

… to …: 3 files: 2 added, 3 modified, 1 relocated
"""


def lines(world: World, *arguments: str) -> list[str]:
    """Without ids of commits, and with single spaces between columns."""
    result = birthmark("diff", *arguments, cwd=world.root)
    assert result.returncode == 0, result.stderr
    return [re.sub(r"(?<=\S) {2,}", "  ", re.sub(r"[0-9a-f]{12}", "…", line)) for line in result.stdout.splitlines()]


def test_changes_are_listed_by_file(shop: World) -> None:
    assert lines(shop, "v1.0..main") == [re.sub(r"(?<=\S) {2,}", "  ", line) for line in LISTED.splitlines()]


@pytest.mark.parametrize(
    "words",
    [["v1.0", "main"], ["v1.0"], ["v1.0..main"], ["v1.0..."], ["v1.0...main"], ["HEAD~2", "@"], ["--since", "@{2}"]],
)
def test_forms_of_the_same_question(shop: World, words: list[str]) -> None:
    counts = document("diff", *words, cwd=shop.root)["counts"]
    assert {change: n for change, n in counts.items() if n} == {"added": 2, "modified": 3, "relocated": 1}


def test_without_arguments_it_is_what_is_not_committed(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": LOAD}, with_git=True)
    world.commit()
    assert "no entity differs" in birthmark("diff", cwd=tmp_path).stdout
    world.write("a.py", LOAD.replace("strip", "rstrip"))
    assert "1 modified" in birthmark("diff", cwd=tmp_path).stdout


def test_a_narrow_screen(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    for options in ([], ["--stat"], ["--moved", "--members"]):
        output = birthmark("diff", "v1.0..main", *options, cwd=shop.root).stdout
        assert max(map(len, output.splitlines())) <= 50


def test_stat(shop: World) -> None:
    assert lines(shop, "v1.0..main", "--stat") == [
        "src/cart.py  +4 -2  1 added, 3 modified",
        "src/files.py  +1 -1  1 relocated",
        "tests/test_cart.py  +2 -0  1 added",
        "",
        "… to …: 3 files: 2 added, 3 modified, 1 relocated; +7 -3 lines",
    ]


def test_patch(shop: World) -> None:
    result = birthmark("diff", "v1.0..main", "-p", "--change", "modified", "--kind", "method", cwd=shop.root)
    assert result.stdout.splitlines()[1:8] == [
        "  modified  2  method  Cart.add  (body)",
        "    @@ -2,3 +2,3 @@",
        "         def add(self, item):",
        "             self.items.append(item)",
        "    -        return len(self.items) < self.limit",
        "    +        return len(self.items) <= self.limit",
        "",
    ]
    changes = document("diff", "v1.0..main", "-p", "--change", "modified", cwd=shop.root)["changes"]
    patches = {change["after"]["qualified_name"]: change["patch"] for change in changes}
    assert (patches["Cart"]["added"], patches["Cart"]["removed"]) == (0, 0)
    assert (patches["Cart.add"]["added"], patches["Cart.add"]["removed"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--", "tests"], ["test_cart"]),
        (["tests"], ["test_cart"]),
        (["--path", "tests"], ["test_cart"]),
        (["--", "!tests", "!src/cart.py"], ["load"]),
        (["--", "src/old.py"], ["load"]),
        (["--", "*cart.py"], ["Cart", "Cart.add", "Cart.price", "main", "test_cart"]),
        (["--kind", "fn"], ["main", "load", "test_cart"]),
        (["--kind", "fn,class", "--change", "added,modified"], ["Cart", "main", "test_cart"]),
        (["--language", "python", "--change", "relocated"], ["load"]),
    ],
)
def test_filters(shop: World, arguments: list[str], expected: list[str]) -> None:
    found = document("diff", "v1.0", "main", *_before_dashes(arguments), cwd=shop.root)
    assert [change["after"]["qualified_name"] for change in found["changes"]] == expected
    assert sum(number for change, number in found["counts"].items() if change != "unchanged") == len(expected)


def _before_dashes(arguments: list[str]) -> list[str]:
    """`document` puts `--json` at the end, which would be a path."""
    return [f"--path={path}" for path in arguments[1:]] if arguments[0] == "--" else arguments


def test_dashes(shop: World) -> None:
    assert lines(shop, "v1.0", "main", "--", "tests")[2] == "tests/test_cart.py  (new file)"
    world_lines = lines(shop, "v1.0..main", "--stat", "--", "src", "!src/files.py")
    assert world_lines[0] == "src/cart.py  +4 -2  1 added, 3 modified"


def test_paths_are_relative_to_the_current_folder(shop: World) -> None:
    result = birthmark("diff", "v1.0..main", "--", "cart.py", cwd=shop.root / "src")
    assert result.stdout.splitlines()[0] == "src/cart.py"


def test_every_path_is_resolved_once(shop: World) -> None:
    for arguments in (["v1.0", "main", "cart.py"], ["v1.0..main", "--path", "cart.py"]):
        found = document("diff", *arguments, cwd=shop.root / "src")
        assert {change["after"]["path"] for change in found["changes"]} == {"src/cart.py"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["v1.0..main", "v2.0"], "'v2.0' is one too many: name one or two revisions, or one range like A..B"),
        (["v1.0", "v2.0", "main"], "'main' is one too many"),
        (["v1.0", "v2.0..main"], "'v2.0..main' is a range, and is compared by itself"),
        (["v1.O"], "unknown revision 'v1.O'; did you mean v1.0?"),
        (["v1.0..mian"], "unknown revision 'mian'; did you mean main?"),
        (["--index", "v1.0"], "--index compares the index with the worktree"),
        (["v1.0", "--kind", "function"], "there is no kind 'function'"),
        (["v1.0", "--change", "modifed"], "there is no change 'modifed'; did you mean modified"),
        (["v1.0", "--language", "pyhton"], "there is no language 'pyhton'; did you mean python"),
        (
            ["v1.0", "--", "src/cat.py"],
            "src/cat.py: no source file of the two states is there; did you mean src/cart.py",
        ),
        (["v1.0", "--", "../elsewhere"], "'../elsewhere' is outside of the repository"),
    ],
)
def test_what_cannot_be_compared(shop: World, arguments: list[str], message: str) -> None:
    result = birthmark("diff", *arguments, cwd=shop.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"birthmark: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [([], 1), (["--", "tests"], 1), (["--change", "deleted"], 0), (["--change", "deleted", "--json"], 0)],
)
def test_the_exit_code_is_that_of_what_passes_the_filters(shop: World, arguments: list[str], code: int) -> None:
    assert birthmark("diff", "v1.0..main", "--exit-code", *arguments, cwd=shop.root).returncode == code


def test_nothing_that_a_repository_holds_is_obeyed_by_a_terminal(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "X = 1\n"}, with_git=True)
    world.commit()
    world.write("a.py", "X = 1\n\n\ndef f():\n    return '\x1b[2J'\n")
    assert "\x1b" not in birthmark("diff", "-p", cwd=tmp_path).stdout


def test_the_page_about_revisions_is_right(shop: World) -> None:
    page = (ROOT / "docs/reference/revisions.md").read_text("utf-8")
    console = re.search(r"^```console\n(.*?)^```", page, re.S | re.M)
    assert console is not None
    for command, shown in re.findall(r"^\$ birthmark (.*)\n(.*)\n", console[1], re.M):
        result = birthmark(*command.split(), cwd=shop.root)
        assert (result.stderr, result.returncode) == (f"{shown}\n", 2)
