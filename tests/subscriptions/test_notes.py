"""Notes by themselves: when one is stale, what its text may be, and how a team keeps them in `birthmark.toml`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.identity.fingerprints import Fingerprint
from birthmark.subscriptions.model import Accepted, AcceptedFingerprints, Semantic, Subscription
from birthmark.subscriptions.notes import LONGEST_NOTE, Note, change_since, clean_text, refs_of
from birthmark.subscriptions.team_file import read_team, write_team
from birthmark.vocabulary import Aspect, NoteMatch
from worlds import run_git

FILE = "birthmark.toml"

# What is stale

THEN = Fingerprint("c", "i", "b", "d", "t", 1)


def accepted(fingerprint: Fingerprint) -> Accepted:
    found = fingerprint
    prints = AcceptedFingerprints(
        found.interface, found.content, found.text, "x", found.version, found.body, found.documentation
    )
    return Accepted(path="a.py", semantic=Semantic("python", "fn", "f", prints))


@pytest.mark.parametrize(
    ("now", "aspects", "is_stale"),
    [
        ({}, (), False),
        ({"text": "T"}, (Aspect.FORMATTING,), False),
        ({"text": "T", "documentation": "D"}, (Aspect.DOCUMENTATION,), False),
        ({"text": "T", "content": "C", "body": "B"}, (Aspect.BODY,), True),
        ({"text": "T", "content": "C", "interface": "I"}, (Aspect.INTERFACE,), True),
        ({"text": "T", "content": "C"}, (), False),  # another name
        ({"version": 2, "content": "C", "body": "B"}, (), False),  # the same text
        ({"version": 2, "text": "T"}, (), True),
    ],
)
def test_the_interface_and_the_body_make_it_stale(
    now: dict[str, object], aspects: tuple[Aspect, ...], is_stale: bool
) -> None:
    assert change_since(accepted(THEN), msgspec.structs.replace(THEN, **now)) == (aspects, is_stale)


def test_what_was_accepted_by_another_version_is_read_again() -> None:
    now = msgspec.structs.replace(THEN, version=2, text="T", body="B", content="C")
    same_code = msgspec.structs.replace(now, text="t")
    assert change_since(accepted(THEN), now, same_code) == ((Aspect.FORMATTING,), False)
    other_code = msgspec.structs.replace(now, body="b", content="c")
    assert change_since(accepted(THEN), now, other_code) == ((Aspect.BODY,), True)


def test_the_surest_ref_comes_first() -> None:
    place = Accepted(path="a b.py", mark="bm-7k3q9w2m4x8p", semantic=accepted(THEN).semantic)
    note = Note(id="note-1", text="x", key="python:fn:f:__a_py:T1", accepted=place)
    assert list(refs_of(note).items()) == [
        (NoteMatch.MARK, "bm-7k3q9w2m4x8p"),
        (NoteMatch.KEY, "python:fn:f:__a_py:T1"),
        (NoteMatch.NAME, ":/a b.py::f"),
    ]
    assert refs_of(Note(id="note-1", text="x")) == {}


@pytest.mark.parametrize("other", ["g", "b.py::g", "../b.py:1", "--all", "bm-\n", ""])
def test_what_is_no_mark_or_key_is_not_taken_for_one(other: str) -> None:
    assert refs_of(Note(id="note-1", text="x", key=other, accepted=Accepted(mark=other))) == {}


# Texts


@pytest.mark.parametrize("text", ["", " \n\t ", "a\0b", "\udc80", "x" * (LONGEST_NOTE + 1)])
def test_a_text_that_cannot_be_a_note_is_refused(text: str) -> None:
    with pytest.raises(BirthmarkError, match=r"^the note .*; write"):
        clean_text(text)


def test_line_ends_of_forms_become_ordinary_ones() -> None:
    assert clean_text("  a\r\n\r\n  b\rc \r\n") == "a\n\n  b\nc"


# In the file of a team

HOSTILE = [
    '"""',
    "'''",
    "\\",
    "\n[notes.note-1]\n",
    "\r",
    "\u2028[notes.x]",
    "\x85[tool]",
    "# no",
    "]",
    "\x7f",
    "\x1b[2J",
]
texts = (
    st.lists(st.sampled_from(HOSTILE) | st.text(st.characters(codec="utf-8"), max_size=5), min_size=1, max_size=4)
    .map("".join)
    .filter(lambda text: text.strip() and "\0" not in text)
    .map(clean_text)
)
ids = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=10, max_size=10)
notes = st.builds(
    Note,
    id=ids.map("note-{}".format),
    text=texts,
    author=st.none() | texts,
    created_at=texts,
    key=st.none() | texts,
    accepted=st.builds(Accepted, path=texts, mark=st.none() | texts, files=st.dictionaries(texts, texts, max_size=2)),
)
groups = st.lists(notes, max_size=3, unique_by=lambda one: one.id)
watched = st.lists(
    st.builds(Subscription, id=ids.map("sub-{}".format), ref=texts), max_size=2, unique_by=lambda one: one.id
)
OTHERS = ["", "# Ours.\n[limits]\nmax_bytes = 1\n", "[notesx]\na = 1\n"]


