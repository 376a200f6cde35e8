"""A range of lines through edits of its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.comparison.patch import hunks_between, lines_of
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.lines import follow_hunks, is_cosmetic
from examples import n_examples
from scanning import QUIET, Told, accept, assert_settles, current, make, scan, subscribe, told

some_lines = st.lists(st.sampled_from(["a", "b", "c", "", "}"]), max_size=12)


# Hunks


@given(some_lines, some_lines, st.data())
@settings(deadline=None, max_examples=n_examples(300))
def test_a_range_that_no_hunk_touches_has_the_same_text(old: list[str], new: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, max(1, len(old))))
    last = data.draw(st.integers(first, max(first, len(old))))
    followed = follow_hunks(hunks_between(old, new), first, last)
    if old and not followed.hunks:
        assert followed.lines is not None
        assert new[followed.lines[0] - 1 : followed.lines[1]] == old[first - 1 : last]


@given(some_lines, some_lines, st.data())
@settings(deadline=None, max_examples=n_examples(300))
def test_a_followed_range_is_in_the_file(old: list[str], new: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, max(1, len(old))))
    last = data.draw(st.integers(first, max(first, len(old))))
    followed = follow_hunks(hunks_between(old, new), first, last)
    if old and followed.lines is not None:
        assert 1 <= followed.lines[0] <= followed.lines[1] <= len(new)


@given(some_lines, some_lines)
@settings(deadline=None, max_examples=n_examples(300))
def test_hunks_make_the_new_lines_of_the_old(old: list[str], new: list[str]) -> None:
    made, at = [], 0
    for hunk in hunks_between(old, new):
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        made += old[at:start]
        new_start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
        assert len(made) == new_start
        made += new[new_start : new_start + hunk.new_count]
        at = start + hunk.old_count
    assert made + old[at:] == new


# The range is `c d e`, lines 3 to 5 of eight.
OLD = "abcdefgh"
FOLLOWED = {
    "unchanged": ("abcdefgh", (3, 5), 0),
    "insert before": ("xabcdefgh", (4, 6), 0),
    "insert at the upper edge": ("abXcdefgh", (4, 6), 0),
    "insert at the lower edge": ("abcdeXfgh", (3, 5), 0),
    "insert strictly inside": ("abcXdefgh", (3, 6), 1),
    "two inserts inside": ("abcXdYefgh", (3, 7), 2),
    "insert behind": ("abcdefghX", (3, 5), 0),
    "delete before": ("bcdefgh", (2, 4), 0),
    "delete all before": ("cdefgh", (1, 3), 0),
    "delete behind": ("abcde", (3, 5), 0),
    "delete the first": ("abdefgh", (3, 4), 1),
    "delete the last": ("abcdfgh", (3, 4), 1),
    "delete in the middle": ("abcefgh", (3, 4), 1),
    "delete across the upper edge": ("adefgh", (2, 3), 1),
    "delete across the lower edge": ("abcdgh", (3, 4), 1),
    "delete the whole range": ("abfgh", None, 1),
    "delete more than the range": ("agh", None, 1),
    "delete everything": ("", None, 1),
    "replace the first": ("abXdefgh", (3, 5), 1),
    "replace the last": ("abcdXfgh", (3, 5), 1),
    "replace the line before": ("aXcdefgh", (3, 5), 0),
    "replace the line behind": ("abcdeXgh", (3, 5), 0),
    "replace across the upper edge": ("aXYdefgh", (2, 5), 1),
    "replace across the lower edge": ("abcdXYgh", (3, 6), 1),
    "replace the whole range": ("abXYZfgh", (3, 5), 1),
    "replace it by fewer": ("abXfgh", (3, 3), 1),
    "replace it by more": ("abUVWXYfgh", (3, 7), 1),
    "replace everything": ("UVWXY", (1, 5), 1),
    "insert before and delete behind": ("xyabcdefh", (5, 7), 0),
}


@pytest.mark.parametrize(("new", "lines", "n_touching"), FOLLOWED.values(), ids=FOLLOWED)
def test_a_range_is_followed(new: str, lines: tuple[int, int] | None, n_touching: int) -> None:
    followed = follow_hunks(hunks_between(OLD, new), 3, 5)
    assert (followed.lines, len(followed.hunks)) == (lines, n_touching)


@pytest.mark.parametrize(("new", "is_touched"), [("aXb", False), ("Xab", False), ("ab", False), ("Xb", True)])
def test_a_range_of_one_line_has_no_inside(new: str, is_touched: bool) -> None:
    assert bool(follow_hunks(hunks_between("ab", new), 1, 1).hunks) is is_touched


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (["a", "b"], ["a ", "", "b\t"], True),
        (["a", "b"], ["  a", "b"], False),
        (["a"], ["b"], False),
        ([], ["", " "], True),
    ],
)
def test_what_is_cosmetic(old: list[str], new: list[str], expected: bool) -> None:
    assert is_cosmetic(old, new) is expected


def test_large_files_are_compared_in_time() -> None:
    old = [f"line {number}" for number in range(6_000)]
    new = [f"line {number * 7 % 6_000}" for number in range(6_000)]
    assert hunks_between(old, new)
    braces = ["{", "}"] * 1_500
    assert hunks_between(braces, ["x", *reversed(braces), "y"])


def test_lines_are_counted_as_editors_do() -> None:
    assert lines_of(b"a\r\nb\x0cc\n\xe9") == ["a", "b\x0cc", "\\xe9"]


# Scans

TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
SCANNED = {
    "unchanged": (TEXT, QUIET),
    "shifted": ("zero\n" + TEXT, Told(None, (), ("line_shift",), "F:4-6", "high")),
    "shifted upwards": (TEXT.removeprefix("one\n"), Told(None, (), ("line_shift",), "F:2-4", "high")),
    "insert at the upper edge": (
        TEXT.replace("three", "x\nthree"),
        Told(None, (), ("line_shift",), "F:4-6", "high"),
    ),
    "insert at the lower edge": (TEXT.replace("five", "five\nx"), QUIET),
    "insert inside": (
        TEXT.replace("four", "x\nfour"),
        Told("CONTENT", ("insert_inside",), ("line_shift",), "F:3-6", "medium"),
    ),
    "replaced": (TEXT.replace("four", "x"), Told("CONTENT", ("overlap",))),
    "shifted and replaced": (
        "zero\n" + TEXT.replace("four", "x"),
        Told("CONTENT", ("overlap",), ("line_shift",), "F:4-6", "medium"),
    ),
    "space at an end": (TEXT.replace("four", "four  "), QUIET),
    "end deleted": (
        TEXT.replace("five\n", ""),
        Told("CONTENT", ("overlap",), ("line_shift",), "F:3-4", "medium"),
    ),
    "all deleted": (TEXT.replace("three\nfour\nfive\n", ""), Told("MISSING", ("overlap", "lines_missing"))),
    "emptied": ("", Told("MISSING", ("overlap", "lines_missing"))),
    "other line ends": (TEXT.replace("\n", "\r\n"), QUIET),
    "no final newline": (TEXT.rstrip("\n"), QUIET),
}


@pytest.mark.parametrize("path", ["a.py", "Makefile", "conf/app.yaml", "notes.txt"])
@pytest.mark.parametrize(("after", "expected"), SCANNED.values(), ids=SCANNED)
def test_a_scan_tells(tmp_path: Path, path: str, after: str, expected: Told) -> None:
    """In files of every sort."""
    world = make(tmp_path, {path: TEXT, "other.py": "x = 1\n"})
    subscribe(world, f"{path}:3-5")
    (world.root / path).write_bytes(after.encode())
    place = expected.place and expected.place.replace("F", path)
    assert told(scan(world)) == expected._replace(place=place)
    if expected != QUIET and expected.change != "MISSING":
        assert_settles(world)


def test_hunks_are_told(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.txt": TEXT})
    subscribe(world, "a.txt:3-5")
    world.write("a.txt", "zero\n" + TEXT.replace("four", "x\ny"))
    [trigger] = scan(world).triggers
    assert [(hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) for hunk in trigger.matching_hunks] == [
        (4, 1, 5, 2)
    ]


@pytest.mark.parametrize(
    ("before", "ref", "after", "change"),
    [
        ("a\nb", "a.txt:2", "a\nc\n", "CONTENT"),
        ("a\nb\n", "a.txt:2", "a\nc", "CONTENT"),
        ("a\nb", "a.txt:2", "a\nb\n", None),
        ("a\nb\n", "a.txt:2", "a\nb", None),
        ("a\nb", "a.txt:1-2", "", "MISSING"),
        ("a\nb\n", "a.txt:1-2", "", "MISSING"),
        ("a\nb", "a.txt:2", "a\n", "MISSING"),
        ("a\nb", "a.txt:2", "a", "MISSING"),
        ("a\nb", "a.txt:2", "a\nb\nc\n", None),
        ("a\nb\n\n", "a.txt:2-3", "a\nb\n", "COSMETIC"),
        ("a", "a.txt:1", "\n", "CONTENT"),
        ("a", "a.txt:1", "\n\n\n", "CONTENT"),
    ],
)
def test_the_end_of_a_file(tmp_path: Path, before: str, ref: str, after: str, change: str | None) -> None:
    world = make(tmp_path, {"a.txt": before})
    subscribe(world, ref, cosmetic=True)
    world.write("a.txt", after)
    assert told(scan(world)).change == change
    if change in ("CONTENT", "COSMETIC"):
        assert_settles(world)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (b"a\n\xe9\xff\nb\n", b"x\na\n\xe9\xff\nb\n", Told(None, (), ("line_shift",), "a.txt:3-3", "high")),
        (b"a\n\xe9\xff\nb\n", b"a\n\xe9\xfe\nb\n", Told("CONTENT", ("overlap",))),
        (b"a\r\nb\r\nc\r\n", b"x\r\na\r\nb\r\nc\r\n", Told(None, (), ("line_shift",), "a.txt:3-3", "high")),
        (b"a\r\nb\r\nc\r\n", b"a\nb\nc\n", QUIET),
        (b"a\nb\x00b\nc\n", b"a\nb\x00c\nc\n", Told("CONTENT", ("overlap",))),
    ],
)
def test_bytes_of_every_sort(tmp_path: Path, before: bytes, after: bytes, expected: Told) -> None:
    world = make(tmp_path, {"b.py": "x = 1\n"})
    (tmp_path / "a.txt").write_bytes(before)
    world.commit()
    subscribe(world, "a.txt:2")
    (tmp_path / "a.txt").write_bytes(after)
    assert told(scan(world)) == expected
    if expected != QUIET:
        assert_settles(world)


@pytest.mark.parametrize("path", ["a.py", "Makefile", "conf/app.yaml"])
@pytest.mark.parametrize("is_committed", [False, True])
def test_a_file_that_is_gone_or_renamed(tmp_path: Path, path: str, is_committed: bool) -> None:
    text = "def f(a):\n    b = a\n    return b\n"
    world = make(tmp_path, {path: text, "other.py": "x = 1\n"})
    subscribe(world, f"{path}:2-3")
    new = "deep/" + path.replace("a.py", "b.py")
    world.move(path, new)
    if is_committed:
        world.commit()
    assert told(scan(world)) == Told(None, (), ("rename",), f"{new}:2-3", "high")
    assert_settles(world)
    world.remove(new)
    assert told(scan(world)) == Told("MISSING", ("file_deleted",))


def test_a_file_that_is_renamed_and_changed(tmp_path: Path) -> None:
    text = "def f(a):\n    b = a\n    return b\n\n\ndef g(a):\n    for b in a:\n        h(b)\n"
    world = make(tmp_path, {"a.py": text})
    subscribe(world, "a.py:2-3")
    world.remove("a.py")
    world.write("b.py", "import h\n\n" + text.replace("return b", "return -b"))
    assert told(scan(world)) == Told("CONTENT", ("overlap",), ("rename",), "b.py:4-5", "medium")
    assert_settles(world)


def test_a_range_that_moves_down_with_other_lines_is_known_by_its_text(tmp_path: Path) -> None:
    """Where the base is not what was accepted, text and anchors tell where it is."""
    world = make(tmp_path, {"a.txt": TEXT})
    base = world.git("rev-parse", "HEAD")
    world.write("a.txt", "x\n" * 5 + TEXT)
    world.commit()
    subscription = subscribe(world, "a.txt:8-10")
    world.write("a.txt", "x\n" * 9 + TEXT)
    world.commit()
    assert told(scan(world, base, "HEAD")).place == "a.txt:12-14"
    accept(world)
    assert (current(world, subscription).accepted.start_line, scan(world).findings) == (12, ())


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("a.txt:0", "the file has lines 1 to 7; name some of them"),
        ("a.txt:5-3", "the file has lines 1 to 7; name some of them"),
        ("a.txt:6-8", "the file has lines 1 to 7; name some of them"),
        ("empty.txt:1", "is empty, so it has no lines"),
        ("none.txt:1", "none.txt: there is no such file in the worktree; name one by its path"),
        ("../a.txt:1", "is outside the repository; name a path in it"),
        ("sub:1", "there is no such file in the worktree"),
        ("a.txt:99999999999999999999", "the file has lines 1 to 7; name some of them"),
    ],
)
def test_lines_that_are_not_there(tmp_path: Path, ref: str, message: str) -> None:
    world = make(tmp_path, {"a.txt": TEXT, "empty.txt": "", "sub/b.txt": "b\n"})
    with pytest.raises(BirthmarkError, match=message):
        subscribe(world, ref)
