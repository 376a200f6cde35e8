"""`copy`: there and back all rows are the same, whoever is killed, and what is said of wrong places."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from postgres_server import fresh_database

from birthmark.app.workspace.stores import subscription_store
from birthmark.app.workspace.workspace import REPOSITORY
from birthmark.store.model import DocumentTable, Message
from examples import n_examples
from random_commits import Edits
from running import birthmark, document
from small_repositories import make_repository, replay
from worlds import World

# The judge reads the files of SQLite by itself.
DERIVED = ("searched_", "sqlite_")
SELECTED = {
    "extractions": (
        "SELECT content, language, extractor, hex(outline), hex(source), n_entities, n_chunks FROM extractions"
    ),
    "versions": (
        "SELECT version, path_id, run, hex(identities), hex(content), language, extractor "
        "FROM versions JOIN extractions USING (extraction)"
    ),
    "meta": "SELECT * FROM meta WHERE name NOT IN ('log_end', 'last_searched_key', 'copy')",
}

FILLED = {"identities", "versions", "commits", "entities", "postings", "subscriptions", "notes", "scans", "outbox"}

NEW = "def used():\n    return 1\n\n\nclass Added:\n    def method(self):\n        return used()\n"


def stored(home: Path) -> dict[str, list[str]]:
    """All rows of both databases, by table."""
    found: dict[str, list[str]] = {}
    for file in (home / "index.db", home / "subscriptions.db"):
        connection = apsw.Connection(str(file))
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            if not table.startswith(DERIVED):
                select = SELECTED.get(table, f"SELECT * FROM {table}")  # noqa: S608 -- names of our own tables
                found[table] = sorted(map(repr, connection.execute(select)))
        connection.close()
    return found


def fill(root: Path, seed: int, n_commits: int) -> None:
    """A repository with a replayed history, an edit that is not committed, and something in every table."""
    world = make_repository(root, Edits(seed).grow(n_commits))
    replay(root)
    world.write("new.py", NEW)
    world.write("odd.js", "class Odd { 'x\0y'() { return 1 } }\n")
    world.index()
    with world.session() as session:
        assert session.network is not None
    with subscription_store(world.workspace) as store, store.writing():
        for table in DocumentTable:
            store.put_documents(table, {f"one {seed}": b"{}", "two": b'{"a": "\xc3\xa9"}'})
        store.keep_contents({"c" * 40: b"content\0"})
        number = store.add_scan("2024-01-01", "base", "target", 2)
        store.set_scan(number, b"{}")
        store.post([Message("m", number, "sink", b"\0body", next_at=0.1 + seed, error="né", created_at="2024")])


def copy(source: object, target: object, name: object, *options: str, cwd: Path) -> str:
    result = birthmark("copy", str(source), str(target), "--repository", str(name), *options, cwd=cwd)
    assert result.returncode == 0, result.stderr
    return result.stdout


# Without shrinking, which takes minutes: an example is a repository, copied twice.
@settings(
    max_examples=n_examples(3), phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 1000), n_commits=st.integers(2, 10))
def test_there_and_back_all_rows_are_the_same(tmp_path: Path, seed: int, n_commits: int) -> None:
    root, name = tmp_path / "w", f"{tmp_path} {seed} {n_commits}"
    shutil.rmtree(root, ignore_errors=True)
    fill(root, seed, n_commits)
    before, listed = stored(root / ".birthmark"), document("entities", cwd=root)
    database = fresh_database()
    copy(root, database, name, cwd=tmp_path)
    shutil.rmtree(root / ".birthmark")
    copy(database, root, name, cwd=tmp_path)
    assert {table for table in before if before[table]} >= FILLED
    for table, rows in stored(root / ".birthmark").items():
        assert rows == before[table], table
    assert birthmark("doctor", cwd=root).stdout.startswith("healthy")
    there = ("--store", database, "--repository", name)
    for options in ((), there):
        assert document("entities", *options, cwd=root) == listed
        assert "Added" in birthmark("search", "Addde", *options, cwd=root).stdout


# Interruptions

COPY_AND_DIE = """
import os, sys
from pathlib import Path
import birthmark.server.copying as rows
from birthmark.server.copying import copy_stores
from birthmark.server.copying import find_places

rows._MOST_ROWS = 7
left = int(sys.argv[3])

def count_down(stage, done, total):
    global left
    left -= 1
    if left == 0:
        os._exit(9)

