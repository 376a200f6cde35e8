"""Where changes are frequent, code is long and users are many.

Takes definitions with their events and the number of their users; gives Hotspots, the hottest first. An event counts
as a change if it changed the code, not if it only moved it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from birthmark.model import FUNCTION_LIKE
from birthmark.store.model import Event, SnapshotEntity
from birthmark.vocabulary import Change

_OTHER_CODE = frozenset({Change.MODIFIED, Change.RENAMED})  # words that say so where the code before is not recorded
_WHOLE = frozenset({Change.BORN, Change.DELETED})  # the beginning and the end of it, not a change


class Hotspot(NamedTuple):
    """A definition, how often it changed, and how much depends on it."""

    shown: SnapshotEntity
    n_changes: int
    n_lines: int
    n_users: int
    last_run: int  # in which it changed

    @property
    def score(self) -> int:
        """What has no user counts as well, so one is added."""
        return self.n_changes * self.n_lines * (self.n_users + 1)


def find_hotspots(
    entities: Iterable[SnapshotEntity], changes: Mapping[int, Sequence[int]], n_users: Mapping[int, int]
) -> list[Hotspot]:
    """`changes` are the runs in which each identity changed; what did not change is no hotspot."""
    found = [
        Hotspot(shown, len(runs), shown.end_line - shown.start_line + 1, n_users.get(shown.identity, 0), runs[-1])
        for shown in entities
        if (runs := changes.get(shown.identity))
    ]
    return sorted(found, key=lambda one: (-one.score, one.shown.path, one.shown.start_line, one.shown.ordinal))


def find_changes(events: Iterable[Event], runs: Collection[int] | None = None) -> dict[int, list[int]]:
    """The runs in which the code of each identity changed, as they happened; of these runs, or of all."""
    changes: dict[int, list[int]] = {}
    contents: dict[int, str] = {}
    for event in events:
        before = contents.get(event.identity)
        contents[event.identity] = event.content
        if runs is not None and event.run not in runs:
            continue
        is_other = event.change in _OTHER_CODE if before is None else event.content != before
        known = changes.setdefault(event.identity, [])
        if is_other and event.change not in _WHOLE and event.run not in known[-1:]:
            known.append(event.run)
    return changes


def without_containers(entities: Sequence[SnapshotEntity]) -> list[SnapshotEntity]:
    """Of a file's definitions those that have code of their own: a type's code is that of its members."""
    return [shown for shown in entities if shown.kind in FUNCTION_LIKE or not _contains_any(shown, entities)]


def _contains_any(shown: SnapshotEntity, entities: Sequence[SnapshotEntity]) -> bool:
    """What is inside of a definition comes right after it, and has its name in front."""
    following = entities[shown.ordinal + 1 : shown.ordinal + 2]
    return any(one.qualified_name.startswith(f"{shown.qualified_name}.") for one in following)
