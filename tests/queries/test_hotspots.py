"""Which events count as changes, and which definitions are hot."""

from __future__ import annotations

import pytest

from birthmark.app.answers.structure import rank_hotspots, without_containers
from birthmark.queries.life import find_changes
from birthmark.store.model import Event, SnapshotEntity
from birthmark.vocabulary import Change

ONE = 1


def event(run: int, change: Change, content: str) -> Event:
    return Event(ONE, run, change, "a.x", "f", 1, 2, content, None, None)


def entity(identity: int, name: str, kind: str, lines: tuple[int, int], ordinal: int) -> SnapshotEntity:
    simple = name.rpartition(".")[2]
    return SnapshotEntity("a.x", identity, "m", "s", 0, "l", kind, simple, name, "", *lines, 1, ordinal)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("modified after birth", [(1, Change.MODIFIED, "b")]),
        ("moved after birth", [(0, Change.MOVED, "a")]),
        ("moved, then modified", [(0, Change.MOVED, "a"), (1, Change.MODIFIED, "b")]),
        ("only comments", [(1, Change.MODIFIED, "b"), (0, Change.MODIFIED, "b")]),
        ("relocated as it was", [(1, Change.MODIFIED, "b"), (0, Change.RELOCATED, "b")]),
        ("relocated and changed", [(1, Change.MODIFIED, "b"), (1, Change.RELOCATED, "c")]),
        ("deleted and back", [(1, Change.MODIFIED, "b"), (0, Change.DELETED, "b"), (0, Change.REVIVED, "b")]),
        ("deleted and back otherwise", [(1, Change.MODIFIED, "b"), (0, Change.DELETED, "b"), (1, Change.REVIVED, "c")]),
        ("born where it was ambiguous", [(0, Change.BORN, "a"), (1, Change.MODIFIED, "b")]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_event_counts_that_changed_the_code(events: str, expected: list[tuple[int, Change, str]]) -> None:
    happened = [event(run, change, content) for run, (_, change, content) in enumerate(expected)]
    counted = [run for run, (counts, _, _) in enumerate(expected) if counts]
    assert find_changes(happened) == {ONE: counted}
    assert find_changes(happened, {len(happened) - 1})[ONE] == [run for run in counted if run == len(happened) - 1]


def test_the_score_is_the_product_and_what_did_not_change_is_left_out() -> None:
    entities = [
        entity(1, "long", "fn", (1, 20), 0),
        entity(2, "used", "fn", (22, 23), 1),
        entity(3, "old", "fn", (25, 99), 2),
    ]
    found = rank_hotspots(entities, {1: [4, 9], 2: [7], 3: []}, {2: 29})
    assert [(one.name, score, n_users) for score, one, n_users in found] == [("used", 60, 29), ("long", 40, 0)]


def test_a_type_counts_by_its_members() -> None:
    entities = [
        entity(1, "A", "class", (1, 9), 0),
        entity(2, "A.f", "method", (2, 9), 1),
        entity(3, "A.f.g", "fn", (3, 5), 2),
        entity(4, "B", "class", (11, 12), 3),
        entity(5, "x", "var", (14, 14), 4),
    ]
    assert [one.name for one in without_containers(entities)] == ["f", "g", "B", "x"]
