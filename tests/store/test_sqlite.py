"""What is SQLite's in a store: its files, migrations, damage, full disks and the log; all else is in the contract."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import msgspec
import pytest

from birthmark.errors import BirthmarkError, DamagedError, StoreError
from birthmark.file_lock import writer_lock
from birthmark.model import Level
from birthmark.store.model import (
    Identity,
    LedgerDerivation,
    LedgerEntries,
    LedgerKey,
    PackedExtraction,
    StoreLocation,
    Version,
)
from birthmark.store.sqlite.database import migrations
from birthmark.store.sqlite.log import RowLog
from birthmark.store.sqlite.repair import restore_ledger
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.tables import snapshots
from birthmark.store.tables.database import TABLES

CONTENT = bytes(range(20))
KEY = (CONTENT, "python")
EXTRACTION = PackedExtraction(Level.OUTLINE, b"outline", b"source", None, 1, 4, 2, 1, b"notes")
NOBODY = 65534


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder whose parents everyone may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def log(home: Path) -> RowLog:
    return RowLog(home / "ledger.log")


def open_store(home: Path, *, writable: bool = True, with_log: bool = True) -> SqliteStore:
    return SqliteStore(StoreLocation(home), writable=writable, with_log=with_log)


def fill(store: SqliteStore, number: int = 1) -> None:
    """One run in which an entity is born in a file of its own; all that is new has the same number."""
    path = f"{number}.py"
    with store.writing():
        if number == 1:
            store.put_extractions("x1", [(KEY, EXTRACTION)])
        run = store.begin_run(".", "main", f"r{number}", 100 + number).run
        key = LedgerKey(store.allot_keys(1)[0], f"python:fn:f:__{number}_py", 100, store.allot_identities(1)[0])
        assert run == key.key == key.identity == number
        born = Identity(number, f"bm-{number}", key.text, run, path, 1, 2)
        versions = [Version(0, path, 1, run, (number,))]
        copied = LedgerDerivation(number - 1, number, run, "copied from", 0.5, 1.0, "shared code", "medium")
        store.append_ledger(LedgerEntries(run, [key], [born], versions=versions, derivations=[copied]))


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    store = open_store(home)
    fill(store)
    yield store
    store.close()


def marks(store: SqliteStore) -> list[str]:
    return [found.mark for found in store.identities(range(1, 1000))]


def logged_marks(log: RowLog) -> set[object]:
    return {row[1] for record in log.records() for row in record.get("identities", ())}


def test_what_is_counted_is_read_without_outlines_and_sources(store: SqliteStore) -> None:
    """They are most of a database, and are passed over page by page where a row is read up to its end."""
    for statement in (
        snapshots._NOTES,
        snapshots._COUNTED.format("total(n_entities)"),
    ):  # The plan shows in nothing else.
        plan = [row[3] for row in store.connection.execute(f"EXPLAIN QUERY PLAN {statement}", (1,))]
        assert any("extractions USING COVERING INDEX extraction_counts" in step for step in plan), plan


# The log


def test_a_record_whose_commit_never_came_is_cut_off(home: Path, store: SqliteStore, log: RowLog) -> None:
    before = log.size()
    store.close()
    log.append({"identities": [(2, "bm-2", 2, 1, 1, 1, 2)]}, 2, before)
    open_store(home).close()
    assert log.size() == before


def test_a_torn_record_is_cut_off_and_written_over(home: Path, store: SqliteStore, log: RowLog) -> None:
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


OLD_HEADER = b"birthmark ledger 1\n"


def old_log(records: Iterable[Mapping[str, object]]) -> bytes:
    bodies = [zlib.compress(msgspec.msgpack.encode(record), 1) for record in records]
    return OLD_HEADER + b"".join(struct.pack(">II", len(body), zlib.crc32(body)) + body for body in bodies)


@pytest.mark.parametrize("is_old", [False, True])
def test_a_flipped_byte_costs_one_record(home: Path, store: SqliteStore, log: RowLog, is_old: bool) -> None:
    for number in range(2, 6):
        fill(store, number)
    if is_old:
        log.path.write_bytes(old_log([{"identities": [[n, f"bm-{n}"]]} for n in range(1, 6)]))
    frames = log.read().frames
    content = bytearray(log.path.read_bytes())
    content[frames[2].body + 3] ^= 1
    log.path.write_bytes(content)
    state = log.read()
    assert (len(state.frames), state.n_missing) == (4, 1)
    assert state.n_skipped_bytes == frames[2].end - frames[2].start
    assert logged_marks(log) == {"bm-1", "bm-2", "bm-4", "bm-5"}


@pytest.mark.parametrize("harm", ["doubled", "swapped"])
def test_records_are_read_in_the_order_of_transactions(store: SqliteStore, log: RowLog, harm: str) -> None:
    fill(store, 2)
    frames, content = log.read().frames, log.path.read_bytes()
    first, second = (content[frame.start : frame.end] for frame in frames)
    head = content[: frames[0].start]
    log.path.write_bytes(head + (first + second + second if harm == "doubled" else second + first))
    state = log.read()
    assert ([frame.number for frame in state.frames], state.is_whole) == ([1, 2], False)


def test_an_old_log_is_written_in_the_new_format(home: Path, store: SqliteStore, log: RowLog) -> None:
    fill(store, 2)
    log.path.write_bytes(old_log(log.records()))
    store.connection.execute("DELETE FROM meta WHERE name = 'log_number'")
    store.set_meta("log_end", log.size())
    store.close()
    again = open_store(home)
    assert (again.mended, again.check_integrity()) == ([], [])
    again.close()
    assert not log.read().is_old
    assert logged_marks(log) == {"bm-1", "bm-2"}


def test_both_files_are_read_where_both_are_damaged(home: Path, store: SqliteStore, log: RowLog) -> None:
    for number in range(2, 6):
        fill(store, number)
    store.close()
    (home / "index.db").rename(home / "aside.db")
    content = bytearray(log.path.read_bytes())
    content[log.read().frames[2].body + 3] ^= 1
    log.path.write_bytes(content)
    again = open_store(home, with_log=False)
    restored = restore_ledger(again, log, home / "aside.db")
    assert restored.log_damage.startswith("1 records are missing")
    assert marks(again) == [f"bm-{number}" for number in range(1, 6)]
    again.close()


@pytest.mark.parametrize("harm", ["gone", "shorter", "empty"])
def test_a_log_that_lost_something_is_written_anew(home: Path, store: SqliteStore, log: RowLog, harm: str) -> None:
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
    home: Path, store: SqliteStore, log: RowLog, harm: str
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


def test_the_log_is_written_before_the_commit(home: Path, store: SqliteStore, log: RowLog) -> None:
    """Else a database that is lost right after could have told what no log knows."""
    seen: list[int] = []

    def note() -> bool:
        seen.append(log.size())
        return False

    store.connection.set_commit_hook(note)
    before = log.size()
    fill(store, 2)
    assert seen[-1] == log.size() > before


def test_the_ledger_is_restored_from_its_log(home: Path, store: SqliteStore, log: RowLog) -> None:
    fill(store, 2)
    before = list(store.logged_rows())
    store.close()
    for file in home.glob("index.db*"):
        file.unlink()
    again = open_store(home, with_log=False)
    assert restore_ledger(again, log, None).n_logged > 0
    assert list(again.logged_rows()) == before
    assert marks(again) == ["bm-1", "bm-2"]
    assert again.extractions([KEY], "x1", Level.ENTITIES) == {}  # What was extracted is read again.
    again.close()
    open_store(home).close()
    assert logged_marks(log) == {"bm-1", "bm-2"}


def test_a_ledger_is_salvaged_from_a_damaged_database(home: Path, store: SqliteStore) -> None:
    for number in range(2, 30):
        fill(store, number)
    page = store.connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'reference_names'").get
    store.close()
    database = home / "index.db"
    aside = database.with_name("aside.db")
    database.rename(aside)
    content = bytearray(aside.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = os.urandom(4096)
    aside.write_bytes(content)
    again = open_store(home, with_log=False)
    assert restore_ledger(again, RowLog(home / "no.log"), aside).n_salvaged > 0
    assert len(marks(again)) >= 20
    again.close()


def test_nothing_is_salvaged_from_what_is_no_database(home: Path) -> None:
    (home / "aside.db").write_bytes(b"no database" * 1000)
    store = open_store(home)
    assert restore_ledger(store, RowLog(home / "no.log"), home / "aside.db").n_salvaged == 0
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
    monkeypatch.setattr("birthmark.store.sqlite.store.migrations", lambda: broken)
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
    monkeypatch.setattr("birthmark.store.sqlite.store.migrations", lambda: newer)
    with pytest.raises(BirthmarkError, match="older birthmark; run `birthmark index`"):
        open_store(home, writable=False)
    open_store(home).close()
    reader = open_store(home, writable=False)
    assert marks(reader) == ["bm-1"]
    reader.close()


def test_the_names_of_an_index_that_was_not_searched_yet_are_found_once_it_is_upgraded(
    home: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writing():
        key = LedgerKey(store.allot_keys(1)[0], "python:fn:some_name:__1_py", 100, 1)
        store.append_ledger(LedgerEntries(1, [key]))
    search = next(script for script in migrations() if "searched_names" in script)
    scripts = (*(script for script in migrations() if script != search), search)
    store.connection.execute("DROP TABLE searched_name_trigrams; DROP TABLE searched_names; DROP TABLE searched_texts")
    store.connection.execute("DELETE FROM meta WHERE name = 'last_searched_key'")
    store.connection.execute(f"PRAGMA user_version = {len(scripts) - 1}")
    store.close()
    monkeypatch.setattr("birthmark.store.sqlite.store.migrations", lambda: scripts)
    upgraded = open_store(home)
    assert upgraded.names_like("somename", 9) == ["some_name"]
    upgraded.close()


def test_references_that_were_rows_are_gone_once_the_index_is_upgraded(home: Path) -> None:
    last = next(number for number, script in enumerate(migrations()) if "CREATE TABLE reference_names" in script)
    connection = apsw.Connection(str(home / "index.db"))
    for script in migrations()[:last]:
        connection.execute(script)
    connection.execute(
        "INSERT INTO edges (version, ordinal, edge, name, entity, line) VALUES (7, 0, 'calls', 'f', -1, 1)"
    )
    connection.execute(f"PRAGMA user_version = {last}")
    connection.close()
    upgraded = open_store(home, with_log=False)
    assert upgraded.named_references(7) == []
    upgraded.close()


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


def test_a_full_disk_changes_nothing(home: Path, store: SqliteStore, log: RowLog) -> None:
    size = log.size()
    (n_pages,) = next(iter(store.connection.execute("PRAGMA page_count")))
    store.connection.execute(f"PRAGMA max_page_count = {n_pages}")
    with pytest.raises(StoreError, match="disk is full; what was stored before is kept") as caught:
        fill_up(store)
    assert caught.value.exit_code == 3
    n_kept = store.count_identities()
    store.close()
    again = open_store(home)
    assert len(marks(again)) == n_kept < 999
    assert again.check_integrity() == []
    assert sum(len(record.get("identities", ())) for record in log.records()) == n_kept
    assert log.size() >= size
    again.close()


def test_a_log_that_cannot_be_written_changes_nothing(home: Path, store: SqliteStore, log: RowLog) -> None:
    log.path.unlink()
    log.path.mkdir()
    with pytest.raises(StoreError, match="nothing was stored"):
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
    assert caught.value.exit_code == 2
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
from birthmark.file_lock import writer_lock
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


def test_a_process_that_has_ended_is_not_named(home: Path, holder: subprocess.Popen[str]) -> None:
    (home / "lock").write_text("process 999999999 (birthmark index)")
    with pytest.raises(BirthmarkError, match="written by another process"), writer_lock(home / "lock", 0.1):
        pass


def test_a_disk_that_fails_under_the_lock_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("birthmark.file_lock.os.pwrite", fail)
    with (
        pytest.raises(BirthmarkError, match="No space left on device; check the disk") as caught,
        writer_lock(home / "lock", 0),
    ):
        pass
    assert caught.value.exit_code == 2


def test_threads_of_a_process_exclude_one_another(home: Path) -> None:
    """A server has many, and the system's lock does not distinguish them."""
    with writer_lock(home / "lock", 0), ThreadPoolExecutor(1) as pool:

        def take() -> None:
            with writer_lock(home / "lock", 0.1):
                pass

        with pytest.raises(BirthmarkError, match=f"written by process {os.getpid()}"):
            pool.submit(take).result()


def test_a_lock_ends_with_its_process(home: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    with writer_lock(home / "lock", 10):
        pass


def test_a_lock_is_waited_for(home: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdin is not None
    holder.stdin.close()
    with writer_lock(home / "lock", 30):
        assert str(os.getpid()) in (home / "lock").read_text()
