"""`resolve` and `show` as people ask them: by old names, by places of old, many at once, and with slips."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import Result, birthmark, document
from small_repositories import Commit, make_repository, replay
from worlds import World

ALPHA = "def alpha(basket):\n    return sum(item.price for item in basket) + 7\n"
BETA = ALPHA.replace("alpha", "beta")
SHOP = "class Shop:\n    def close(self):\n        return self.name.upper().strip()\n"
OPEN = "class Shop:\n    pass\n"
# It is renamed, moved and deleted; a method beside it is deleted at the same time.
COMMITS = [
    Commit({"a.py": ALPHA, "shop.py": SHOP}, subject="Add alpha"),
    Commit({"a.py": BETA, "shop.py": SHOP}, subject="Rename it"),
    Commit({"lib/b.py": BETA, "shop.py": SHOP}, subject="Move it"),
    Commit({"shop.py": OPEN}, subject="Delete it\x1b[31m"),
]


def replayed(root: Path, count: int) -> World:
    world = make_repository(root, COMMITS[:count])
    replay(world.root)
    return world


@pytest.fixture
def moved(tmp_path: Path) -> World:
    """Before the deletion."""
    return replayed(tmp_path / "w", 3)


def error_of(result: Result) -> str:
    """The one line of an error, without choices."""
    assert (result.returncode, result.stdout) == (2, ""), result
    (line,) = result.stderr.splitlines()
    return line.removeprefix("birthmark: ")


# What became of it


@pytest.mark.parametrize("ref", ["alpha", "a.py::alpha", "a.py:1", "a.py::beta", "lib/b.py::alpha"])
def test_a_maintainer_asks_for_a_method_by_its_old_name(moved: World, ref: str) -> None:
    found = document("resolve", ref, cwd=moved.root)
    assert (found["status"], found["entity"]["path"], found["entity"]["name"]) == ("present", "lib/b.py", "beta")
    assert (found["was"]["path"], found["deletion"]) == ("a.py", None)
    answer = birthmark("resolve", ref, cwd=moved.root).stdout.splitlines()
    assert answer[0] == "present  fn beta  lib/b.py:1-2"
    assert answer[1].endswith("moved to lib/b.py")
    assert [event["subject"] for event in found["events"]] == ["Add alpha", "Rename it", "Move it"]


def test_a_maintainer_asks_what_became_of_a_method_that_was_renamed_moved_and_deleted(tmp_path: Path) -> None:
    world = replayed(tmp_path / "w", 4)
    commit = world.git("rev-parse", "HEAD")
    answer = birthmark("resolve", "a.py::alpha", cwd=world.root)
    lines = [line.rstrip() for line in answer.stdout.splitlines()]
    assert lines[:2] == ["gone  beta  was at lib/b.py:1-2", f"  deleted in {commit[:12]} (Delete it�[31m)"]
    life = lines[lines.index("") + 1 :]
    assert [
        (" ".join(subject.split()[2:]), what.strip()) for subject, what in zip(life[::2], life[1::2], strict=True)
    ] == [
        ("Add alpha", "introduced at a.py:1-2"),
        ("Rename it", "renamed from alpha"),
        ("Move it", "moved with its file from a.py"),
        ("Delete it�[31m", "deleted"),
    ]
    found = document("resolve", "beta", cwd=world.root)
    assert found["deletion"]["commit"] == commit
    assert (found["deletion"]["by_commit"], found["deletion"]["subject"]) == (True, "Delete it\x1b[31m")
    assert document("resolve", found["events"][0]["after"]["path"] + ":2", cwd=world.root)["status"] == "gone"


def test_what_is_deleted_is_shown_as_it_was(tmp_path: Path) -> None:
    world = replayed(tmp_path / "w", 4)
    shown = birthmark("show", "Shop.close", cwd=world.root).stdout
    assert shown.startswith("method Shop.close  shop.py:2-3\n  deleted in ")
    assert shown.endswith("\ndef close(self):\n    return self.name.upper().strip()\n")
    found = document("show", "Shop.close", cwd=world.root)
    assert (found["status"], found["semantic_id"]) == ("gone", "shop.py->FUNCTION->close[in:Shop]")
    assert found["key"].startswith("python:method:close:Shop:__shop_py:T")


def test_what_was_renamed_is_shown_as_it_is(moved: World) -> None:
    shown = birthmark("show", "alpha", cwd=moved.root).stdout.splitlines()
    assert shown[:2] == ["fn beta  lib/b.py:1-2", "  was renamed from alpha and moved from a.py"]
    assert document("show", "alpha", cwd=moved.root)["was"]["qualified_name"] == "alpha"
    assert document("show", "beta", cwd=moved.root)["was"] is None


def test_other_commands_say_how_it_is_called_now(moved: World) -> None:
    assert error_of(birthmark("callers", "alpha", cwd=moved.root)) == "alpha: is lib/b.py::beta now; name that"


def test_what_exists_goes_before_what_had_the_name(moved: World) -> None:
    moved.write("new.py", "def alpha():\n    return 'another'\n")
    moved.index()
    result = birthmark("resolve", "alpha", cwd=moved.root)
    assert result.stdout.startswith("present  fn alpha  new.py:1-2\n")
    mark = moved.mark("beta")
    assert result.stderr == f"birthmark: alpha was also the name of {mark} (now lib/b.py:1-2)\n"
    found = document("resolve", "alpha", cwd=moved.root)
    assert [(other["mark"], other["status"]) for other in found["former_owners"]] == [(mark, "present")]


def test_several_that_had_the_name_are_listed_those_that_are_present_first(tmp_path: Path) -> None:
    other = "def alpha(goods):\n    return [one.name.lower() for one in goods if one]\n"
    commits = [{"a.py": ALPHA, "z.py": other}, {"a.py": BETA, "z.py": "X = 1\n"}]
    world = make_repository(tmp_path / "w", commits)
    replay(world.root)
    result = birthmark("resolve", "alpha", cwd=world.root)
    head, present, gone = result.stderr.splitlines()
    assert (result.returncode, head) == (2, "birthmark: alpha: 2 definitions had that name; name one")
    assert present == f"  a.py:1  {world.mark('beta')}  def beta(basket)"
    assert gone.startswith("  z.py:1  bm-")
    assert gone.endswith(f"  alpha, deleted in {world.git('rev-parse', 'HEAD')[:12]}")
    found = document("resolve", "alpha", cwd=world.root, code=2)
    assert [one["status"] for one in found["candidates"]] == ["present", "gone"]


# At a revision


@pytest.mark.parametrize("is_replayed", [True, False])
@pytest.mark.parametrize("ref", ["a.py:2", "a.py::alpha"])
def test_a_place_at_a_revision(tmp_path: Path, ref: str, is_replayed: bool) -> None:
    world = make_repository(tmp_path / "w", COMMITS[:3])
    if is_replayed:
        replay(world.root)
    else:
        world.index()
    found = document("resolve", ref, "--at", "HEAD~2", cwd=world.root)
    assert (found["status"], found["entity"]["path"], found["entity"]["name"]) == ("present", "lib/b.py", "beta")
    assert found["at"]["place"] == {"path": "a.py", "qualified_name": "alpha", "start_line": 1, "end_line": 2}
    found = document("resolve", found["entity"]["mark"], "--at", "HEAD~1", cwd=world.root)
    assert found["at"]["place"]["qualified_name"] == "beta"


def test_a_place_at_a_revision_that_is_gone_and_was_never_indexed(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "w", COMMITS)
    world.index()
    found = document("resolve", "a.py:2", "--at", "HEAD~3", cwd=world.root)
    assert (found["status"], found["at"]["place"]["qualified_name"]) == ("gone", "alpha")
    assert birthmark("resolve", "a.py:2", "--at", "HEAD~3", cwd=world.root).stdout == "gone  fn alpha  a.py:1-2\n"


def test_lines_that_a_revision_does_not_have(moved: World) -> None:
    commit = moved.git("rev-parse", "HEAD~2")[:12]
    asked = birthmark("resolve", "a.py:9", "--at", "HEAD~2", cwd=moved.root)
    assert error_of(asked) == f"a.py: has 2 lines in {commit}; there is no line 9"


# Slips


IN_IT = "name what is in it, as {}, or list it with `birthmark entities {}`"
SLIPS = [
    ("", "the REF is empty; name an entity, as src/app.py::main or src/app.py:12, a mark, or a unique name"),
    ("bta", "bta: nothing has that name; did you mean beta?"),
    ("shop", "shop: nothing has that name; names are case-sensitive; did you mean Shop?"),
    ("Shop.clos", "Shop.clos: nothing has that name; did you mean Shop.close?"),
    ("shop.py::shop", "shop.py: has no shop in the worktree; names are case-sensitive; did you mean Shop?"),
    ("shop.py::Shop.clse", "shop.py: has no Shop.clse in the worktree; did you mean Shop.close?"),
    ("shop.py:4", "shop.py: has 3 lines in the worktree; there is no line 4"),
    ("shop.py:0", "shop.py:0: lines count from 1"),
    ("shop.py:3-2", "shop.py:3-2: ends before it begins; name the first line, then the last"),
    ("sohp.py:1", "sohp.py: is not in the worktree; did you mean shop.py?"),
    ("lib/c.py::beta", "lib/c.py: is not in the worktree; did you mean lib/b.py?"),
    ("shop.py", f"shop.py is a file; {IN_IT}".format("shop.py::Shop or shop.py:1", "shop.py")),
    ("lib", f"lib is a folder; {IN_IT}".format("lib/b.py::beta or lib/b.py:1", "lib")),
    ("lib:3", f"lib is a folder; {IN_IT}".format("lib/b.py::beta or lib/b.py:1", "lib")),
    ("xyzzy", "xyzzy: nothing has that name; `birthmark entities` lists what there is"),
]


@pytest.mark.parametrize(("ref", "expected"), SLIPS, ids=[ref for ref, _ in SLIPS])
@pytest.mark.parametrize("command", ["show", "resolve", "callers"])
def test_every_slip_has_its_line(moved: World, command: str, ref: str, expected: str) -> None:
    assert error_of(birthmark(command, ref, cwd=moved.root)) == expected


def test_a_mark_with_a_slip(moved: World) -> None:
    mark = moved.mark("beta")
    asked = mark[:-1] + ("0" if mark[-1] != "0" else "1")
    expected = f"{asked}: there is no such mark; did you mean {mark}?"
    assert error_of(birthmark("show", asked, cwd=moved.root)) == expected


def test_a_history_that_was_not_replayed_may_know_more(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "w", COMMITS[:3])
    world.index()
    hint = "`birthmark index --from-history` may know it"
    assert error_of(birthmark("resolve", "alpha", cwd=world.root)) == (
        f"alpha: nothing has that name; if it is a former one, {hint}"
    )
    assert document("show", "a.py::alpha", cwd=world.root)["name"] == "beta"  # In a file, git alone tells.
    assert document("index", "--from-history", cwd=world.root)
    assert document("resolve", "alpha", cwd=world.root)["entity"]["name"] == "beta"


def test_overloads_are_listed_by_names_that_can_be_asked_for(tmp_path: Path) -> None:
    source = "class A {\n  int f(int x) { return x; }\n  int f(String s) { return s.length(); }\n}\n"
    world = World(tmp_path / "w", {"A.java": source}, with_git=True)
    world.commit()
    expected = ["  A.java:2  A.f(int)", "  A.java:3  A.f(String)"]
    result = birthmark("history", "A.java::A.f", cwd=world.root)
    assert result.stderr.splitlines() == [
        "birthmark: A.java::A.f: 2 definitions have that name; name one by its line",
        *expected,
    ]
    world.index()
    for command, ref in (("show", "A.f"), ("show", "A.java::f"), ("resolve", "A.f"), ("history", "A.java::A.f")):
        lines = birthmark(command, ref, cwd=world.root).stderr.splitlines()
        assert [line[:10] + line[27:] for line in lines[1:]] == expected
        assert len({line[10:27] for line in lines[1:]}) == 2  # Each has its own mark.
    for ref in ("A.f(String)", "A.java::A.f(String)", "A#f(java.lang.String)"):
        for command in ("show", "history"):
            found = document(command, ref, cwd=world.root)
            assert found.get("entity", found)["start_line"] == 3


def test_a_rust_type_goes_before_its_impl_blocks(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"a.rs": "struct P;\nimpl P {\n    fn x(&self) -> i32 { 1 }\n}\n"})
    world.index()
    assert document("show", "P", cwd=world.root)["kind"] == "struct"


# Many at once


def test_many_are_answered_in_their_order(moved: World) -> None:
    """One that names nothing does not stop the others."""
    refs = ["beta", "nowhere", moved.mark("Shop"), "/a.py:1", "alpha"]
    expected = ["present", "unknown", "present", "unknown", "present"]
    found = birthmark("resolve", *refs, "--json", cwd=moved.root)
    assert found.returncode == 2
    assert birthmark("resolve", *refs, "--jsonl", cwd=moved.root).stdout == found.stdout
    documents = [json.loads(line) for line in found.stdout.splitlines()]
    assert [(one["ref"], one["status"]) for one in documents] == list(zip(refs, expected, strict=True))
    assert documents[1]["problem"] == "nowhere: nothing has that name; `birthmark entities` lists what there is"
    assert document("resolve", "beta", cwd=moved.root) == documents[0]


def test_many_are_read_from_standard_input(moved: World) -> None:
    lines = f"beta\r\n\n{moved.mark('Shop')}\n".encode() + b"\xe9.py:1\nShop.close"
    found = birthmark("resolve", "--jsonl", "a.py:1", "-", cwd=moved.root, stdin=lines)
    assert found.returncode == 2
    names = [json.loads(line)["entity"] for line in found.stdout.splitlines()]
    assert [one and one["name"] for one in names] == ["beta", "beta", "Shop", None, "close"]
    (line,) = birthmark("resolve", "-", "--json", cwd=moved.root, stdin=b"beta\n").stdout.splitlines()
    assert json.loads(line)["ref"] == "beta"
    assert birthmark("resolve", "-", "--json", cwd=moved.root).stdout == ""


def test_many_are_answered_in_short_for_people(moved: World) -> None:
    result = birthmark("resolve", "alpha", "bta", "Shop", cwd=moved.root)
    assert result.stdout.splitlines() == [
        "alpha  present  fn beta  lib/b.py:1-2",
        "  alpha was renamed to beta and moved to lib/b.py",
        "Shop  present  class Shop  shop.py:1-3",
    ]
    assert result.stderr == "birthmark: bta: nothing has that name; did you mean beta?\n"
    assert result.returncode == 2


@pytest.mark.parametrize("count", [9, 10, 11, 111])
def test_blocks_do_not_show(moved: World, count: int) -> None:
    """However many are asked for, each is answered as it is alone."""
    refs = [("beta", "Shop", "alpha", "shop.py:3", "x")[i % 5] for i in range(count)]
    alone = {ref: document("resolve", ref, cwd=moved.root, code=2 if ref == "x" else 0) for ref in set(refs)}
    together = birthmark("resolve", "--jsonl", "-", cwd=moved.root, stdin="\n".join(refs).encode()).stdout
    found = [json.loads(line) for line in together.splitlines()]
    assert [one | {"problem": None} for one in found] == [alone[ref] | {"problem": None} for ref in refs]


def test_exit_codes(tmp_path: Path) -> None:
    world = replayed(tmp_path / "w", 4)
    expected = {
        ("Shop",): (0, 0),
        ("alpha",): (0, 1),
        ("x",): (2, 2),
        ("Shop", "alpha"): (0, 1),
        ("alpha", "x"): (2, 2),
    }
    for refs, codes in expected.items():
        found = [birthmark("resolve", *refs, *option, cwd=world.root).returncode for option in ([], ["--exit-code"])]
        assert tuple(found) == codes


def test_the_fate_in_other_worktrees_is_said(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "w", [Commit({"a.py": ALPHA, "b.py": BETA})])
    birthmark("index", cwd=world.root)
    world.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = World(tmp_path / "linked")
    linked.remove("b.py")
    linked.write("c.py", "def new():\n    pass\n")
    birthmark("index", cwd=linked.root)
    assert "present at b.py:1-2 in the worktree ." in birthmark("resolve", "b.py::beta", cwd=linked.root).stdout
    assert "deleted in the worktree ../linked" in birthmark("resolve", "b.py::beta", cwd=world.root).stdout
    for ref, folder in (("a.py::alpha", world), ("a.py::alpha", linked), ("c.py::new", linked)):
        assert document("resolve", ref, cwd=folder.root)["elsewhere"] == []
    world.git("worktree", "remove", "--force", str(linked.root))
    assert document("resolve", "b.py::beta", cwd=world.root)["elsewhere"] == []