copy_stores(*find_places(sys.argv[1], sys.argv[2], Path.cwd()), 60, count_down)
"""


def copy_and_die(source: object, target: object, name: object, batches: int, cwd: Path) -> None:
    command = [sys.executable, "-c", COPY_AND_DIE, str(source), str(target), str(batches)]
    done = subprocess.run(command, cwd=cwd, env=os.environ | {REPOSITORY: str(name)}, check=False)
    assert done.returncode == 9


def test_a_copy_that_is_killed_goes_on_and_is_no_index_before(tmp_path: Path) -> None:
    root, database = tmp_path / "w", fresh_database()
    fill(root, 1, 6)
    before = stored(root / ".birthmark")
    there = ("--store", database, "--repository", "r")
    for batches in (2, 30):
        copy_and_die(root, database, "r", batches, tmp_path)
        assert "there is no index in" in birthmark("show", "Added", "--no-refresh", *there, cwd=root).stderr
    assert "before an interruption" in copy(root, database, "r", "--wait", "60", cwd=tmp_path)
    shutil.rmtree(root / ".birthmark")
    for batches in (2, 30):
        copy_and_die(database, root, "r", batches, tmp_path)
        assert "there is no index" in birthmark("show", "Added", "--no-refresh", cwd=root).stderr
    assert "before an interruption" in copy(database, root, "r", cwd=tmp_path)
    assert stored(root / ".birthmark") == before
    assert birthmark("doctor", cwd=root).stdout.startswith("healthy")
    assert sorted(path.name for path in (root / ".birthmark").iterdir() if path.is_dir()) == []


def test_a_copy_begins_anew_when_its_source_was_written_to(tmp_path: Path) -> None:
    root, database = tmp_path / "w", fresh_database()
    world = World(root, {"a.py": "def f():\n    pass\n", "b.py": "def g():\n    pass\n"})
    world.index()
    copy_and_die(root, database, "r", 3, tmp_path)
    world.write("a.py", "def f():\n    return 1\n\n\ndef h():\n    pass\n")
    world.index()
    assert "interruption" not in copy(root, database, "r", "--wait", "60", cwd=tmp_path)
    there = ("--store", database, "--repository", "r")
    assert document("show", "h", *there, cwd=root) == document("show", "h", cwd=root)


def test_an_interrupted_copy_of_something_else_is_dropped_only_when_asked_to(tmp_path: Path) -> None:
    database = fresh_database()
    for name in ("one", "two"):
        World(tmp_path / name, {"a.py": f"def {name}():\n    pass\n"}).index()
    copy_and_die(tmp_path / "one", database, "r", 3, tmp_path)
    arguments = ("copy", "two", database, "--repository", "r", "--wait", "60")
    refused = birthmark(*arguments, cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert f"has an interrupted copy of {tmp_path}/one/.birthmark; finish that one" in refused.stderr
    assert birthmark(*arguments, "--restart", cwd=tmp_path).returncode == 0


def test_a_copy_whose_last_step_was_interrupted_is_finished(tmp_path: Path) -> None:
    root, database = tmp_path / "w", fresh_database()
    World(root, {"a.py": "def f():\n    pass\n"}).index()
    home = root / ".birthmark"
    copy(root, database, "r", cwd=tmp_path)
    shutil.rmtree(home)
    copy(database, root, "r", cwd=tmp_path)
    (home / "copying").mkdir()
    (home / "copying" / "whole").touch()
    (home / "index.db").rename(home / "copying" / "index.db")
    copy(database, root, "r", cwd=tmp_path)
    assert birthmark("doctor", cwd=root).stdout.startswith("healthy")
    assert "fn f" in birthmark("show", "f", cwd=root).stdout


# Wrong places


def test_nothing_is_copied_to_where_something_is(tmp_path: Path) -> None:
    for name in ("one", "two"):
        World(tmp_path / name, {"a.py": f"def {name}():\n    pass\n"}).index()
    before = stored_index(tmp_path / "two")
    refused = birthmark("copy", "one", "two", cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "two/.birthmark: has an index or subscriptions" in refused.stderr
    assert stored_index(tmp_path / "two") == before


def stored_index(root: Path) -> bytes:
    return (root / ".birthmark" / "index.db").read_bytes()


WRONG = [
    (("one", "one"), "both places are the same"),
    (("one", "mysql://u:secret@host/name"), "a store is named as postgresql://HOST/DATABASE"),
    (("one", "postgresql://u:secret@127.0.0.1:1/nowhere"), "the server cannot be used"),
    (("missing", "one"), "no such folder"),
    (("empty", "one"), "empty/.birthmark: there is no index to copy"),
]


@pytest.mark.parametrize(("places", "expected"), WRONG, ids=[expected for _, expected in WRONG])
def test_wrong_places_are_one_line(tmp_path: Path, places: tuple[str, str], expected: str) -> None:
    World(tmp_path / "one", {"a.py": "x = 1\n"}).index()
    (tmp_path / "empty").mkdir()
    result = birthmark("copy", *places, cwd=tmp_path)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert expected in result.stderr
    assert "secret" not in result.stderr + result.stdout
