"""The commands that need an index, as a user and a program meet them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from birthmark.app.workspace.stores import subscription_store
from birthmark.errors import BirthmarkError
from birthmark.file_lock import writer_lock
from running import Result, birthmark, document
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

APP = "from tools import helper\n\n\ndef main(xs):\n    return helper(xs) + len(xs)\n"
TOOLS = "def helper(xs):\n    total = sum(x * x for x in xs)\n    return total\n"

ENTITY = (
    "mark key semantic_id kind name qualified_name parent language path virtual_path "
    "start_line end_line start_byte end_byte fingerprints"
).split()
PLACE = "path qualified_name start_line end_line".split()
FRESHNESS = "head indexed_revision fresh pending unreadable".split()
COUNTS = "files entities nodes chunks edges identities".split()


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    """Indexed at one commit; nobody changes it."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), {"app.py": APP, "tools.py": TOOLS}, with_git=True)
        world.commit()
        world.index()
        yield world


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"app.py": APP, "tools.py": TOOLS}, with_git=True)
    world.commit()
    world.index()
    return world


def fields(found: dict[str, Any], expected: list[str]) -> None:
    """A field may be added, never renamed."""
    assert [name for name in found if name in expected] == expected


# What comes out


def test_index_from_nothing_and_again(tmp_path: Path) -> None:
    world = World(tmp_path, {"app.py": APP, "tools.py": TOOLS}, with_git=True)
    first = document("index", cwd=tmp_path)
    assert (first["files"], first["read"], first["extracted"]) == (2, 2, 2)
    assert first["changes"]["born"] == 2
    assert {"counts", "collisions", "problems", "seconds"} <= first.keys()
    world.replace("app.py", "main", "start")
    second = birthmark("index", cwd=tmp_path)
    assert second.returncode == 0
    assert "2 files, 2 entities" in second.stdout
    assert "changes: 1 renamed" in second.stdout
    assert second.stderr == ""
    assert (tmp_path / ".birthmark" / ".gitignore").read_text() == "*\n"
    assert ".birthmark" not in world.git("status", "--porcelain")


def test_index_of_a_folder_that_is_named(tmp_path: Path) -> None:
    World(tmp_path / "there", {"app.py": APP})
    assert document("index", "there", cwd=tmp_path)["counts"]["entities"] == 1
    assert document("-C", "there", "status", cwd=tmp_path)["counts"]["files"] == 1
    assert document("index", "--jobs", "1", "--detail", "full", cwd=tmp_path / "there")["extracted"] == 1


def test_status(shared: World) -> None:
    found = document("status", cwd=shared.root)
    fields(found, ["root", *FRESHNESS])
    assert found["head"] == found["indexed_revision"] == shared.git("rev-parse", "HEAD")
    assert (found["fresh"], found["pending"], found["problems"]) == (True, [], [])
    assert list(found["counts"]) == COUNTS
    assert (found["counts"]["files"], found["counts"]["identities"]) == (2, 2)
    assert found["collisions"].keys() >= {"nodes", "chunks"}
    assert (found["replayed_commits"], found["subscriptions"]) == (0, 0)
    assert found["bytes_on_disk"] > 0


def test_status_of_what_has_changed(world: World) -> None:
    world.replace("app.py", "main", "start")
    found = document("status", cwd=world.root)
    assert (found["fresh"], found["pending"]) == (False, ["app.py"])
    assert birthmark("status", "--exit-code", cwd=world.root).returncode == 1
    world.commit()
    world.index()
    assert birthmark("status", "--exit-code", cwd=world.root).returncode == 0


def labelled(*arguments: str, world: World) -> dict[str, str]:
    """The rows of `status` by their labels."""
    lines = birthmark("status", *arguments, cwd=world.root).stdout.splitlines()
    rows = [re.split("  +", line, maxsplit=1) for line in lines if line[0] != " "]
    return dict(rows)


