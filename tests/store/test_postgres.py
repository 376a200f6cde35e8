"""The store in PostgreSQL beside the one in SQLite: the same rows, whoever is killed, and what is said of failures."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from both_stores import check_rows_are_the_same
from database_rows import database_rows
from hypothesis import given
from hypothesis import strategies as st
from postgres_server import at_database, fresh_database, shared_database

from birthmark.app.workspace.stores import locked, reading, updating, writing
from birthmark.app.workspace.workspace import REPOSITORY, STORE, name_worktree
from birthmark.errors import BirthmarkError
from birthmark.model import Level
from birthmark.server.postgres.connect import give, take
from birthmark.server.postgres.database import escape_row, translate, unescape_row
from birthmark.server.postgres.schema import find_repository, migrations
from birthmark.server.postgres.store import PostgresStore
from birthmark.store.model import LedgerEntries, LedgerKey, PackedExtraction, StoreLocation, shown_url
from examples import n_examples
from random_commits import Edits
from running import birthmark, document
from small_repositories import make_repository, replay
from stored_rows import rows_of
from worlds import START, World, run_git

SEEDS = range(n_examples(3))
N_COMMITS = 12


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """All that is asked meanwhile is asked of PostgreSQL, in a repository of its own."""
    monkeypatch.setenv(STORE, shared_database())
    monkeypatch.setenv(REPOSITORY, str(tmp_path))
    return shared_database()


# The same rows


def live(root: Path, seed: int) -> dict[str, object]:
    """Replay a history, then edit the worktree and bring the index up to date each time.

    Returns all rows, as the database holds them and as the port tells them.
    """
    run_git(root, "reset", "-q", "--hard")
    run_git(root, "clean", "-fdq", "--exclude=.birthmark")
    replay(root)
    world = World(root)
    for commit in Edits(seed + 100).grow(4):
        for path, text in commit.files.items():
            world.write(path, text)
        world.index()
    with world.session() as session:
        assert session.network is not None
        birthmark("search", "return", cwd=root)
    with reading(world.workspace) as store:
        told = rows_of(store, world.workspace.worktree)
    held = database_rows(root)
    del held["runs"]  # The one that ends a replay is of today.
    return {**held, **{f"told of {name}": rows for name, rows in told.items()}}


@pytest.mark.parametrize("seed", SEEDS)
def test_both_stores_hold_the_same_rows(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "repository"
    make_repository(root, Edits(seed).grow(N_COMMITS))
    check_rows_are_the_same(lambda: live(root, seed))


def test_an_index_in_postgresql_is_what_a_rebuild_in_sqlite_would_be(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    return g()\n", "b.py": "def g():\n    pass\n"})
    world.index()
    world.replace("a.py", "return g()", "return g() + 1")
    world.index()
    assert world.check() == []
    assert not (world.root / ".birthmark").exists()


def test_repositories_share_what_was_extracted(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path / "w", {"a.py": f"def only_here_{tmp_path.name}():\n    pass\n"})
    assert world.index().n_extracted == 1
    monkeypatch.setenv(REPOSITORY, f"{tmp_path} fork")
    assert world.index().n_extracted == 0


def test_less_detail_does_not_replace_more(tmp_path: Path) -> None:
    key = (tmp_path.name.encode(), "python")
    whole = PackedExtraction(Level.NODES, b"outline", b"source", b"nodes", 1, 4, 2, 1, b"")
    sketch = PackedExtraction(Level.ENTITIES, b"sketch", b"source", None, 1, 4, 2, 1, b"")
    with closing(PostgresStore(StoreLocation(tmp_path, shared_database(), "detail"), writable=True)) as store:
        for packed in (sketch, whole, sketch):
            store.put_extractions("x", [(key, packed)])
        assert list(store.extractions([key], "x", Level.NODES)) == [key]


ODD = {
    "a.py": b"def g\0h(x):\n    return i\0j(x)\n",
    "b.js": b"class A { 'x\0y'() { return 1 }\n  'x\x01y'() { return 2 }\n  'x\0\x02y'() { return 3 } }\n",
    "c.js": b"function \xed\xa0\x80z() {}\n",
    "c\udcff.py": b"def odd():\n    return 1\n",
    "d\udced\udca0\udc80.py": b"def odd():\n    return 2\n",
}


def test_names_with_nul_and_what_is_no_utf_8_are_the_same_in_both_stores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path / "w")
    for path, content in ODD.items():
        (world.root / path).write_bytes(content)
    world.index()
    expected = answers_about_names(world)
    monkeypatch.setenv(STORE, shared_database())
    monkeypatch.setenv(REPOSITORY, str(tmp_path))
    world.now = START
    world.index()
    assert answers_about_names(world) == expected
    assert {"x\0y", "x\x01y", "x\0\x02y"} <= {one["name"] for one in expected[0]}


def answers_about_names(world: World) -> list[Any]:
    entities = document("entities", cwd=world.root)
    names = [birthmark("search", one["name"].replace("\0", ""), cwd=world.root).stdout for one in entities]
    return [entities, names, document("chunks", cwd=world.root)]


@given(st.lists(st.text("\0\x01\x02a", max_size=5), min_size=2, max_size=2))
def test_escapes_keep_texts_and_their_order(texts: list[str]) -> None:
    escaped = escape_row(texts)
    assert "\0" not in "".join(escaped)
    assert list(unescape_row(escaped)) == texts
    assert (escaped[0] < escaped[1]) == (texts[0] < texts[1])


# Kills

WRITE_HALF = """
import os, sys
from pathlib import Path
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import find_workspace
with writing(find_workspace(Path.cwd()), 0) as store, store.writing():
    run = store.begin_run("elsewhere", "main", None, 1)
    store.snapshot_for(run, "x", None)
    os._exit(9)
