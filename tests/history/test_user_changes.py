"""What each commit changed in the users of an entity, on histories that are drawn as a few letters."""

from __future__ import annotations

import pytest

from birthmark.graph.edges import Edge
from birthmark.history.user_changes import Users, UserTimeline
from birthmark.sources.git.log import Link
from birthmark.vocabulary import EdgeKind, Resolution

# Commits as `name parents users`; expected of each that changed anything: `name: +came -went`.
HISTORIES = {
    "one after the other": ("a - x; b a xy; c b y", "a: +x; b: +y; c: -x"),
    "the same again": ("a - x; b a =; c b x", "a: +x"),
    "it comes back": ("a - x; b a -; c b x", "a: +x; b: -x; c: +x"),
    "a merge of two sides": ("a - x; b a xy; c a -; d bc y", "a: +x; b: +y; c: -x"),
    "a merge in the other order": ("a - x; b a xy; c a -; d cb y", "a: +x; b: +y; c: -x"),
    "a merge that drops what one side added": ("a - x; b a xy; c a x; d cb x", "a: +x; b: +y; d: -y"),
    "a merge that keeps what one side removed": ("a - x; b a x; c a -; d bc x", "a: +x; c: -x; d: +x"),
    "a merge that adds": ("a - x; b a x; c a x; d bc xy", "a: +x; d: +y"),
    "an old side, merged late": ("a - x; b a -; c b x; d a xy; e cd xy", "a: +x; b: -x; c: +x; d: +y"),
    "a merge that is the first side": ("a - x; b a xy; c a x; d bc =", "a: +x; b: +y"),
}


def use(path: str) -> Edge:
    return Edge(None, path, EdgeKind.CALLS, Resolution.EXACT, None, "f", 1, 1, may_be_outside=False)


@pytest.mark.parametrize(("drawn", "expected"), HISTORIES.values(), ids=HISTORIES.keys())
def test_changes(drawn: str, expected: str) -> None:
    timeline, lines = UserTimeline(), []
    for commit, parents, users in (one.split() for one in drawn.split("; ")):
        link = Link(commit, tuple(parents.strip("-")), 0)
        found: Users | None = None if users == "=" else {path: use(path) for path in users.strip("-")}
        came, went = timeline.add(link, found, {})
        changes = [*(f"+{edge.source_path}" for edge in came), *(f"-{edge.source_path}" for edge in went)]
        lines += [f"{commit}: {' '.join(changes)}"] if changes else []
    assert "; ".join(lines) == expected


def test_a_file_that_is_renamed_is_the_same_user_and_one_at_its_old_path_is_another() -> None:
    timeline = UserTimeline()
    timeline.add(Link("a", (), 0), {"x": use("x")}, {})
    assert timeline.add(Link("b", ("a",), 0), {"y": use("y")}, {"x": "y"}) == ([], [])
    came, went = timeline.add(Link("c", ("b",), 0), {"x": use("x"), "y": use("y")}, {})
    assert ([edge.source_path for edge in came], went) == (["x"], [])
    came, went = timeline.add(Link("d", ("c",), 0), {"x": use("x")}, {})
    assert (came, [edge.source_path for edge in went]) == ([], ["y"])