def test_status_for_people(world: World) -> None:
    shown = labelled(world=world)
    assert list(shown) == "repository,index,contents,history,subscriptions,on disk,problems".split(",")
    assert shown["repository"] == f"{world.root} on main"
    assert shown["index"].startswith(f"fresh, of {world.git('rev-parse', 'HEAD')[:12]}, updated ")
    assert shown["contents"] == "2 files, 2 entities, 3 chunks, 4 references"
    assert shown["history"] == "not replayed; `birthmark index --from-history` lets ids reach back to the first commit"
    assert shown["subscriptions"] == "none; `birthmark subscribe REF` makes one"
    assert shown["problems"] == "none"
    assert {"nodes", "identities", "same names", "worktree"} <= labelled("--verbose", world=world).keys()


def test_status_says_what_to_do(world: World) -> None:
    world.replace("app.py", "main", "start")
    world.write("broken.py", "def broken(:\n")
    changed = labelled(world=world)["index"]
    assert changed.startswith("2 files changed since it was updated ")
    assert changed.endswith(
        ": app.py, broken.py; the next question brings it up to date, and so does `birthmark index`"
    )
    birthmark("index", "--from-history", cwd=world.root)
    birthmark("subscribe", "start", cwd=world.root)
    shown = labelled(world=world)
    assert shown["history"] == "1 commit replayed: ids are as old as the code"
    assert shown["subscriptions"] == "1; `birthmark scan` checks them"
    assert shown["problems"] == "1; what could be read of these files is indexed"
    assert "  broken.py: a syntax error on line 1; the rest is indexed\n" in birthmark("status", cwd=world.root).stdout


def test_index_and_status_give_the_same_numbers(world: World) -> None:
    indexed = birthmark("index", cwd=world.root).stdout.splitlines()[0]
    assert indexed == f"{world.root.name}: {labelled(world=world)['contents']}"