"""


def test_a_writer_that_is_killed_leaves_nothing_half_written(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    pass\n"})
    world.index()
    before = world.marks()
    done = subprocess.run([sys.executable, "-c", WRITE_HALF], cwd=world.root, check=False)
    assert done.returncode == 9
    with reading(world.workspace) as store:
        assert [found.worktree for found in store.snapshots()] == [world.workspace.worktree]
    world.write("b.py", "def g():\n    pass\n")
    with locked(world.workspace, 60):  # The server takes a moment to see that the process has ended.
        pass
    world.index()
    assert world.marks().items() > before.items()
    assert world.check() == []


def test_a_backend_that_is_terminated_is_an_error_and_the_next_run_succeeds(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    pass\n"})
    world.index()

    def lose_backend() -> None:
        with writing(world.workspace, 0) as store, store.writing():
            assert isinstance(store, PostgresStore)
            store.begin_run("elsewhere", "main", None, 1)
            with psycopg.connect(url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (store.connection.info.backend_pid,))
            store.begin_run("elsewhere", "main", None, 2)

    with pytest.raises(BirthmarkError, match="the server cannot be used") as caught:
        lose_backend()
    assert caught.value.exit_code == 2
    world.write("a.py", "def f():\n    return 1\n")
    assert world.index().n_read == 1
    assert world.check() == []


# One writer at a time


def test_a_second_writer_is_told_who_writes(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "x = 1\n"})
    with (
        locked(world.workspace, 0),
        pytest.raises(BirthmarkError, match=r"is being written by .*process \d+"),
        locked(world.workspace, 0),
    ):
        pass
    with locked(world.workspace, 0):
        pass


def test_a_second_writer_waits(tmp_path: Path, url: str) -> None:
    world, entered = World(tmp_path / "w", {"a.py": "x = 1\n"}), threading.Event()

    def hold() -> None:
        with locked(world.workspace, 0):
            entered.set()
            threading.Event().wait(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait()
    with locked(world.workspace, 30), updating(world.workspace) as store:
        assert store.snapshots() == []
    thread.join()


def end_holder(url: str, repository: str) -> None:
    """The backend of the connection that has the lock of a repository."""
    holder = """SELECT pg_terminate_backend(pid, 30000) FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND classid = 1651077748 AND objid = %s"""
    number = find_repository(StoreLocation(Path(), url, repository)).repository
    with psycopg.connect(url, autocommit=True) as other:
        assert other.execute(holder, (number,)).fetchall() == [(True,)]


def test_a_writer_that_lost_its_lock_commits_nothing_more(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "x = 1\n"})

    def lose_lock() -> None:
        with writing(world.workspace, 0) as store:
            with store.writing():
                store.set_meta("before", 1)
            end_holder(url, str(tmp_path))
            with store.writing():
                store.set_meta("behind", 1)

    with pytest.raises(BirthmarkError, match="the server cannot be used"):
        lose_lock()
    with writing(world.workspace, 0) as store:
        assert (store.meta("before"), store.meta("behind")) == (1, None)


def test_a_lock_that_is_lost_behind_the_last_commit_is_no_failure(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w", {"a.py": "x = 1\n"})
    with locked(world.workspace, 0):
        end_holder(url, str(tmp_path))
    with locked(world.workspace, 0):
        pass


def test_the_next_writer_waits_for_a_transaction_of_the_one_that_lost_its_lock(tmp_path: Path, url: str) -> None:
    world, entered = World(tmp_path / "w", {"a.py": "x = 1\n"}), threading.Event()

    def take_over() -> None:
        with locked(world.workspace, 0):
            entered.set()

    with updating(world.workspace) as store:
        number = find_repository(StoreLocation(Path(), url, str(tmp_path))).repository
        thread = threading.Thread(target=take_over)
        with store.writing():
            thread.start()
            with psycopg.connect(url, autocommit=True) as other:
                waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
                while not other.execute(waiting, (number,)).fetchall():
                    assert not entered.is_set()
        thread.join()
    assert entered.is_set()


def test_threads_that_come_first_share_one_pool() -> None:
    database, ready = fresh_database(), threading.Barrier(4)

    def take_and_give() -> None:
        ready.wait()
        give(database, take(database))

    with ThreadPoolExecutor(4) as threads:
        for one in [threads.submit(take_and_give) for _ in range(4)]:
            one.result()


# What it says


def test_commands_name_their_store(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    pass\n"})
    options = ("--store", shared_database(), "--repository", str(tmp_path))
    assert "there is no index in" in birthmark(*options, "show", "f", cwd=world.root).stderr
    assert birthmark(*options, "index", cwd=world.root).returncode == 0
    assert "fn f" in birthmark("show", "f", *options, cwd=world.root).stdout
    assert birthmark(*options, "doctor", cwd=world.root).stdout.startswith("healthy")
    assert birthmark("show", "f", cwd=world.root).returncode == 2  # The options were those of one command.


WRONG = [
    ("postgresql://user:secret@127.0.0.1:1/nowhere", "postgresql://127.0.0.1:1/nowhere: the server cannot be used"),
    ("mysql://user:secret@host/name", "a store is named as postgresql://HOST/DATABASE"),
    ("postgresql://user:secret@[/name", "the URL of the store cannot be read"),
    ("postgresql://user:secret@host/name?nonsense=1", "the server cannot be used"),
]


@pytest.mark.parametrize(("wrong", "expected"), WRONG, ids=[expected for _, expected in WRONG])
def test_a_store_that_cannot_be_used_is_one_line_without_the_password(
    tmp_path: Path, wrong: str, expected: str
) -> None:
    result = birthmark("--store", wrong, "index", cwd=tmp_path)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert expected in result.stderr
    assert "secret" not in result.stderr + result.stdout
    assert "secret" not in repr(StoreLocation(tmp_path, wrong, "r"))


def test_a_database_that_is_not_there_is_said(tmp_path: Path) -> None:
    result = birthmark("--store", at_database(shared_database(), "missing"), "index", cwd=tmp_path)
    assert (result.returncode, 'database "missing" does not exist' in result.stderr) == (2, True)


@pytest.fixture
def with_password() -> str:
    """The URL of a database for a role that needs one; the password is wrong."""
    database = fresh_database()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS test_password")
        connection.execute("CREATE ROLE test_password LOGIN PASSWORD 'right'")
        row = connection.execute("SELECT current_setting('hba_file')").fetchone()
        assert row is not None
        rules = Path(row[0])
        rules.write_text(f"local all test_password scram-sha-256\n{rules.read_text()}")
        connection.execute("SELECT pg_reload_conf()")
    return urlsplit(database)._replace(netloc="test_password:secret@").geturl()


def test_a_wrong_password_is_one_line_that_does_not_have_it(tmp_path: Path, with_password: str) -> None:
    result = birthmark("--store", with_password, "index", cwd=tmp_path)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert 'password authentication failed for user "test_password"' in result.stderr
    assert "secret" not in result.stderr


WITHOUT_PSYCOPG = """
import sys
sys.modules["psycopg"] = None
from birthmark.surfaces.cli.main import main
sys.argv = ["birthmark", "--store", "postgresql://host/name", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("command", [("index",), ("copy", ".", "postgresql://host/other")])
def test_without_psycopg_it_is_said_how_to_get_it(tmp_path: Path, command: tuple[str, ...]) -> None:
    World(tmp_path, {"a.py": "x = 1\n"}).index()
    python = [sys.executable, "-c", WITHOUT_PSYCOPG, *command]
    done = subprocess.run(python, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "pip install 'birthmark[postgres]'" in done.stderr


@pytest.fixture
def newer() -> str:
    database = fresh_database()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("INSERT INTO birthmark.migrations VALUES (99)")
    return database


def test_a_newer_database_is_left_alone(tmp_path: Path, newer: str) -> None:
    result = birthmark("--store", newer, "index", cwd=tmp_path)
    assert (result.returncode, "was made by a newer birthmark" in result.stderr) == (2, True)


def test_migrations_are_applied_once() -> None:
    location = StoreLocation(Path("."), fresh_database(), "r")
    assert find_repository(location).version == len(migrations())
    for _ in range(2):
        PostgresStore(location, writable=True).close()
    assert find_repository(location).has_index


def test_statistics_of_all_partitions_are_made_when_a_table_has_doubled(tmp_path: Path) -> None:
    location = StoreLocation(tmp_path, fresh_database(), "r")

    def counted() -> float:
        with psycopg.connect(location.url) as connection:
            row = connection.execute("SELECT reltuples FROM pg_class WHERE oid = 'birthmark.keys'::regclass").fetchone()
        assert row is not None
        return float(row[0])

    def add(keys: range) -> None:
        with store.writing():
            run = store.begin_run(".", None, None, 1).run
            rows = [LedgerKey(key, f"python:fn:f{key}:__a_py", 1, key) for key in keys]
            store.append_ledger(LedgerEntries(run, rows))

    with closing(PostgresStore(location, writable=True)) as store:
        for keys, expected in ((range(1, 10), -1), (range(10, 3_000), 2_999), (range(3_000, 4_100), 2_999)):
            add(keys)
            assert counted() == expected
        add(range(4_100, 9_000))
        assert counted() == 8_999


def test_of_a_repository_that_is_new_in_its_partition_many_rows_are_expected(tmp_path: Path) -> None:
    location = StoreLocation(tmp_path, fresh_database(), "r")
    with closing(PostgresStore(location, writable=True)) as store, store.writing():
        run = store.begin_run(".", None, None, 1).run
        rows = [LedgerKey(key, f"python:fn:f{key}:__a_py", 1, key) for key in range(1, 10_000)]
        store.append_ledger(LedgerEntries(run, rows))
        number = store.number
    with psycopg.connect(location.url, autocommit=True) as connection:
        (part,) = connection.execute("SELECT DISTINCT tableoid::regclass::text FROM birthmark.keys").fetchall()
        question = f"EXPLAIN (FORMAT JSON) SELECT * FROM {part[0]} WHERE repository = {number + 1}"  # noqa: S608

        def expected() -> int:
            plan = connection.execute(question).fetchall()[0][0][0]["Plan"]
            return int(plan["Plan Rows"])

        assert expected() == 9_999  # as many as one of those that are there has
        connection.execute(f"ALTER TABLE {part[0]} ALTER COLUMN repository SET STATISTICS -1")
        connection.execute(f"ANALYZE {part[0]}")
        assert expected() == 1
        connection.execute(migrations()[7])
        connection.execute(f"ANALYZE {part[0]}")
        assert expected() == 50  # as a server that cannot be told


def test_worktrees_are_named_for_all_machines(tmp_path: Path, url: str) -> None:
    world = World(tmp_path / "w")
    assert world.workspace.worktree == name_worktree(world.root)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:pw@db.example:5433/team?sslmode=require", "postgresql://db.example:5433/team"),
        ("postgresql://db.example/team?password=pw", "postgresql://db.example/team"),
        ("postgresql:///team?host=/run/pg", "postgresql:///run/pg/team"),
    ],
)
def test_a_url_is_shown_without_what_is_secret(url: str, shown: str) -> None:
    assert shown_url(url) == shown


