"""Which changes may concern the users of a definition: it is gone, has another name or place, or another head.

Takes a comparison and the files that were compared. What is inside of a function, or went with its container, has no
users of its own to speak of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from birthmark.comparison.change_places import ChangePlaces
from birthmark.comparison.declaration_changes import find_changes
from birthmark.comparison.entities import EntityChange, EntityComparison
from birthmark.comparison.file_roles import role_of
from birthmark.extraction.model import OutlinedEntity
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity
from birthmark.vocabulary import Aspect, Change, FileRole, HistoryChange

_NO_HEAD = frozenset(
    {
        HistoryChange.BODY,
        HistoryChange.INITIALIZER,
        HistoryChange.INITIALIZER_ADDED,
        HistoryChange.INITIALIZER_REMOVED,
        HistoryChange.DOCUMENTATION,
        HistoryChange.FORMAT,
    }
)
_TYPES = frozenset(
    {HistoryChange.RETURN_TYPE, HistoryChange.TYPE, HistoryChange.TYPE_PARAMETER, HistoryChange.ANNOTATION}
)
_WITH_HEADS = FUNCTION_LIKE | CLASS_LIKE | {"typedef", "macro", "table", "view"}


class InterfaceChange(NamedTuple):
    """A change and what it does to the head; `is_gone` if the old name leads nowhere from where it was."""

    change: EntityChange
    head: tuple[HistoryChange, ...]
    is_gone: bool
    old_signature: str | None
    new_signature: str | None

    @property
    def concerns_users(self) -> bool:
        """Whether users may have to change; another type or annotation alone is rather for compilers to judge."""
        return self.is_gone or not _TYPES.issuperset(self.head)


def find_interface_changes(comparison: EntityComparison, places: ChangePlaces) -> Iterator[InterfaceChange]:
    """In the order of the comparison; of sources only."""
    for change in comparison.changes:
        location = change.after or change.before
        assert location is not None
        if change.change is Change.ADDED or role_of(location.path) is not FileRole.SOURCE:
            continue
        before = places.before(change)
        after = places.after(change) if change.new is not None else None
        is_gone = _is_gone(change, places)
        head = _head(change, before, after)
        if (is_gone or head) and not _is_inside_function(before):
            signatures = _signatures(before.entity, after.entity if after is not None else None)
            yield InterfaceChange(change, head, is_gone, *signatures)


def _is_gone(change: EntityChange, places: ChangePlaces) -> bool:
    if change.change is Change.DELETED:
        return not places.is_in_same(change)
    return change.change in (Change.RENAMED, Change.RELOCATED) and not places.is_in_place(change)


def _head(change: EntityChange, before: OutlinedEntity, after: OutlinedEntity | None) -> tuple[HistoryChange, ...]:
    if after is None or Aspect.INTERFACE not in change.aspects or change.kind not in _WITH_HEADS:
        return ()
    return tuple(word for word in find_changes(before, after) if word not in _NO_HEAD)


def _is_inside_function(outlined: OutlinedEntity) -> bool:
    entities, at = outlined.file.outline.entities, outlined.ordinal
    while (at := entities[at].container) >= 0:
        if entities[at].kind in FUNCTION_LIKE:
            return True
    return False


def _signatures(before: Entity, after: Entity | None) -> tuple[str | None, str | None]:
    """Both, if they differ."""
    old, new = before.declaration, after.declaration if after is not None else None
    return (None, None) if old == new or new is None else (old, new)