@pytest.mark.parametrize("columns", [40, 80])
def test_status_is_as_wide_as_the_screen(world: World, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    world.write("a_file_with_a_long_name/and_another_with_a_longer_name/broken.py", "def broken(:\n")
    world.index()
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = birthmark("status", "-v", cwd=world.root).stdout.splitlines()
    assert max(map(len, (line for line in lines if str(world.root) not in line))) <= columns


# Questions to try

CALLS = "def often():\n    return 1\n\n\ndef user():\n    return often() + often()\n"
REPOSITORIES: dict[str, dict[str, str]] = {
    "calls": {"src/app.py": CALLS, "tests/test_app.py": "def helper():\n    pass\n\n\n" + "helper()\n" * 9},
    "twins": {"a.py": "def f():\n    pass\n", "b.py": "def f():\n    f()\n"},
    "overloads": {"A.java": "class A {\n    void f() {}\n    void f(int x) { f(); }\n}\n"},
    "prose": {"README.md": "# Title\n\nText.\n\n## Part\n\nMore.\n"},
    "odd names": {"a b.py": CALLS, "$(x).py": CALLS},
    "nothing": {"notes.txt": "text"},
}


@pytest.mark.parametrize("n_commits", [None, 1, 2, 12])
@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_first_index_ends_with_questions_that_are_answered(tmp_path: Path, name: str, n_commits: int | None) -> None:
    world = World(tmp_path / "w", REPOSITORIES[name], with_git=n_commits is not None)
    for _ in range(n_commits or 0):
        world.commit()
    folder = tmp_path / "w/sub" if n_commits is not None else tmp_path / "w"
    folder.mkdir(exist_ok=True)
    first = birthmark("index", cwd=folder)
    questions = [line.split("  ")[1].split()[1:] for line in first.stdout.partition("Try next:\n")[2].splitlines()]
    assert 1 <= len(questions) <= 3
    for question in questions:
        result = birthmark(*question, cwd=folder)
        assert (result.returncode, result.stderr) == (0, ""), question
    assert "Try next" not in birthmark("index", cwd=tmp_path / "w").stdout


def test_the_most_called_function_that_is_no_test_is_suggested(tmp_path: Path) -> None:
    world = World(tmp_path, REPOSITORIES["calls"], with_git=True)
    world.commit()
    shown = birthmark("index", cwd=tmp_path).stdout
    assert "  birthmark callers src/app.py::often  what calls it\n" in shown
    assert "  birthmark history src/app.py::often  what each commit did to it\n" in shown


def test_an_index_without_edges_resolves_none_for_its_suggestions(tmp_path: Path) -> None:
    world = World(tmp_path, REPOSITORIES["calls"], with_git=True)
    world.commit()
    assert "  birthmark show src/app.py::" in birthmark("index", "--no-graph", cwd=tmp_path).stdout
    with world.session() as session:
        assert session.store.network(session.workspace.worktree) is None


def test_problems_are_listed(world: World) -> None:
    world.write("app.py", APP + "def broken(:\n")
    world.index()
    (problem,) = document("status", cwd=world.root)["problems"]
    assert problem["path"] == "app.py"
    assert "syntax error" in problem["problem"]


def test_show(shared: World) -> None:
    found = document("show", "helper", cwd=shared.root)
    fields(found, ENTITY)
    assert list(found["fingerprints"]) == ["content", "interface", "body", "documentation", "text", "version"]
    assert found["source"] == TOOLS.rstrip("\n")
    assert found["freshness"]["fresh"] is True
    assert (found["path"], found["start_line"], found["end_line"]) == ("tools.py", 1, 3)


@pytest.mark.parametrize("ref", ["tools.py:2", "tools.py:1-3", "tools.py::helper", "mark", "key", "semantic_id"])
def test_every_ref_shows_the_same(shared: World, ref: str) -> None:
    held = shared.entity("helper")
    ref = {"mark": held.mark, "key": held.key, "semantic_id": held.semantic_id}.get(ref, ref)
    assert document("show", ref, cwd=shared.root)["mark"] == held.mark


def test_resolve_what_is_here(shared: World) -> None:
    found = document("resolve", "helper", cwd=shared.root)
    fields(found, ["ref", "status", "entity", "events", "candidates"])
    assert (found["ref"], found["status"], found["candidates"]) == ("helper", "present", [])
    fields(found["entity"], ENTITY)
    (event,) = found["events"]
    assert event["change"] == "born"
    assert event["before"] is None
    assert list(event["after"]) == PLACE
    assert list(found["freshness"]) == [*FRESHNESS, "problem", "checked_at"]


def test_resolve_what_was_renamed_moved_and_deleted(world: World) -> None:
    held = world.entity("helper")
    world.replace("tools.py", "helper", "squares")
    world.index()
    world.move("tools.py", "sums.py")
    world.index()
    found = document("resolve", held.semantic_id, cwd=world.root)
    assert found["entity"]["path"] == "sums.py"
    assert [event["change"] for event in found["events"]] == ["born", "relocated"]  # The worktree is compared at once.
    assert found["events"][1]["before"]["qualified_name"] == "helper"
    assert found["events"][1]["after"]["qualified_name"] == "squares"
    world.remove("sums.py")
    world.index()
    found = document("resolve", held.key, cwd=world.root)
    assert (found["status"], found["entity"]) == ("gone", None)
    assert found["events"][-1]["change"] == "deleted"
    assert found["events"][-1]["after"] is None
    assert found["events"][-1]["revision"] is None
    told = birthmark("resolve", held.mark, "--exit-code", cwd=world.root)
    assert told.returncode == 1
    assert told.stdout.startswith("gone  squares  was at sums.py:1-3\n  deleted, not committed")


def test_resolve_what_is_ambiguous_and_what_is_unknown(world: World) -> None:
    mark = world.mark("helper")
    world.remove("tools.py")
    world.write("x.py", TOOLS)
    world.write("y.py", TOOLS)
    world.index()
    found = document("resolve", mark, cwd=world.root, code=2)
    assert (found["status"], found["entity"]) == ("ambiguous", None)
    assert {candidate["path"] for candidate in found["candidates"]} == {"x.py", "y.py"}
    assert document("resolve", "helper", cwd=world.root, code=2)["status"] == "ambiguous"
    assert document("resolve", "bm-000000000000", cwd=world.root, code=2)["status"] == "unknown"
    assert document("resolve", "nothing::here", cwd=world.root, code=2)["status"] == "unknown"


def test_callers_and_callees(shared: World) -> None:
    for command, ref, other in (("callers", "helper", "main"), ("callees", "main", "helper")):
        found = document(command, ref, cwd=shared.root)
        assert found["entity"]["name"] == ref
        result = next(one for one in found["results"] if one["entity"])
        fields(result, ["entity", "edge", "resolution", "name", "candidates", "site"])
        assert result["entity"]["name"] == other
        assert (result["edge"], result["resolution"], result["candidates"]) == ("calls", "import", 1)
        assert result["site"] == {"path": "app.py", "line": 5}
        assert "\n  5  by import  " in birthmark(command, ref, cwd=shared.root).stdout


def test_diff_of_index_and_worktree(world: World) -> None:
    mark = world.mark("helper")
    world.replace("tools.py", "def helper(xs)", "\n\ndef squares(values)")
    found = document("diff", "--index", cwd=world.root)
    fields(found, ["base", "target", "counts", "renamed", "changes"])
    assert list(found["counts"]) == ["added", "deleted", "modified", "moved", "renamed", "relocated", "unchanged"]
    (change,) = found["changes"]
    fields(
        change, ["change", "kind", "language", "mark", "key", "before", "after", "aspects", "evidence", "confidence"]
    )
    assert (change["change"], change["kind"], change["mark"]) == ("renamed", "fn", mark)
    assert change["aspects"] == ["interface"]
    assert list(change["before"]) == list(change["after"]) == PLACE
    assert birthmark("diff", "--index", "--exit-code", cwd=world.root).returncode == 1
    world.index()
    assert document("diff", "--index", cwd=world.root)["changes"] == []
    assert birthmark("diff", "--index", "--exit-code", cwd=world.root).returncode == 0


def test_diff_of_revisions(world: World) -> None:
    first = world.git("rev-parse", "HEAD")
    world.write("tools.py", "import os\n\n\n" + TOOLS)
    world.write("more.py", "def more(): return 1\n")
    second = world.commit()
    for arguments in ((first, second), (first,)):
        found = document("diff", *arguments, cwd=world.root)
        assert found["base"] == first
        assert sorted(change["change"] for change in found["changes"]) == ["added", "moved"]
    assert "1 added; 1 merely moved" in birthmark("diff", "HEAD~1", cwd=world.root).stdout
    assert document("diff", "HEAD", cwd=world.root)["changes"] == []


@pytest.mark.parametrize("command", ["entities", "chunks", "nodes"])
def test_all_that_is_indexed_is_listed(shared: World, command: str) -> None:
    result = birthmark(command, "--jsonl", cwd=shared.root)
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert {found.get("path", found.get("file")) for found in documents} == {"app.py", "tools.py"}
    if command == "entities":
        assert {found["mark"] for found in documents} == set(shared.marks().values())


def test_validate(world: World) -> None:
    assert document("validate", "--against-rebuild", "--strict", cwd=world.root) == {"valid": True, "findings": []}
    assert birthmark("validate", cwd=world.root).stdout == "valid\n"
    world.write("app.py", APP + "\n")
    found = document("validate", "--strict", cwd=world.root, code=1)
    assert found == {"valid": False, "findings": ["app.py: has changed since it was indexed"]}
    refused = birthmark("validate", "--against-rebuild", cwd=world.root)
    assert (refused.returncode, "run `birthmark index`" in refused.stderr) == (2, True)


def test_doctor_of_what_is_healthy(world: World) -> None:
    assert document("doctor", cwd=world.root) == {"repaired": [], "identities": 2}
    assert birthmark("doctor", cwd=world.root).stdout == "healthy: 2 identities\n"


# What goes wrong

ASKING = [
    ["status"],
    ["show", "x"],
    ["resolve", "x"],
    ["callers", "x"],
    ["callees", "x"],
    ["entities"],
    ["validate"],
    ["diff"],
    ["doctor"],
]


def one_line(result: Result, code: int, *words: str) -> None:
    """Nothing on stdout, one clear line on stderr, and the right exit code."""
    assert (result.stdout, result.returncode) == ("", code), result.stderr
    (line,) = result.stderr.splitlines()
    assert line.startswith("birthmark: ")
    for word in words:
        assert word in line


@pytest.mark.parametrize("command", ASKING, ids=" ".join)
def test_there_is_no_index(tmp_path: Path, command: list[str]) -> None:
    World(tmp_path, {"app.py": APP})
    one_line(birthmark(*command, cwd=tmp_path), 2, "there is no index; run `birthmark index`")
    assert not (tmp_path / ".birthmark").exists()


@pytest.mark.parametrize("command", [["status"], ["resolve", "x"], ["index"], ["validate"], ["diff"]], ids=" ".join)
def test_the_database_is_damaged(world: World, command: list[str]) -> None:
    (world.root / ".birthmark" / "index.db").write_bytes(b"no database" * 1000)
    one_line(birthmark(*command, cwd=world.root), 2, "run `birthmark doctor`")


@pytest.mark.parametrize("harm", ["damaged", "gone", "cut short", "empty", "older"])
def test_the_doctor_repairs_and_keeps_every_identity(world: World, harm: str) -> None:
    before = world.marks()
    old = world.mark("helper")
    database = world.root / ".birthmark" / "index.db"
    older = database.read_bytes()
    world.replace("tools.py", "helper", "squares")
    world.index()
    world.write("app.py", "\n" + APP)
    world.index()
    for file in database.parent.glob("index.db-*"):
        file.unlink()
    if harm == "gone":
        database.unlink()
    else:
        content = database.read_bytes()
        cut = content[: len(content) // 2]
        database.write_bytes({"damaged": b"x" * 9999, "cut short": cut, "empty": b"", "older": older}[harm])
    result = birthmark("doctor", cwd=world.root)
    assert result.returncode == 0, result.stderr
    assert "2 identities" in result.stdout
    assert set(world.marks().values()) == set(before.values())
    assert world.mark("squares") == old
    assert world.events(old)[:2] == ["born", "renamed"]
    assert world.check() == []
    assert birthmark("index", cwd=world.root).returncode == 0


def test_the_ledgers_log_is_gone(world: World) -> None:
    before = world.marks()
    (world.root / ".birthmark" / "ledger.log").unlink()
    assert birthmark("index", cwd=world.root).returncode == 0
    (world.root / ".birthmark" / "index.db").write_bytes(b"")
    assert birthmark("doctor", cwd=world.root).returncode == 0
    assert world.marks() == before


def test_both_are_gone(world: World) -> None:
    shutil.rmtree(world.root / ".birthmark")
    one_line(birthmark("doctor", cwd=world.root), 2, "there is no index")
    assert birthmark("index", cwd=world.root).returncode == 0


def test_nothing_goes_by_that_name(shared: World) -> None:
    for command in ("show", "callers", "callees"):
        one_line(birthmark(command, "nowhere", cwd=shared.root), 2, "nothing has that name", "--from-history")


def test_several_go_by_that_name(world: World) -> None:
    world.write("more.py", TOOLS)
    world.index()
    marks = world.marks()
    for command in ("show", "callers", "resolve"):
        result = birthmark(command, "helper", cwd=world.root)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.splitlines() == [
            "birthmark: helper: 2 definitions have that name; name one",
            f"  more.py:1   {marks['more.py::helper']}  def helper(xs)",
            f"  tools.py:1  {marks['tools.py::helper']}  def helper(xs)",
        ]


def test_what_is_gone_is_shown_as_it_was(world: World) -> None:
    mark = world.mark("helper")
    world.remove("tools.py")
    world.index()
    for ref in (mark, "helper", "tools.py::helper", "tools.py:1"):
        shown = birthmark("show", ref, cwd=world.root)
        assert shown.returncode == 0
        assert shown.stdout.startswith("fn helper  tools.py:1-3\n  deleted, not committed")
        assert shown.stdout.endswith(TOOLS)
    for command in ("callers", "callees"):
        one_line(birthmark(command, mark, cwd=world.root), 2, "birthmark resolve")


def test_a_revision_that_is_not_there(world: World) -> None:
    one_line(birthmark("diff", "nowhere", cwd=world.root), 2, "nowhere")
    one_line(birthmark("chunks", "--since", "nowhere", cwd=world.root), 2, "nowhere")


def test_without_git_there_are_no_revisions(world: World) -> None:
    shutil.rmtree(world.root / ".git")
    one_line(birthmark("diff", "HEAD", cwd=world.root), 2, "no git repository")
    assert document("status", cwd=world.root)["head"] is None
    assert birthmark("index", cwd=world.root).returncode == 0
    assert birthmark("diff", "--exit-code", cwd=world.root).returncode == 0


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    one_line(birthmark("index", "nowhere", cwd=tmp_path), 2, "no such folder")


def test_an_index_of_a_newer_version(world: World) -> None:
    connection = apsw.Connection(str(world.root / ".birthmark" / "index.db"))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    for command in ("status", "index"):
        one_line(birthmark(command, cwd=world.root), 2, "newer birthmark")


def test_another_writer_is_waited_for_and_named(world: World) -> None:
    """A lock is its process's own, so the other one must be another process."""
    index = [sys.executable, "-m", "birthmark", "index", "--wait", "0.2"]
    with writer_lock(world.root / ".birthmark" / "lock", 0):
        done = subprocess.run(index, cwd=world.root, capture_output=True, text=True, timeout=60, check=False)
        assert birthmark("status", cwd=world.root).returncode == 0
    one_line(Result(done.returncode, done.stdout, done.stderr), 2, f"process {os.getpid()}")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="folders have no permissions there")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """What is there can be asked; what is not there cannot be made."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        bare, indexed = World(Path(folder, "bare"), {"app.py": APP}), World(Path(folder, "indexed"), {"app.py": APP})
        indexed.index()
        with subscription_store(indexed.workspace):
            pass  # It is made.
        for path in (bare.root, indexed.root / ".birthmark"):
            path.chmod(0o555)
        _give_away(indexed.root / ".birthmark")
        asked, made = (
            _run_unprivileged(world.root, command) for world, command in ((indexed, "status"), (bare, "index"))
        )
        updated = _run_unprivileged(indexed.root, "index")
        for path in (bare.root, indexed.root / ".birthmark"):
            path.chmod(0o755)
    assert (asked[0], "birthmark:" in asked[1]) == (0, False), asked
    assert (made[0], "make this one writable" in made[1]) == (2, True)
    assert (updated[0], "permissions of the folder" in updated[1]) == (2, True)


def _give_away(folder: Path) -> None:
    """To the user who runs the command: the index of another is refused."""
    if os.geteuid() == 0:
        for path in (folder, *folder.iterdir()):
            os.chown(path, 65534, -1)


# All modules are loaded first, but for adapters to what is not installed: that other user may not be able to read them.
RUN = """
import contextlib, importlib, os, pkgutil, sys, birthmark
from birthmark.surfaces.cli.main import main
for module in pkgutil.walk_packages(birthmark.__path__, "birthmark."):
    if not module.name.endswith("__main__"):
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(module.name)
if os.geteuid() == 0:
    os.seteuid(65534)
os.chdir(sys.argv.pop(1))
main()
"""


def _run_unprivileged(root: Path, command: str) -> tuple[int, str]:
    """Exit code and stderr of a command run by somebody who may not write everywhere."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(root), command], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stderr


def test_a_file_over_the_limit_is_told(tmp_path: Path) -> None:
    world = World(tmp_path / "root", {"app.py": APP, "huge.py": "x = 1\n" * 400_000})
    indexed = json.loads(birthmark("index", "--json", cwd=world.root).stdout)
    asked = json.loads(birthmark("status", "--json", cwd=world.root).stdout)
    for found in (indexed, asked):
        assert [problem["path"] for problem in found["problems"]] == ["huge.py"]


def test_status_names_no_branch_when_head_is_detached(world: World) -> None:
    assert document("status", cwd=world.root)["branch"] == "main"
    world.git("checkout", "-q", "--detach")
    assert document("status", cwd=world.root)["branch"] is None
    assert labelled(world=world)["repository"] == f"{world.root}, HEAD is detached"


def test_counts_of_files_add_up(tmp_path: Path) -> None:
    """One file is equal to another, and one is no source."""
    World(tmp_path, {"app.py": APP, "same.py": APP, "LICENSE": "As you like.\n"})
    found = document("index", cwd=tmp_path)
    assert (found["files"], found["read"], found["extracted"], found["counts"]["files"]) == (3, 3, 1, 2)
    assert found["file_counts"] == {"indexed": 2, "unsupported": 1, "unreadable": 0}
    for command in ("index", "status"):
        shown = birthmark(command, cwd=tmp_path).stdout
        assert re.search("^left out:? +1 file in no supported language$", shown, re.M)


def test_a_file_that_cannot_be_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    World(tmp_path, {"app.py": APP, "tools.py": TOOLS})

    def refuse(path: Path, max_bytes: int) -> bytes:
        if path.name == "tools.py":
            raise BirthmarkError("cannot be read: Permission denied")
        return path.read_bytes()

    monkeypatch.setattr("birthmark.app.workspace.states.read_file", refuse)
    found = document("index", cwd=tmp_path)
    assert found["file_counts"] == {"indexed": 1, "unsupported": 0, "unreadable": 1}
    assert "left out: 1 file that could not be read\n" in birthmark("index", cwd=tmp_path).stdout


# Fresh by itself


def test_a_question_brings_the_index_up_to_date(world: World) -> None:
    world.replace("app.py", "main", "start")
    shown = birthmark("show", "start", cwd=world.root)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert document("status", cwd=world.root)["fresh"] is True


def test_no_refresh_answers_from_the_index_as_it_is_and_says_so(world: World) -> None:
    world.replace("app.py", "main", "start")
    shown = birthmark("show", "main", "--no-refresh", cwd=world.root)
    assert shown.returncode == 0
    assert shown.stderr == "birthmark: app.py changed since the index was made; run `birthmark index`\n"
    found = document("resolve", "main", "--no-refresh", cwd=world.root)
    assert (found["freshness"]["pending"], found["freshness"]["problem"]) == (["app.py"], None)


def test_an_answer_says_why_it_is_old(world: World) -> None:
    world.replace("app.py", "main", "start")
    with writer_lock(world.workspace.home / "lock", 0):
        shown = birthmark("show", "main", cwd=world.root)
        found = document("resolve", "main", cwd=world.root)
    reason = f"the index is being written by process {os.getpid()} (birthmark show); wait for it, or stop it"
    assert shown.returncode == 0
    assert (
        "birthmark: app.py changed since the index was made; it could not be brought up to date: the ind"
        in shown.stderr
    )
    assert found["freshness"]["problem"].startswith(reason.partition(" (")[0])
    assert found["freshness"]["fresh"] is False


@pytest.mark.parametrize("seconds", [0.1, 1.5])
def test_a_long_update_is_remarked_on(world: World, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    started = iter([0.0, seconds])
    monkeypatch.setattr("birthmark.app.workspace.freshness.time.perf_counter", lambda: next(started))
    world.replace("app.py", "main", "start")
    shown = birthmark("resolve", "start", cwd=world.root)
    assert shown.stderr == ("birthmark: indexed 1 changed file in 1.5 s\n" if seconds > 1 else "")


def test_questions_at_once_are_all_answered(world: World) -> None:
    world.replace("app.py", "main", "start")
    command = [sys.executable, "-m", "birthmark", "resolve", "start", "--json"]
    asked = [subprocess.Popen(command, cwd=world.root, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = [process.communicate(timeout=60)[0] for process in asked]
    assert {process.returncode for process in asked} == {0}
    assert len({json.loads(answer)["entity"]["mark"] for answer in answers}) == 1


def test_a_repair_records_nothing_that_did_not_happen(world: World) -> None:
    (world.root / ".birthmark" / "index.db").write_bytes(b"no database" * 1000)
    assert birthmark("doctor", cwd=world.root).returncode == 0
    database = apsw.Connection(str(world.root / ".birthmark" / "index.db"))
    assert list(database.execute("SELECT change FROM events")) == []
    database.close()


def test_index_and_validate_find_a_damaged_log(world: World) -> None:
    log = world.root / ".birthmark" / "ledger.log"
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 1
    log.write_bytes(content)
    found = birthmark("validate", cwd=world.root)
    assert (found.returncode, "ledger.log is damaged" in found.stdout) == (1, True)
    mended = birthmark("index", cwd=world.root)
    assert (mended.returncode, "ledger.log was damaged: 1 records" in mended.stderr) == (0, True), mended.stderr
    assert (world.root / ".birthmark" / "ledger.log.damaged-1").read_bytes() == content
    assert birthmark("validate", cwd=world.root).returncode == 0
