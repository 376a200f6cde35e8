"""`history` and `blame`, as a user and a program meet them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from running import birthmark, document
from worlds import START, World, run_git

FIRST = "class Cart:\n    def total(self):\n        return sum(self.items)\n"
SECOND = FIRST.replace("sum(self.items)", "sum(self.items) * self.tax")
THIRD = "# A shop.\n" + SECOND.replace("class Cart:\n", 'class Cart:\n    """What is wanted."""\n\n')
DAY = 86_400


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, with_git=True)
    for text in (FIRST, SECOND, THIRD):
        world.write("src/shop.py", text)
        world.commit()
    return world


def commit_as(world: World, files: dict[str, str | None], subject: str, author: str = "Ada", day: int = 0) -> str:
    """A commit of some files, on a day after the start; without a text a file is deleted."""
    for path, text in files.items():
        if text is None:
            world.remove(path)
        else:
            world.write(path, text)
    run_git(world.root, "add", "-A")
    person = f"{author} <{author.lower()}@x.org>"
    run_git(world.root, "commit", "-q", "-m", subject, f"--author={person}", at=START + day * DAY)
    return run_git(world.root, "rev-parse", "HEAD")


@pytest.fixture
def shop(tmp_path: Path) -> World:
    """Ada wrote it on the first day, Bob changed it on the third, and it was renamed on the fifth."""
    world = World(tmp_path, with_git=True)
    commit_as(world, {"src/shop.py": FIRST}, "A shop")
    commit_as(world, {"src/shop.py": SECOND}, "Add\x1b[2J taxes", "Bob", day=2)
    commit_as(world, {"src/shop.py": SECOND.replace("total", "price")}, "Say price", day=4)
    return world


def ids(world: World) -> list[str]:
    """Of all commits, newest first."""
    return run_git(world.root, "rev-list", "HEAD").split()


def subjects(world: World, *options: str) -> list[str]:
    return [event["subject"] for event in history_of(world, *options)["events"]]


def history_of(world: World, *options: str) -> Any:
    return document("history", "src/shop.py::Cart.price", *options, cwd=world.root)


def test_history_for_people(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    newest, middle, oldest = (id_[:12] for id_ in ids(shop))
    result = birthmark("history", "src/shop.py::Cart.price", cwd=shop.root)
    assert result.stdout == (
        "method Cart.price  src/shop.py:2-3\n"
        "\n"
        f"{newest}  2024-01-30  Ada  Say price\n"
        "              renamed from total\n"
        f"{middle}  2024-01-28  Bob  Add\ufffd[2J taxes\n"
        "              body changed\n"
        f"{oldest}  2024-01-26  Ada  A shop\n"
        "              introduced at src/shop.py:2-3\n"
        "\n"
        "3 changes by 2 authors since 2024-01-26\n"
    )


def test_history_as_a_document(shop: World) -> None:
    found = history_of(shop)
    assert (found["deletion"], found["was"]) == (None, None)
    event = found["events"][1]
    assert {name: event[name] for name in ("subject", "author", "email", "date", "commit_date", "changes")} == {
        "subject": "Add\x1b[2J taxes",
        "author": "Bob",
        "email": "bob@x.org",
        "date": "2024-01-28T16:00:00+00:00",
        "commit_date": "2024-01-28T16:00:00+00:00",
        "changes": ["body change"],
    }
    assert "patch" not in event


@pytest.mark.parametrize("is_replayed", [False, True])
def test_a_rename_that_no_commit_has_yet(shop: World, is_replayed: bool) -> None:
    """Once the index has it, every name of it leads to its history."""
    assert birthmark("index", *(["--from-history"] if is_replayed else []), cwd=shop.root).returncode == 0
    mark = document("resolve", "Cart.price", "--json", cwd=shop.root)["entity"]["mark"]
    shop.replace("src/shop.py", "price", "amount")
    assert document("resolve", mark, "--json", cwd=shop.root)["entity"]["name"] == "amount"
    for ref in (mark, "Cart.amount", "Cart.price", "src/shop.py::Cart.amount", "src/shop.py:2"):
        found = document("history", ref, "--json", cwd=shop.root)
        assert (found["entity"]["qualified_name"], len(found["events"]), found["was"]) == ("Cart.price", 3, None), ref


def test_history_with_patches(shop: World) -> None:
    result = birthmark("history", "src/shop.py::Cart.price", "-p", "-n", "2", cwd=shop.root)
    assert result.stdout.splitlines()[4:14] == [
        "    @@ -2,2 +2,2 @@",
        "    -    def total(self):",
        "    +    def price(self):",
        "             return sum(self.items) * self.tax",
        "",
        f"{ids(shop)[1][:12]}  2024-01-28  Bob  Add\ufffd[2J taxes",
        "              body changed",
        "    @@ -2,2 +2,2 @@",
        "         def total(self):",
        "    -        return sum(self.items)",
    ]
    renamed, changed, introduced = (event["patch"] for event in history_of(shop, "--patch")["events"])
    assert (renamed["added"], renamed["removed"]) == (1, 1)
    assert changed["hunks"][0]["lines"][1:] == [
        "-        return sum(self.items)",
        "+        return sum(self.items) * self.tax",
    ]
    assert (introduced["added"], introduced["removed"], introduced["hunks"][0]["old_count"]) == (2, 0, 0)


def test_history_with_numbers_of_lines(shop: World) -> None:
    lines = birthmark("history", "src/shop.py::Cart.price", "--stat", "--reverse", cwd=shop.root).stdout.splitlines()
    assert [line.strip() for line in lines[2:-2]][2::3] == ["+2 -0  ++", "+1 -1  +-", "+1 -1  +-"]
    assert lines[2].endswith("A shop")


def test_a_patch_of_a_class_is_without_its_members(shop: World) -> None:
    text = "class Cart(Base):\n    def price(self):\n        return 1\n"
    commit_as(shop, {"src/shop.py": text}, "Base", day=6)
    found = document("history", "src/shop.py::Cart", "-p", "-n", "1", cwd=shop.root)["events"][0]
    lines = [line for hunk in found["patch"]["hunks"] for line in hunk["lines"]]
    assert [line for line in lines if line[0] != " "] == ["-class Cart:", "+class Cart(Base):"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--since", "2024-01-28 00:00"], ["Say price", "taxes"]),
        (["--until", "2024-01-28 00:00"], ["A shop"]),
        (["--since", "2024-01-27 00:00", "--until", "2024-01-29 00:00"], ["taxes"]),
        (["--since", "HEAD~1"], ["Say price"]),
        (["--until", "HEAD~1"], ["taxes", "A shop"]),
        (["--since", "HEAD~2", "--until", "HEAD~1"], ["taxes"]),
        (["--author", "ADA"], ["Say price", "A shop"]),
        (["--author", "^bo[ab] "], ["taxes"]),
        (["--author", "bob@x"], ["taxes"]),
        (["--author", "nothing like it ("], []),
        (["--author", "ada", "--max-count", "1"], ["Say price"]),
        (["--reverse", "-n", "2"], ["taxes", "Say price"]),
        (["--since", "1 hour ago"], []),
    ],
    ids=" ".join,
)
def test_filters(shop: World, options: list[str], expected: list[str]) -> None:
    assert [subject.rpartition(" ")[2] for subject in subjects(shop, *options)] == [
        subject.rpartition(" ")[2] for subject in expected
    ]


def test_what_no_filter_lets_through(shop: World) -> None:
    result = birthmark("history", "src/shop.py::Cart.price", "--author", "eve", cwd=shop.root)
    assert result.stdout.splitlines()[-1] == "none of 3 changes is as asked for"
    assert result.returncode == 0


def test_blame(world: World) -> None:
    newest, middle, oldest = ids(world)
    cart, total = document("blame", "src/shop.py", cwd=world.root)
    introduced = {
        "commit": oldest,
        "subject": "m",
        "author": "A",
        "email": "a@b",
        "date": "2024-01-01T00:00:00+00:00",
        "commit_date": "2024-01-01T00:00:00+00:00",
    }
    assert cart["entity"]["qualified_name"] == "Cart"
    assert cart["last"] == {**introduced, "changes": ["introduced"]}
    assert total["last"]["commit"] == middle
    assert total["last"]["changes"] == ["body change"]
    assert total["introduced"] == introduced
    assert total["entity"]["commit"] == newest
    assert total["entity"]["path"] == "src/shop.py"


def test_blame_for_people(shop: World) -> None:
    shop.write("README.md", "# A shop\n")
    shop.write("src/other/till.py", "def ring():\n    pass\n")
    commit_as(shop, {}, "A till", "Bob", day=9)
    *_, middle, oldest = (id_[:12] for id_ in ids(shop))
    result = birthmark("blame", "shop.py", "--at", "HEAD~2", cwd=shop.root / "src")
    assert result.stdout == (
        "src/shop.py\n"
        "  1-3  class Cart  introduced\n"
        f"       {oldest}  2024-01-26  Ada  A shop\n"
        "  2-3  method Cart.total  body changed, introduced 2024-01-26 by Ada\n"
        f"       {middle}  2024-01-28  Bob  Add\ufffd[2J taxes\n"
        "\n"
        "2 entities in 1 file\n"
    )
    lines = birthmark("blame", ".", cwd=shop.root / "src").stdout.splitlines()
    assert [line for line in lines if line.startswith("src/")] == ["src/other/till.py", "src/shop.py"]
    assert lines[-1] == "3 entities in 2 files"
    lines = birthmark("blame", "shop.py", "--jsonl", cwd=shop.root / "src").stdout.splitlines()
    assert [json.loads(line)["entity"]["name"] for line in lines] == ["Cart", "price"]


def test_blame_on_a_narrow_screen(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = birthmark("blame", "src/shop.py", cwd=shop.root).stdout.splitlines()
    assert lines[3:6] == [
        "  2-3  method Cart.price  renamed",
        f"       {ids(shop)[0][:12]}  2024-01-30  Ada  Say price",
        "       introduced 2024-01-26 by Ada",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blame", "none.py"], "is not in"),
        (["blame", "../none.py"], "is outside of the repository; name a path in it"),
        (["blame", "src/shop.py", "--at", "nowhere"], "unknown revision"),
        (["history", "src/shop.py::Cart.tax", "--members"], "has no Cart.tax"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_line(world: World, arguments: list[str], message: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_members(world: World) -> None:
    newest, middle, oldest = ids(world)
    events = document("history", "src/shop.py::Cart", "--members", cwd=world.root)["events"]
    assert [(event["commit"], event["member"], event["changes"]) for event in events] == [
        (newest, None, ["documentation change"]),
        (middle, "Cart.total", ["body change"]),
        (oldest, None, ["introduced"]),
        (oldest, "Cart.total", ["introduced"]),
    ]
    alone = document("history", "src/shop.py::Cart", cwd=world.root)["events"]
    assert [(event["commit"], event["member"]) for event in alone] == [(newest, None), (oldest, None)]
    result = birthmark("history", "src/shop.py::Cart", "--members", cwd=world.root)
    assert [line.strip() for line in result.stdout.splitlines()[3:8:2]] == [
        "Cart.total: body changed",
        "Cart: introduced at src/shop.py:1-3",
        "Cart.total: introduced at src/shop.py:2-3",
    ]
    assert "1 step changed comments or formatting only; --all lists them" in result.stderr


def test_one_thing_at_a_time(world: World) -> None:
    result = birthmark("history", "src/shop.py::Cart", "--members", "--block", cwd=world.root)
    assert result.returncode == 2
    assert "cannot be combined" in result.stderr


# What has its name no longer


@pytest.fixture
def closed(tmp_path: Path) -> World:
    """A shop whose method was renamed, whose function was deleted, and whose till was moved, then closed."""
    world = World(tmp_path, with_git=True)
    text = SECOND + "\n\ndef ring(bell):\n    bell.ring(2)\n    return bell\n"
    till = "class Till:\n    def open(self):\n        return self.lock.turn('left', times=3)\n"
    commit_as(world, {"shop.py": text, "till.py": till}, "A shop")
    commit_as(world, {"shop.py": text.replace("total", "price")}, "Say price", day=1)
    commit_as(world, {"till.py": None, "desk/till.py": till}, "A desk", day=2)
    commit_as(world, {"shop.py": SECOND.replace("total", "price")}, "No bell", "Bob", day=3)
    commit_as(world, {"desk/till.py": None}, "Closed", day=4)
    return world


def heading(world: World, ref: str, *options: str) -> list[str]:
    """What is said above the events; commits by their subjects."""
    result = birthmark("history", ref, *options, cwd=world.root)
    assert result.returncode == 0, result.stderr
    return result.stdout.partition("\n\n")[0].splitlines()


def subject_ids(world: World) -> dict[str, str]:
    lines = run_git(world.root, "log", "--format=%h %s", "--abbrev=12").splitlines()
    return {subject: id_ for id_, _, subject in (line.partition(" ") for line in lines)}


@pytest.mark.parametrize(
    ("ref", "first", "rest"),
    [
        ("shop.py::ring", "fn ring  shop.py:6-8", "deleted in {No bell} (No bell)"),
        ("shop.py::Cart.total", "method Cart.price  shop.py:2-3", "shop.py::Cart.total was renamed to Cart.price"),
        ("desk/till.py::Till.open", "method Till.open  desk/till.py:2-3", "deleted in {Closed} (Closed)"),
        (
            "till.py::Till",
            "class Till  desk/till.py:1-3",
            "till.py::Till was moved to desk/till.py\ndeleted in {Closed} (Closed)",
        ),
        ("desk/till.py:3", "method Till.open  desk/till.py:2-3", "deleted in {Closed} (Closed)"),
    ],
)
@pytest.mark.parametrize("with_index", [False, True])
def test_former_names_answer(closed: World, ref: str, first: str, rest: str, with_index: bool) -> None:
    if with_index:
        closed.index()
    ids_of = subject_ids(closed)
    for subject, id_ in ids_of.items():
        rest = rest.replace(f"{{{subject}}}", id_)
    assert heading(closed, ref) == [first, *rest.splitlines()]


def test_what_is_deleted_as_a_document(closed: World) -> None:
    found = document("history", "till.py::Till.open", cwd=closed.root)
    assert (found["deletion"]["subject"], found["deletion"]["by_commit"]) == ("Closed", True)
    assert found["was"] == {"path": "till.py", "qualified_name": "Till.open", "start_line": 2, "end_line": 3}
    assert found["entity"]["path"] == "desk/till.py"
    assert [event["changes"] for event in found["events"]] == [["deleted"], ["container change"], ["introduced"]]


def test_what_never_was(closed: World) -> None:
    result = birthmark("history", "shop.py::never", cwd=closed.root)
    assert result.returncode == 2
    assert "shop.py: has no never" in result.stderr
    assert "`birthmark index --from-history` may know" in result.stderr


def test_a_line_that_merges_what_another_deleted(tmp_path: Path) -> None:
    """The deletion is where it was deleted, not where that was merged."""
    world = World(tmp_path, with_git=True)
    commit_as(world, {"a.py": "def f():\n    return 1\n", "b.py": "x = 1\n"}, "Two files")
    run_git(world.root, "checkout", "-q", "-b", "side")
    commit_as(world, {"b.py": "x = 2\n"}, "Aside", day=1)
    run_git(world.root, "checkout", "-q", "main")
    commit_as(world, {"a.py": "y = 1\n"}, "Without f", day=2)
    run_git(world.root, "checkout", "-q", "side")
    run_git(world.root, "merge", "-q", "--no-ff", "-m", "Merge", "main", at=START + 3 * DAY)
    assert heading(world, "a.py::f")[1] == f"deleted in {subject_ids(world)['Without f']} (Without f)"


@pytest.mark.parametrize("is_replayed", [False, True])
def test_the_ledger_knows_marks_and_names_of_old(tmp_path: Path, is_replayed: bool) -> None:
    world = World(tmp_path, with_git=True)
    text = "def ring(bell):\n    bell.ring(2)\n    return bell\n\n\ndef total(cart):\n    return sum(cart.items)\n"
    commit_as(world, {"shop.py": text}, "A shop")
    world.index()
    mark = world.mark("ring")
    commit_as(world, {"shop.py": text.partition("\n\n\n")[2].replace("total", "price")}, "No bell", day=1)
    document("index", *(["--from-history"] if is_replayed else []), cwd=world.root)
    deleted = f"deleted in {subject_ids(world)['No bell']} (No bell)"
    assert heading(world, mark) == ["fn ring  shop.py:1-3", deleted]
    assert heading(world, "ring") == ["fn ring  shop.py:1-3", deleted]
    assert heading(world, "total") == ["fn price  shop.py:1-2", "shop.py::total was renamed to price"]


def test_several_had_the_name(tmp_path: Path) -> None:
    world = World(tmp_path, with_git=True)
    texts = {"a.py": "def ring(bell):\n    return bell.ring(2)\n", "b.py": "def ring(ears):\n    return ears.on[0]\n"}
    commit_as(world, {**texts}, "Two rings")
    world.index()
    commit_as(world, dict.fromkeys(texts, "x = 1\n"), "None", day=1)
    document("index", cwd=world.root)
    result = birthmark("history", "ring", cwd=world.root)
    assert result.returncode == 2
    assert "2 definitions had that name" in result.stderr
    assert heading(world, "b.py::ring") == ["fn ring  b.py:1-2", f"deleted in {subject_ids(world)['None']} (None)"]


def test_names_need_no_index(shop: World) -> None:
    for name in ("Cart.price", "price"):
        assert heading(shop, name) == ["method Cart.price  src/shop.py:2-3"]
    assert heading(shop, "Cart.total", "--at", "HEAD~1") == ["method Cart.total  src/shop.py:2-3"]
    commit_as(shop, {"other.py": "class Other:\n    def price(self):\n        return 1\n"}, "Another", day=9)
    result = birthmark("history", "price", cwd=shop.root)
    assert result.returncode == 2
    assert [line.split()[0] for line in result.stderr.splitlines()[1:]] == ["other.py:2", "src/shop.py:2"]
    result = birthmark("history", "nothing", cwd=shop.root)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


def test_without_an_index_no_graph_and_no_database_is_loaded(world: World) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "birthmark", "history", "src/shop.py::Cart.total", "--json"]
    done = subprocess.run(command, cwd=world.root, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["events"][-1]["changes"] == ["introduced"]
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "birthmark.app.histories.histories" in loaded
    assert not {"apsw", "birthmark.store.sqlite.store", "birthmark.graph.resolve"} & loaded
