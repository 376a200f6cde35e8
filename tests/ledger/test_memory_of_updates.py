"""What an update holds in memory follows what it works on: marks take little room, rows of unchanged files none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from birthmark.identity.keys import mint_mark
from birthmark.ledger.file_scan import find_differences
from birthmark.ledger.issue_keys import MarkSet
from birthmark.sources.discover import FoundFile
from birthmark.store.model import SnapshotFile

# Few different parts, so that marks share their first characters and one's end is another's middle.
MARKS = st.text("01", min_size=12, max_size=12).map("bm-".__add__)
PATHS = st.sampled_from("abcdef")


@given(st.lists(MARKS), MARKS)
def test_a_set_of_marks_has_what_was_added(marks: list[str], other: str) -> None:
    known, expected = MarkSet(), set[str]()
    for mark in marks:
        assert (mark in known) == (mark in expected)
        known.add(mark)
        expected.add(mark)
    assert (other in known) == (other in expected)


@given(st.lists(MARKS), st.lists(MARKS))
def test_of_many_marks_each_is_added_once(before: list[str], marks: list[str]) -> None:
    known = MarkSet()
    known.add_first(before)
    others = [number for number, mark in enumerate(marks) if mark in before or mark in marks[:number]]
    assert known.add_first(marks) == others
    assert all(mark in known for mark in (*before, *marks))


def test_a_mark_that_is_taken_moves_on() -> None:
    marks = MarkSet()
    marks.add(mint_mark("python:fn:f:__a_py:T1"))
    assert mint_mark("python:fn:f:__a_py:T1", marks) != mint_mark("python:fn:f:__a_py:T1")


class Files:
    """A worktree of which nothing is read."""

    def __init__(self, times: dict[str, int]) -> None:
        self.found = {path: FoundFile(path, path, 1, at, at, 1, None) for path, at in times.items()}

    def read(self, found: FoundFile) -> bytes:
        raise AssertionError(found.path)

    def is_as_indexed(self, found: FoundFile, row: SnapshotFile) -> bool:
        return found.mtime_ns == row.mtime_ns


def row_of(path: str, at: int, problem: str | None) -> SnapshotFile:
    return SnapshotFile(path, None, 1, at, at, 1, None, b"", "python", 1, problem)


TIMES = st.dictionaries(PATHS, st.integers(1, 2))


@given(TIMES, TIMES, st.sets(PATHS), st.booleans())
def test_rows_are_held_of_what_is_not_as_it_was(
    now: dict[str, int], before: dict[str, int], troubled: set[str], is_sure: bool
) -> None:
    rows = {path: row_of(path, at, "cannot be read" if path in troubled else None) for path, at in before.items()}
    files, held = find_differences(Files(now), iter(rows.values()), is_sure=is_sure)
    same = {path for path, at in now.items() if before.get(path) == at} if is_sure else set()
    assert [file.path for file in files] == [path for path in now if path not in same]
    assert held == {path: row for path, row in rows.items() if path not in same or path in troubled}
