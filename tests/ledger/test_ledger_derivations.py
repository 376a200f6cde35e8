"""What the ledger records of derivations: each once, where it happened, whichever way the index got there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from derived import FIND_PRICE, KINDS, ORDER, ORDER_CALLS

from birthmark.app.workspace.stores import reading
from birthmark.identity.keys import parse_key
from birthmark.vocabulary import DerivationKind
from small_repositories import Commit, Files, make_repository, replay
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

EXTRACTED = f"{ORDER_CALLS}\n\n{FIND_PRICE}"
OTHER = "def other(text):\n    words = text.lower().split()\n    return {word: len(word) for word in words}\n"


def recorded(world: World) -> list[str]:
    """As in `find_price extracted from order 1`, by first names, with the number of the run; 0 is the first."""
    with reading(world.workspace) as store:
        numbers = range(store.count_identities() + 1)
        names = {row.identity: name_of(row.text) for row in reversed(store.keys_of(numbers))}
        first = min(found.run for found in store.identities(numbers))
        return [describe(*row[:4], names, first) for row in store.derivations_of(numbers)]


def name_of(key: str) -> str:
    parts = parse_key(key)
    assert parts is not None
    return parts.qualified_name


def describe(source: int, derivative: int, run: int, kind: str, names: dict[int, str], first: int) -> str:
    ends = [names[source], names[derivative]] if kind.endswith("into") else [names[derivative], names[source]]
    return f"{ends[0]} {kind} {ends[1]} {run - first}"


def diffed(world: World) -> list[str]:
    """What `diff` has of the last commit, in the same words but for the run."""
    diff = world.diff("HEAD~1", "HEAD")
    found = []
    for change in diff.changes:
        for end in change.derived_from:
            assert change.after is not None
            ends = [change.after.qualified_name, end.place.qualified_name]
            ends = ends[::-1] if end.kind.endswith("into") else ends
            found.append(f"{ends[0]} {end.kind} {ends[1]}")
    return sorted(found)


@pytest.mark.parametrize("kind", KINDS)
def test_replay_index_and_diff_find_the_same(kind: DerivationKind, tmp_path: Path) -> None:
    case = KINDS[kind]
    replayed = make_repository(tmp_path / "replayed", [case.before, case.after])
    without_index = diffed(replayed)
    replay(replayed.root)
    indexed = World(tmp_path / "indexed", case.before)
    indexed.index()
    for path in case.before.keys() - case.after.keys():
        indexed.remove(path)
    for path, text in case.after.items():
        indexed.write(path, text)
    indexed.index()
    ends = [case.source, case.derivative] if kind.endswith("into") else [case.derivative, case.source]
    assert f"{ends[0]} {kind} {ends[1]} 1" in recorded(replayed)
    assert recorded(replayed) == recorded(indexed)
    assert diffed(replayed) == without_index == sorted(text.rpartition(" ")[0] for text in recorded(replayed))


BEFORE: Files = {"a.py": ORDER, "b.py": OTHER}
AFTER: Files = {"a.py": EXTRACTED, "b.py": OTHER}
CHANGED: Files = {"a.py": ORDER, "b.py": OTHER.replace("lower", "upper")}
BOTH: Files = {"a.py": EXTRACTED, "b.py": OTHER.replace("lower", "upper")}
INLINED = "find_price inlined into order"

HISTORIES: dict[str, tuple[list[Commit | Files], list[str]]] = {
    "a merge does not repeat what a branch did": (
        [BEFORE, CHANGED, Commit(AFTER, (0,)), Commit(BOTH, (1, 2))],
        ["find_price extracted from order 2"],
    ),
    "nor where both sides changed the file": (
        [
            {"a.py": ORDER + OTHER},
            {"a.py": ORDER + OTHER.replace("lower", "upper")},
            Commit({"a.py": EXTRACTED + OTHER}, (0,)),
            Commit({"a.py": EXTRACTED + OTHER.replace("lower", "upper")}, (1, 2)),
        ],
        ["find_price extracted from order 2"],
    ),
    "nor where code went into what is in both": (
        [
            {"a.py": EXTRACTED + OTHER},
            {"a.py": EXTRACTED + OTHER.replace("lower", "upper")},
            Commit({"a.py": ORDER + OTHER}, (0,)),
            Commit({"a.py": ORDER + OTHER.replace("lower", "upper")}, (1, 2)),
        ],
        [f"{INLINED} 2"],
    ),
    "a merge records what it extracts itself": (
        [BEFORE, CHANGED, Commit({**BEFORE, "c.py": "x = 1\n"}, (0,)), Commit({**BOTH, "c.py": "x = 1\n"}, (1, 2))],
        ["find_price extracted from order 3"],
    ),
    "what is back derives from nothing": (
        [BEFORE, AFTER, BEFORE, AFTER],
        ["find_price extracted from order 1", f"{INLINED} 2"],
    ),
    "what is copied in the first commit derives from nothing": ([{"a.py": ORDER, "b.py": ORDER}], []),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_what_a_replay_records(name: str, tmp_path: Path) -> None:
    commits, expected = HISTORIES[name]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    assert recorded(world) == expected


def test_who_changes_between_branches_finds_nothing_twice(tmp_path: Path) -> None:
    world = World(tmp_path / "root", {"a.py": EXTRACTED})
    for text in (EXTRACTED, ORDER) * 3:
        world.write("a.py", text)
        world.index()
    assert recorded(world) == [f"{INLINED} 1"]
