"""What folders exchanged, in few enough rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from birthmark.comparison.entity_changes import EntityChange
from birthmark.model import Location
from birthmark.surfaces.formats.pictures.exchange import MOST_ROWS, count_exchange
from birthmark.vocabulary import Aspect, Change

PATHS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5).map(lambda parts: "/".join(parts) + ".py")


def _change(before: str | None, after: str | None, *aspects: Aspect) -> EntityChange:
    old, new = (None if path is None else Location(path, "f", 1, 2) for path in (before, after))
    word = Change.ADDED if before is None else Change.DELETED if after is None else Change.RELOCATED
    return EntityChange(Change.MOVED if before == after else word, "fn", "python", old, new, aspects)


def test_folders_are_as_deep_as_leaves_few_rows() -> None:
    wide = [_change(None, f"src/pkg{n}/mod/x.py") for n in range(20)]
    assert {one.name for one in count_exchange(wide)[0]} == {f"src/pkg{n}/mod" for n in range(20)}
    wider = [_change(None, f"src/pkg{n}/mod{n}/x.py") for n in range(40)]
    assert [one.name for one in count_exchange(wider)[0]] == ["src"]


def test_what_merely_moved_counts_as_nothing() -> None:
    changes = [_change("a/x.py", "a/x.py"), _change("a/x.py", "a/x.py", Aspect.BODY), _change("x.py", "b/x.py")]
    modules, moves = count_exchange(changes)
    assert [(one.name, one.modified, one.moved_in, one.moved_out) for one in modules] == [
        (".", 0, 0, 1),
        ("a", 1, 0, 0),
        ("b", 0, 1, 0),
    ]
    assert [tuple(move) for move in moves] == [(".", "b", 1)]


@given(st.lists(st.tuples(st.none() | PATHS, PATHS)))
def test_what_leaves_a_folder_arrives_in_another(ends: list[tuple[str | None, str]]) -> None:
    modules, moves = count_exchange([_change(*pair) for pair in ends])
    assert len(modules) <= MOST_ROWS
    if len(modules) < MOST_ROWS:
        assert sum(one.moved_in for one in modules) == sum(one.moved_out for one in modules)
        assert sum(one.added for one in modules) == sum(before is None for before, _ in ends)
        assert sum(move.n for move in moves) == sum(one.moved_in for one in modules)
