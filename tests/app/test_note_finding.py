"""Notes in a repository: they follow what they are about, and say what has become of it since."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from birthmark.app.notes import FoundNote, delete_note, edit_note, find_notes, keep_note, notes_on, write_note
from birthmark.app.scans.subscription_repository import SubscriptionRepository
from birthmark.app.workspace.stores import subscription_store
from birthmark.errors import BirthmarkError, NotFoundError
from scanning import scan, subscribe
from worlds import World

F = """def f(a, b):
    '''Doc.'''
    total = a * b + 1
    for item in sorted(b.items, key=a.rank):
        total += item.price * item.amount
        a.log.append((item.name, total))
    return total - a
"""
G = "def g(x):\n    return [x for _ in range(x)]\n"
FILE = "birthmark.toml"


class Expected(NamedTuple):
    """What is said of a note on `f`: where `f` is, and what of it has changed."""

    place: str | None = "a.py::f"
    status: str = "present"
    aspects: tuple[str, ...] = ()
    is_stale: bool = False


def make(root: Path, files: dict[str, str], *, with_git: bool = True) -> World:
    world = World(root, files, with_git=with_git)
    if with_git:
        world.commit()
    world.index()
    return world


def write(world: World, ref: str, text: str = "Why it is so.", *, team: bool = False) -> FoundNote:
    with world.session() as session:
        return write_note(session, ref, text, team=team)


def find(world: World, ref: str | None = None, *, stale_only: bool = False) -> list[FoundNote]:
    with world.session() as session:
        return find_notes(session, ref, stale_only=stale_only)


def seen(found: FoundNote) -> Expected:
    entity = found.indexed.entity if found.indexed is not None else None
    place = f"{entity.path}::{entity.qualified_name}" if entity is not None else None
    return Expected(place, str(found.status), tuple(map(str, found.aspects)), found.is_stale)


# Each is the files after an edit; before, `f` and `g` are in `a.py`.
CASES = {
    "nothing": ({"a.py": f"{F}\n\n{G}"}, Expected()),
    "other lines": ({"a.py": f"import os\n\n\n{G}\n\n{F}"}, Expected()),
    "body": ({"a.py": F.replace("+ 1", "+ 2") + f"\n\n{G}"}, Expected(aspects=("body",), is_stale=True)),
    "interface": ({"a.py": F.replace("a, b", "a, b=2") + f"\n\n{G}"}, Expected(aspects=("interface",), is_stale=True)),
    "documentation": ({"a.py": F.replace("Doc", "Docs") + f"\n\n{G}"}, Expected(aspects=("documentation",))),
    "formatting": ({"a.py": F.replace("a * b + 1", "a*b + 1") + f"\n\n{G}"}, Expected(aspects=("formatting",))),
    "comment": ({"a.py": F.replace("+ 1", "+ 1  # one") + f"\n\n{G}"}, Expected(aspects=("formatting",))),
    "renamed": ({"a.py": F.replace("def f", "def better") + f"\n\n{G}"}, Expected("a.py::better")),
    "moved": ({"a.py": G, "lib/b.py": F}, Expected("lib/b.py::f")),
    "moved, renamed and edited": (
        {"a.py": G, "b.py": F.replace("def f", "def h").replace("- a", "- b")},
        Expected("b.py::h", aspects=("body",), is_stale=True),
    ),
    "deleted": ({"a.py": G}, Expected(None, "gone", (), True)),
}


@pytest.mark.parametrize("with_git", [True, False], ids=["git", "folder"])
@pytest.mark.parametrize("team", [False, True], ids=["personal", "team"])
@pytest.mark.parametrize(("after", "expected"), CASES.values(), ids=CASES)
def test_a_note_follows_what_it_is_about(
    tmp_path: Path, after: dict[str, str], expected: Expected, team: bool, with_git: bool
) -> None:
    world = make(tmp_path, {"a.py": f"{F}\n\n{G}"}, with_git=with_git)
    mark = world.mark("f")
    assert seen(write(world, "f", team=team)) == Expected()
    world.remove("a.py")
    for path, text in after.items():
        world.write(path, text)
    world.index()
    [found] = find(world)
    assert (seen(found), found.mark, found.matched_by) == (expected, mark, "mark")
    assert [one.note.id for one in find(world, stale_only=True)] == ([found.note.id] if expected.is_stale else [])
    with world.session() as session:
        assert [one.note.id for one in notes_on(session, mark)] == [found.note.id]


def test_the_change_since_is_shown(tmp_path: Path) -> None:
    """Also of code that was never committed."""
    world = make(tmp_path, {"a.py": F})
    world.replace("a.py", "+ 1", "+ 5")
    world.index()
    write(world, "f")
    world.replace("a.py", "+ 5", "+ 6")
    world.commit()
    world.index()
    patch = find(world)[0].patch
    assert patch is not None
    changed = [sign + text for hunk in patch.hunks for sign, text in hunk.lines if sign != " "]
    assert changed == ["-    total = a * b + 5", "+    total = a * b + 6"]


def test_what_has_the_code_of_something_deleted_is_said(tmp_path: Path) -> None:
    body = "".join(f"    total += a * {n} - b.rate_{n}\n" for n in range(12))
    world = make(tmp_path, {"a.py": f"def f(a, b):\n    total = 0\n{body}    return total\n\n\n{G}"})
    write(world, "f")
    world.write("a.py", f"def g(x, a, b):\n    total = 0\n{body}    return [total for _ in range(x)]\n")
    world.index()
    [found] = find(world)
    assert found.status == "gone"
    assert found.answer is not None
    assert [one.end.place.qualified_name for one in found.answer.resolved.descent.carriers] == ["g"]
    assert [one.note.id for one in find(world, found.mark)] == [found.note.id]


def test_a_note_that_is_kept_is_no_longer_stale(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": F})
    note = write(world, "f").note
    world.write("b.py", F.replace("+ 1", "+ 2").replace("def f", "def h"))
    world.remove("a.py")
    world.index()
    with world.session() as session:
        assert edit_note(session, note.id, "Other words.").is_stale
        kept = keep_note(session, note.id.removeprefix("note-")[:5])
    assert (kept.note.text, kept.note.created_at) == ("Other words.", note.created_at)
    assert seen(kept) == Expected("b.py::h")
    assert kept.note.key == world.key("h")
    world.replace("b.py", "+ 2", "+ 3")
    world.index()
    assert seen(find(world)[0]) == Expected("b.py::h", aspects=("body",), is_stale=True)


def test_what_is_gone_cannot_be_kept(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": f"{F}\n\n{G}"})
    note = write(world, "f").note
    world.write("a.py", G)
    world.index()
    with world.session() as session, pytest.raises(BirthmarkError, match=r"a\.py::f is gone"):
        keep_note(session, note.id)
    with world.session() as session:
        assert delete_note(session, note.id).note == note
        with pytest.raises(NotFoundError, match="no such note"):
            delete_note(session, note.id)
    assert find(world) == []


def test_contents_are_kept_as_long_as_a_note_needs_them(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": F}, with_git=False)
    notes = [write(world, "f").note for _ in range(2)]
    content = notes[0].accepted.files["a.py"]
    for number, note in enumerate(notes):
        with subscription_store(world.workspace) as store:
            assert (store.content(content) is not None) == (number < 2)
        with world.session() as session:
            delete_note(session, note.id)
    with subscription_store(world.workspace) as store:
        assert not store.has_contents()


def test_a_subscription_beside_it_is_left_alone(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": F})
    write(world, "f", team=True)
    subscription = subscribe(world, "a.py::f", team=True)
    world.replace("a.py", "+ 1", "+ 2")
    assert [one.subscription_id for one in scan(world).triggers] == [subscription.id]
    world.index()
    assert [seen(one).is_stale for one in find(world)] == [True]
    with world.session() as session:
        keep_note(session, find(world)[0].note.id)
    assert len(scan(world).triggers) == 1


# In another clone, whose index has other marks


def clone_of(world: World, root: Path) -> World:
    world.git("add", FILE)
    world.git("commit", "-q", "--allow-empty", "-m", "notes")
    world.git("clone", "-q", str(world.root), str(root))
    clone = World(root)
    clone.now += 12345
    clone.index()
    return clone


@pytest.mark.parametrize("folder", ["", "lib/"])
def test_a_clone_finds_the_notes_of_a_team_by_name(tmp_path: Path, folder: str) -> None:
    world = make(tmp_path / "one", {f"{folder}a.py": f"{F}\n\n{G}"})
    note = write(world, "f", team=True).note
    clone = clone_of(world, tmp_path / "other")
    assert clone.mark("f") != world.mark("f")
    [found] = find(clone)
    assert (found.matched_by, found.mark, seen(found)) == ("name", clone.mark("f"), Expected(f"{folder}a.py::f"))
    clone.replace(f"{folder}a.py", "+ 1", "+ 2")
    clone.replace(f"{folder}a.py", "def f", "def h")
    clone.index()
    [found] = find(clone, "h")
    assert (found.matched_by, found.note.id) == ("name", note.id)  # by a former name
    assert seen(found) == Expected(f"{folder}a.py::h", aspects=("body",), is_stale=True)
    assert found.patch is not None
    with clone.session() as session:
        assert keep_note(session, note.id).matched_by == "mark"
    assert [note.accepted.mark for note, _ in SubscriptionRepository(clone.workspace).notes()] == [clone.mark("h")]


def test_of_several_of_a_name_the_one_with_the_code_is_it(tmp_path: Path) -> None:
    overloads = "class A {\n  int f(int a) { return a + 1; }\n  int f(String b) { return b.size(); }\n}\n"
    world = make(tmp_path / "one", {"A.java": overloads})
    mark = next(one for name, one in world.marks().items() if name.endswith("f#1"))
    write(world, mark, team=True)
    clone = clone_of(world, tmp_path / "other")
    [found] = find(clone)
    assert (found.matched_by, found.indexed and found.indexed.entity.start_line) == ("name", 3)
    clone.replace("A.java", "b.size()", "b.length()")
    clone.replace("A.java", "a + 1", "a + 2")
    clone.index()
    assert seen(find(clone)[0]) == Expected(None, "ambiguous", (), True)


def test_what_a_clone_never_had_is_unknown(tmp_path: Path) -> None:
    world = make(tmp_path / "one", {"a.py": F, "b.py": G})
    write(world, "f", team=True)
    world.remove("a.py")
    world.commit()
    clone = clone_of(world, tmp_path / "other")
    [found] = find(clone)
    assert (seen(found), found.matched_by, found.mark) == (Expected(None, "unknown", (), True), None, None)
