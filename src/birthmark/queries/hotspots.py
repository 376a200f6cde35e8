"""Find the changes of definitions. An event counts as a change if it changed the code, not if it only moved it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from birthmark.model import FUNCTION_LIKE
from birthmark.store.model import Event, SnapshotEntity
from birthmark.vocabulary import Change

_OTHER_CODE = frozenset({Change.MODIFIED, Change.RENAMED})  # words that say so where the code before is not recorded
_WHOLE = frozenset({Change.BORN, Change.DELETED})  # the beginning and the end of it, not a change


def find_changes(events: Iterable[Event], runs: Collection[int] | None = None) -> dict[int, list[int]]:
    """Return the runs in which the code of each identity changed, in order; of these runs, or of all."""
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
    """Return the definitions of a file with code of their own: a type's code is that of its members."""
    return [shown for shown in entities if shown.kind in FUNCTION_LIKE or not _contains_any(shown, entities)]


def _contains_any(shown: SnapshotEntity, entities: Sequence[SnapshotEntity]) -> bool:
    """Return True if the next definition is inside: it comes right after and has the name in front."""
    following = entities[shown.ordinal + 1 : shown.ordinal + 2]
    return any(one.qualified_name.startswith(f"{shown.qualified_name}.") for one in following)