TRANSLATED = [
    ("SELECT 1 FROM paths WHERE a = ?", "(SELECT * FROM birthmark.paths WHERE repository = 7) AS paths WHERE a = $1"),
    ("SELECT 1 FROM versions AS every", "FROM (SELECT * FROM birthmark.versions WHERE repository = 7) AS every"),
    ("DELETE FROM files WHERE snapshot = ?", "DELETE FROM birthmark.files WHERE repository = 7 AND snapshot = $1"),
    ("UPDATE scans SET a = ? WHERE b = ?", "UPDATE birthmark.scans SET a = $1 WHERE repository = 7 AND b = $2"),
    ("INSERT INTO files (a, b) SELECT ?, b", "INSERT INTO birthmark.files (repository, a, b) SELECT 7, $1, b"),
    ("SELECT 1 FROM extractions", "SELECT 1 FROM birthmark.extractions AS extractions"),
    ("SELECT 1 WHERE a IN (SELECT value FROM json_each(?2))", "SELECT 1 WHERE a = ANY($2)"),
]


@pytest.mark.parametrize(("statement", "expected"), TRANSLATED)
def test_statements_are_about_one_repository(statement: str, expected: str) -> None:
    assert translate(statement, 7).endswith(expected)


# Roles


@pytest.fixture
def roles(tmp_path: Path) -> dict[str, str]:
    """URLs of a database for a writer and for a reader who logs in."""
    database = fresh_database()
    with psycopg.connect(database, autocommit=True) as connection:
        for role in ("reader", "writer"):
            connection.execute(f"DROP ROLE IF EXISTS test_{role}_{os.getpid()}")  # Roles are those of all databases.
            connection.execute(f"CREATE ROLE test_{role}_{os.getpid()} LOGIN IN ROLE birthmark_{role}")
    parts = urlsplit(database)
    return {
        role: parts._replace(netloc=f"test_{role}_{os.getpid()}@{parts.hostname or ''}").geturl()
        for role in ("reader", "writer")
    }