@given(st.sampled_from(OTHERS), watched, groups, groups)
def test_notes_and_subscriptions_come_back_as_they_were(
    other: str, subscriptions: list[Subscription], first: list[Note], second: list[Note]
) -> None:
    text = write_team(write_team(other, FILE, first), FILE, subscriptions)
    assert text == write_team(write_team(other, FILE, subscriptions), FILE, first)
    kept = {one.id for one in second}
    text = write_team(text, FILE, second, [one for one in first if one.id not in kept])
    assert read_team(text, FILE, Note).items == sorted(second, key=lambda one: one.id)
    assert read_team(text, FILE, Subscription).items == sorted(subscriptions, key=lambda one: one.id)
    rest = write_team(text, FILE, [], [*second, *subscriptions])
    assert rest.rstrip("\n") == other.rstrip("\n")


@given(texts)
@settings(deadline=None)
def test_a_stored_text_is_clean(text: str) -> None:
    """Cleaning it again changes nothing, and a database gives it back as it was."""
    note = Note(id="note-1", text=text)
    assert clean_text(text) == text
    assert msgspec.json.decode(msgspec.json.encode(note), type=Note) == note


def entry(number: int, text: str = "x") -> Note:
    return Note(id=f"note-{number:010}", text=f"{text} {number}", author="Ada")


def merge(root: Path, base: str, ours: str, theirs: str) -> tuple[int, str]:
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (root / name).write_text(text, "utf-8")
    try:
        return 0, run_git(root, "merge-file", "-p", "ours", "base", "theirs") + "\n"
    except subprocess.CalledProcessError as error:
        return error.returncode, error.stdout


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ([3], [1], [5], [1, 3, 5]),
        ([3, 6], [4], [8], [3, 4, 6, 8]),
    ],
)
def test_two_branches_that_each_write_some_merge_cleanly(
    tmp_path: Path, base: list[int], ours: list[int], theirs: list[int], expected: list[int]
) -> None:
    text = write_team("[limits]\nmax_bytes = 1\n", FILE, [Subscription(id="sub-1", ref="f"), *map(entry, base)])
    sides = [write_team(text, FILE, map(entry, side)) for side in (ours, theirs)]
    conflicts, merged = merge(tmp_path, text, *sides)
    assert (conflicts, read_team(merged, FILE, Note).items) == (0, list(map(entry, expected)))
    assert write_team(merged, FILE, []) == merged


def test_one_branch_edits_a_note_and_one_subscribes(tmp_path: Path) -> None:
    text = write_team("", FILE, [Subscription(id="sub-1", ref="f"), entry(1), entry(2)])
    ours = write_team(text, FILE, [entry(2, "edited")])
    theirs = write_team(text, FILE, [Subscription(id="sub-0", ref="g")])
    conflicts, merged = merge(tmp_path, text, ours, theirs)
    assert (conflicts, [one.text for one in read_team(merged, FILE, Note).items]) == (0, ["x 1", "edited 2"])
    assert [one.id for one in read_team(merged, FILE, Subscription).items] == ["sub-0", "sub-1"]


def problem_in(text: str) -> str:
    """What is said of the file, or of its one broken entry."""
    try:
        found = read_team(text, FILE, Note)
    except BirthmarkError as error:
        return str(error)
    assert found.items == []
    (one,) = found.problems
    return f"{one.path}: {one.problem}"


def test_a_note_is_a_table_that_begins_with_its_text() -> None:
    assert write_team("", FILE, [entry(1, "a\nb")]) == ('[notes.note-0000000001]\ntext = "a\\nb 1"\nauthor = "Ada"\n')


@pytest.mark.parametrize("text", ["[notes.a]\nauthor = 'x'\n", "notes = 1\n", "[notes.a]\ntext = 1\n"])
def test_a_broken_entry_is_named_in_one_line_and_nothing_is_written(text: str) -> None:
    assert re.fullmatch(rf"{FILE}: .*notes.*correct th.*", problem_in(text))
    with pytest.raises(BirthmarkError, match="notes"):
        write_team(text, FILE, [Subscription(id="sub-1", ref="f")])
    assert read_team(text, FILE, Subscription).items == []
