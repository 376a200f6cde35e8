"""What a store promises: all or nothing, every reader undisturbed, and a ledger that outlives its database."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

from birthmark.errors import BirthmarkError, DamagedError, StoreError
from birthmark.store.connect import migrations
from birthmark.store.lock import writer_lock
from birthmark.store.log import LedgerLog
from birthmark.store.port import TABLES, Event, FileRow, Identity, KeyRow, MentionRow, Present, Run, Version
from birthmark.store.repair import restore_ledger
from birthmark.store.sqlite import SqliteStore

CONTENT = bytes(range(20))
EXTRACTION = (CONTENT, "python", "x1", b"outline", b"source", None, 1, 4, 2, 1, b"notes")
FILE = FileRow(1, 1, None, 10, 11, 12, 13, None, CONTENT, "python", 1, None)
NOBODY = 65534


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder whose parents everyone may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def log(home: Path) -> LedgerLog:
    return LedgerLog(home / "ledger.log")


def open_store(home: Path, *, writable: bool = True, with_log: bool = True) -> SqliteStore:
    log = LedgerLog(home / "ledger.log") if with_log else None
    return SqliteStore(home / "index.db", log, writable=writable)


def fill(store: SqliteStore, number: int = 1) -> None:
    """One run with a file of one entity that calls another; all of its rows have the same number."""
    with store.writing():
        if number == 1:
            store.keep_extractions([EXTRACTION])
        (path_id,) = store.path_ids([f"{number}.py"]).values()
        store.insert("runs", [(number, ".", "main", f"r{number}", 100 + number)])
        store.insert("keys", [(number, f"python:fn:f:__{number}_py", 100, number)])
        store.insert("identities", [(number, f"bm-{number}", number, number, path_id, 1, 2)])
        store.insert("versions", [(number, path_id, 1, number, msgspec.msgpack.encode([number]))])
        store.insert("entities", [(number, 0, number, number, "fn", "f", "f", "c" * 16, 1, 2)])
        store.insert("edges", [(number, 0, "calls", "g", None, None, 0, 2)])
        snapshot = store.use_snapshot(".", "main", number, "x1", None)
        store.put_files([FILE._replace(snapshot=snapshot, path_id=path_id, version=number)])


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    store = open_store(home)
    fill(store)
    yield store
    store.close()


def marks(store: SqliteStore) -> list[str]:
    return [found.mark for found in store.identities("identity", range(1, 100))]


def logged_marks(log: LedgerLog) -> set[object]:
    return {row[1] for record in log.records() for row in record.get("identities", ())}


# Round trips

ASKED: list[tuple[Callable[[SqliteStore], object], object]] = [
    (lambda s: s.extractions([(CONTENT, "python")], "x1"), {(CONTENT, "python"): 1}),
    (lambda s: s.extractions([(CONTENT, "python")], "x2"), {}),
    (lambda s: s.extractions([(CONTENT, "python")], "x1", with_nodes=True), {}),
    (lambda s: list(s.outlines([1, 2])), [(1, b"outline")]),
    (lambda s: s.source(1), b"source"),
    (lambda s: (s.source(2), s.nodes(1)), (None, None)),
    (
        lambda s: [(found.worktree, found.branch, found.revision, found.at) for found in s.snapshots()],
        [(".", "main", "r1", 101)],
    ),
    (lambda s: s.snapshot("elsewhere"), None),
    (lambda s: s.files(1), {"1.py": FILE}),
    (lambda s: s.files(1, ["2.py"]), {}),
    (lambda s: s.files(2), {}),
    (lambda s: s.alive(1, [1, 2]), {1: 1}),
    (lambda s: s.alive(2, [1]), {}),
    (
        lambda s: s.present(1, "name", ["f"]),
        [Present("1.py", 1, "bm-1", "python:fn:f:__1_py", 100, "python", "fn", "f", "f", "c" * 16, 1, 2, 1, 0)],
    ),
    (lambda s: s.present(1, "mark", ["bm-1"]) == list(s.all_present(1)), True),
    (lambda s: s.present(2, "mark", ["bm-1"]), []),
    (
        lambda s: s.mentions(1, "name", ["g"]),
        [MentionRow("1.py", "python", "calls", "g", None, None, 0, 2, 1, "fn", "f", "f", 1, 2)],
    ),
    (lambda s: s.mentions(1, "alias", ["g"]), []),
    (lambda s: s.counts(1), {"files": 1, "entities": 1, "nodes": 4, "chunks": 2, "edges": 1, "identities": 1}),
    (lambda s: s.notes(1), [("1.py", b"notes")]),
    (lambda s: s.versions([1, 2]), {1: Version(1, "1.py", 1, 1, (1,))}),
    (lambda s: s.versions_of("1.py"), [Version(1, "1.py", 1, 1, (1,))]),
    (lambda s: list(s.versions_at([("1.py", 1), ("2.py", 1)])), [("1.py", 1)]),
    (lambda s: s.keys("semantic_path", ["python:fn:f:__1_py"]), [KeyRow(1, "python:fn:f:__1_py", 100, 1)]),
    (lambda s: s.identities("mark", ["bm-1"]), [Identity(1, "bm-1", "python:fn:f:__1_py:T100", 1, "1.py", 1, 2)]),
    (lambda s: s.events([1]), []),
    (lambda s: s.run(1), Run(1, ".", "main", "r1", 101)),
    (lambda s: [s.last(table) for table in ("identities", "events")], [1, 0]),
]


@pytest.mark.parametrize(("ask", "expected"), ASKED)
def test_what_was_written_is_read(store: SqliteStore, ask: Callable[[SqliteStore], object], expected: object) -> None:
    assert ask(store) == expected


def test_the_same_is_read_by_who_opens_it_for_reading(home: Path, store: SqliteStore) -> None:
    reader = open_store(home, writable=False)
    for ask, expected in ASKED:
        assert ask(reader) == expected
    reader.close()


def test_events_come_in_their_order_and_deletions_by_content(store: SqliteStore) -> None:
    with store.writing():
        for number, change in ((2, "deleted"), (1, "modified")):
            store.insert("events", [(number, 1, 1, change, 1, "f", 1, 2, "c" * 16, None, None)])
    assert [event.change for event in store.events([1])] == ["modified", "deleted"]
    assert store.deleted_with(["c" * 16]) == [Event(1, 1, "deleted", "1.py", "f", 1, 2, "c" * 16, None, None)]


def test_candidates_are_known_from_both_ends(store: SqliteStore) -> None:
    with store.writing():
        store.insert("candidates", [(1, 2, 1), (1, 3, 1)])
    assert store.candidates(1) == ([2, 3], [])
    assert store.candidates(3) == ([], [1])


def test_an_extraction_keeps_its_number_when_it_is_made_anew(store: SqliteStore) -> None:
    with store.writing():
        store.keep_extractions([(*EXTRACTION[:5], b"nodes", *EXTRACTION[6:])])
    assert store.extractions([(CONTENT, "python")], "x1", with_nodes=True) == {(CONTENT, "python"): 1}
    assert store.nodes(1) == b"nodes"


def test_a_version_leaves_the_index_with_its_last_snapshot(store: SqliteStore) -> None:
    with store.writing():
        store.insert("runs", [(2, ".", "side", None, 200)])
        side = store.use_snapshot(".", "side", 2, "x1", 1)
        store.drop_files(1, [1])
        store.drop_idle_versions([1])
    assert [row.mark for row in store.all_present(side)] == ["bm-1"]
    with store.writing():
        store.drop_files(side, [1])
        store.drop_idle_versions([1])
    assert store.count("entities") == store.count("edges") == 0
    assert store.versions_of("1.py") != []


def test_a_snapshot_starts_as_what_the_worktree_held_last(store: SqliteStore) -> None:
    with store.writing():
        store.insert("runs", [(2, ".", "side", None, 200)])
        side = store.use_snapshot(".", "side", 2, "x1", 1)
    assert list(store.files(side)) == ["1.py"]
    assert [found.branch for found in store.snapshots()] == ["side", "main"]


# Transactions


def test_a_failing_transaction_leaves_nothing(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    before = log.size()
    with pytest.raises(apsw.ConstraintError), store.writing():
        store.insert("runs", [(2, ".", None, None, 0), (2, ".", None, None, 0)])
    assert store.last("runs") == 1
    assert log.size() == before


def test_a_reader_sees_the_state_before_until_the_commit(home: Path, store: SqliteStore) -> None:
    reader = open_store(home, writable=False)
    with store.writing():
        store.insert("runs", [(2, ".", None, None, 0)])
        assert reader.last("runs") == 1
    assert reader.last("runs") == 2
    reader.close()


def test_no_mark_and_no_key_is_stored_twice(store: SqliteStore) -> None:
    for table, row in (("identities", (2, "bm-1", 2, 1, 1, 1, 2)), ("keys", (2, "python:fn:f:__1_py", 100, 2))):
        with pytest.raises(apsw.ConstraintError), store.writing():
            store.insert(table, [row])
    assert marks(store) == ["bm-1"]


def test_who_reads_may_not_write(home: Path, store: SqliteStore) -> None:
    reader = open_store(home, writable=False)
    with pytest.raises(BirthmarkError, match="not allowed to write"), reader.writing():
        reader.insert("runs", [(2, ".", None, None, 0)])
    reader.close()


# The log


def test_a_record_whose_commit_never_came_is_cut_off(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    before = log.size()
    store.close()
    log.append({"identities": [(2, "bm-2", 2, 1, 1, 1, 2)]})
    open_store(home).close()
    assert log.size() == before


def test_a_torn_record_is_cut_off_and_written_over(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    store.close()
    with log.path.open("ab") as file:
        file.write(b"\x00\x00\x10\x00torn")
    again = open_store(home)
    fill(again, 2)
    again.close()
    assert [row for record in log.records() for row in record.get("identities", ())] == [
        [1, "bm-1", 1, 1, 1, 1, 2],
        [2, "bm-2", 2, 2, 2, 1, 2],
    ]


@pytest.mark.parametrize("harm", ["gone", "shorter", "empty"])
def test_a_log_that_lost_something_is_written_anew(home: Path, store: SqliteStore, log: LedgerLog, harm: str) -> None:
    fill(store, 2)
    store.close()
    if harm == "gone":
        log.path.unlink()
    else:
        log.truncate(0 if harm == "empty" else log.size() - 5)
    open_store(home).close()
    assert logged_marks(log) == {"bm-1", "bm-2"}


@pytest.mark.parametrize("harm", ["empty", "older"])
def test_a_database_that_knows_less_does_not_take_the_ledger_with_it(
    home: Path, store: SqliteStore, log: LedgerLog, harm: str
) -> None:
    """An old copy that was put back, or a file that was emptied."""
    store.tidy()
    older = (home / "index.db").read_bytes() if harm == "older" else b""
    for number in (2, 3):
        fill(store, number)
    store.close()
    (home / "index.db").write_bytes(older)
    size = log.size()
    with pytest.raises(DamagedError, match="run `birthmark doctor`"):
        open_store(home)
    assert log.size() == size


def test_the_log_is_written_before_the_commit(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    """Else a database that is lost right after could have told what no log knows."""
    seen: list[int] = []

    def note() -> bool:
        seen.append(log.size())
        return False

    store.connection.set_commit_hook(note)
    before = log.size()
    fill(store, 2)
    assert seen[-1] == log.size() > before


def test_the_ledger_is_restored_from_its_log(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    fill(store, 2)
    before = list(store.ledger())
    store.close()
    for file in home.glob("index.db*"):
        file.unlink()
    again = open_store(home, with_log=False)
    assert restore_ledger(again, log, None) > 0
    assert list(again.ledger()) == before
    assert marks(again) == ["bm-1", "bm-2"]
    assert again.extractions([(CONTENT, "python")], "x1") == {}  # What was extracted is read again.
    again.close()
    open_store(home).close()
    assert logged_marks(log) == {"bm-1", "bm-2"}


def test_a_ledger_is_salvaged_from_a_damaged_database(home: Path, store: SqliteStore) -> None:
    for number in range(2, 30):
        fill(store, number)
    store.close()
    database = home / "index.db"
    aside = database.with_name("aside.db")
    database.rename(aside)
    content = bytearray(aside.read_bytes())
    content[-4096:] = os.urandom(4096)  # The last page is some index's or table's.
    aside.write_bytes(content)
    again = open_store(home, with_log=False)
    assert restore_ledger(again, LedgerLog(home / "no.log"), aside) > 0
    assert len(marks(again)) >= 20
    again.close()


def test_nothing_is_salvaged_from_what_is_no_database(home: Path) -> None:
    (home / "aside.db").write_bytes(b"no database" * 1000)
    store = open_store(home)
    assert restore_ledger(store, LedgerLog(home / "no.log"), home / "aside.db") == 0
    store.close()


# Versions of the schema


def test_an_empty_file_is_brought_to_the_newest_version(home: Path) -> None:
    (home / "index.db").touch()
    store = open_store(home)
    assert list(store.connection.execute("PRAGMA user_version")) == [(len(migrations()),)]
    tables = {row[0] for row in store.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert set(TABLES) <= tables
    store.close()


def test_a_failing_migration_leaves_the_version_as_it_was(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (*migrations(), "CREATE TABLE another (a); CREATE TABLE meta (twice)")
    open_store(home).close()
    monkeypatch.setattr("birthmark.store.sqlite.migrations", lambda: broken)
    with pytest.raises(apsw.SQLError):
        open_store(home)
    monkeypatch.undo()
    store = open_store(home)
    assert list(store.connection.execute("SELECT name FROM sqlite_master WHERE name = 'another'")) == []
    store.close()


def test_an_older_index_is_upgraded_by_who_writes_and_keeps_its_ledger(
    home: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    newer = (*migrations(), "CREATE TABLE another (a)")
    monkeypatch.setattr("birthmark.store.sqlite.migrations", lambda: newer)
    with pytest.raises(BirthmarkError, match="older birthmark; run `birthmark index`"):
        open_store(home, writable=False)
    open_store(home).close()
    reader = open_store(home, writable=False)
    assert marks(reader) == ["bm-1"]
    reader.close()


@pytest.mark.parametrize("writable", [True, False])
def test_a_newer_index_is_left_alone(home: Path, store: SqliteStore, writable: bool) -> None:
    store.connection.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
    store.close()
    with pytest.raises(BirthmarkError, match="newer birthmark; upgrade"):
        open_store(home, writable=writable)


# What can go wrong outside


@pytest.fixture
def unprivileged() -> Iterator[Callable[[], None]]:
    """Give up the right to write everywhere, if we have it."""
    was_root = hasattr(os, "geteuid") and os.geteuid() == 0

    def drop() -> None:
        if was_root:
            os.seteuid(NOBODY)

    yield drop
    if was_root:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no permissions there")
@pytest.mark.parametrize("name", ["plain", "odd ?#% name"])
def test_an_index_in_a_read_only_folder_can_be_asked(home: Path, unprivileged: Callable[[], None], name: str) -> None:
    folder = home / name
    folder.mkdir()
    store = open_store(folder)
    fill(store)
    store.close()
    folder.chmod(0o555)
    unprivileged()
    reader = open_store(folder, writable=False)
    assert marks(reader) == ["bm-1"]
    reader.close()
    with pytest.raises(BirthmarkError, match="permissions of the folder"):
        open_store(folder)
    with pytest.raises(BirthmarkError, match="permissions of the folder"), writer_lock(folder / "lock", 0):
        pass


def fill_up(store: SqliteStore) -> None:
    for number in range(2, 1000):
        fill(store, number)


def test_a_full_disk_changes_nothing(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    size = log.size()
    (n_pages,) = next(iter(store.connection.execute("PRAGMA page_count")))
    store.connection.execute(f"PRAGMA max_page_count = {n_pages}")
    with pytest.raises(StoreError, match="disk is full; nothing was changed") as caught:
        fill_up(store)
    assert caught.value.exit_code == 3
    n_kept = store.last("runs")
    store.close()
    again = open_store(home)
    assert len(marks(again)) == n_kept < 999
    assert again.check_integrity() == []
    assert sum(len(record.get("identities", ())) for record in log.records()) == n_kept
    assert log.size() >= size
    again.close()


def test_a_log_that_cannot_be_written_changes_nothing(home: Path, store: SqliteStore, log: LedgerLog) -> None:
    log.path.unlink()
    log.path.mkdir()
    with pytest.raises(StoreError, match="nothing was changed"):
        fill(store, 2)
    assert marks(store) == ["bm-1"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"no database at all" * 500, "is no database"), (b"SQLite format 3\0" + b"\xff" * 8000, "birthmark doctor")],
)
@pytest.mark.parametrize("writable", [True, False])
def test_a_file_that_is_no_database_is_told(home: Path, content: bytes, message: str, writable: bool) -> None:
    (home / "index.db").write_bytes(content)
    with pytest.raises(DamagedError, match=message) as caught:
        open_store(home, writable=writable)
    assert caught.value.exit_code == 3
    assert (home / "index.db").read_bytes() == content


def test_damage_inside_is_found(home: Path, store: SqliteStore) -> None:
    for number in range(2, 60):
        fill(store, number)
    store.tidy()
    store.close()
    database = home / "index.db"
    content = bytearray(database.read_bytes())
    for page in range(3, len(content) // 4096):
        content[page * 4096 : page * 4096 + 2000] = b"\xa5" * 2000
    database.write_bytes(content)
    with pytest.raises(DamagedError, match="run `birthmark doctor`"):
        open_store(home, writable=False)


# The lock

HOLD = """
import sys
from pathlib import Path
from birthmark.store.lock import writer_lock
with writer_lock(Path(sys.argv[1]), 0):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock."""
    command = [sys.executable, "-c", HOLD, str(home / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_who_holds_the_lock_is_told(home: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(BirthmarkError, match=f"written by process {holder.pid}"), writer_lock(home / "lock", 0.1):
        pass


def test_a_lock_ends_with_its_process(home: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    with writer_lock(home / "lock", 10):
        pass


def test_a_lock_is_waited_for(home: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdin is not None
    holder.stdin.close()
    with writer_lock(home / "lock", 30):
        assert str(os.getpid()) in (home / "lock").read_text()