def test_a_writer_needs_no_more_than_its_role(tmp_path: Path, roles: dict[str, str]) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    return 1\n"})
    options = ("--store", roles["writer"], "--repository", "one")
    assert birthmark(*options, "index", cwd=world.root).returncode == 0
    world.write("a.py", "def f():\n    return 2\n\n\ndef g():\n    return f()\n")
    assert "g" in birthmark(*options, "callers", "f", cwd=world.root).stdout
    assert birthmark(*options, "note", "f", "text", cwd=world.root).returncode == 0
    with psycopg.connect(roles["writer"]) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("DELETE FROM birthmark.identities")


def test_a_reader_sees_the_repositories_that_are_named(tmp_path: Path, roles: dict[str, str]) -> None:
    for name in ("one", "two"):
        world = World(tmp_path / name, {"a.py": f"def in_{name}():\n    return 1\n"})
        assert birthmark("--store", roles["writer"], "--repository", name, "index", cwd=world.root).returncode == 0
    with psycopg.connect(roles["writer"]) as connection:
        numbers: dict[str, int] = dict(
            connection.execute("SELECT name, repository FROM birthmark.repositories").fetchall()
        )
    tables = ("repositories", "identities", "keys", "versions", "entities", "extractions", "searched_names", "present")
    for named, expected in (([], 0), (["one"], 1), (["one", "two"], 2)):
        setting = ",".join(str(numbers[name]) for name in named)
        with psycopg.connect(roles["reader"], options=f"-c birthmark.repositories={setting}") as connection:
            counts = [connection.execute(f"TABLE birthmark.{table}").rowcount for table in tables]
            assert counts == [expected] * len(tables)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT 1 FROM birthmark.keys_0")


def test_a_reader_may_not_write(tmp_path: Path, roles: dict[str, str]) -> None:
    world = World(tmp_path / "w", {"a.py": "def f():\n    return 1\n"})
    result = birthmark("--store", roles["reader"], "--repository", "one", "index", cwd=world.root)
    assert (result.returncode, "not allowed to write" in result.stderr) == (2, True)


def test_a_repository_is_deleted_with_its_rows(tmp_path: Path) -> None:
    location = StoreLocation(tmp_path, fresh_database(), "r")
    with closing(PostgresStore(location, writable=True)) as store, store.writing():
        store.begin_run(".", None, None, 1)
    with psycopg.connect(location.url) as connection:
        connection.execute("DELETE FROM birthmark.repositories")
        assert connection.execute("SELECT count(*) FROM birthmark.runs").fetchone() == (0,)
