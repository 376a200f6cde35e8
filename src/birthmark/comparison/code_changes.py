"""Find the changes that may matter to the behaviour of code, or to the users of a definition.

Takes a comparison and the files that were compared. Layout and comments do nothing; documentation does where it is a
string in the code, as a docstring is. A container counts if its own code changed, apart from its members. The interface
of a definition changes if it is gone, has another name or place, or another head; what is inside of a function, or went
with its container, has no users of its own to speak of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.change_places import ChangePlaces
from birthmark.comparison.declaration_changes import find_changes
from birthmark.comparison.entity_changes import EntityChange, EntityComparison
from birthmark.comparison.file_roles import role_of
from birthmark.comparison.own_code import own_code_of, spans_of_member
from birthmark.comparison.patch import make_patch
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, subtract_spans
from birthmark.vocabulary import Aspect, Change, FileRole, HistoryChange

_DOCUMENTED = frozenset({Aspect.DOCUMENTATION})
_WITHIN = frozenset({Aspect.BODY})
_WHOLLY_NEW = (Change.ADDED, Change.DELETED, Change.RENAMED, Change.RELOCATED)
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


def code_changes(
    comparison: EntityComparison, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]
) -> list[EntityChange]:
    """In the order of the comparison."""
    changed = [one for one in comparison.changes if _may_matter(one, new)]
    inner = {container for one in changed if (container := _container(one, new)) is not None}
    return [one for one in changed if one.new not in inner or _has_own_change(one, old, new)]


def changed_top_levels(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], renamed: Mapping[str, str]
) -> Iterator[str]:
    """The paths of new files that differ outside of their definitions; all of a file that was not there."""
    former = {new_path: old_path for old_path, new_path in renamed.items()}
    before = {file.path: _top_level(file) for file in old}
    for file in new:
        if before.get(former.get(file.path, file.path), ()) != _top_level(file):
            yield file.path


def _may_matter(change: EntityChange, new: Sequence[OutlinedFile]) -> bool:
    if change.change in _WHOLLY_NEW:
        return True
    aspects = {*change.aspects} - {Aspect.FORMATTING}
    if aspects == _DOCUMENTED and change.new is not None:
        return _is_docstring(_entity(new, change.new))
    return bool(aspects)


def _is_docstring(entity: Entity) -> bool:
    span = entity.documentation_span
    return span is None or entity.start_byte <= span[0] < entity.end_byte


def _container(change: EntityChange, new: Sequence[OutlinedFile]) -> EntityRef | None:
    """What is around it in the new state."""
    if change.new is None:
        return None
    container = _entity(new, change.new).container
    return (change.new[0], container) if container >= 0 else None


def _has_own_change(change: EntityChange, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]) -> bool:
    if change.old is None or change.new is None or not {*change.aspects} <= _WITHIN:
        return True
    before, after = (OutlinedEntity(files[ref[0]], ref[1]) for files, ref in ((old, change.old), (new, change.new)))
    return bool(make_patch(own_code_of(before), own_code_of(after)).hunks)


def _entity(files: Sequence[OutlinedFile], ref: EntityRef) -> Entity:
    return files[ref[0]].outline.entities[ref[1]]


def _top_level(file: OutlinedFile) -> tuple[bytes, ...]:
    """Its lines but for comments; spaces at the start of a line may mean something."""
    source = file.source()
    holes = [span for one in file.outline.entities if one.container < 0 for span in spans_of_member(one)]
    left = [source[start:end] for start, end in subtract_spans((0, len(source)), tuple(holes))]
    lines = [line.rstrip() for part in left for line in part.splitlines() if line.strip()]
    comments = load_registry().lexical_of(file.outline.language).line_comments
    starts = tuple(mark.encode() for mark in comments)
    return tuple(line for line in lines if not line.lstrip().startswith(starts))


class InterfaceChange(NamedTuple):
    """A change and what it does to the head; `is_gone` if the old name leads nowhere from where it was."""

    change: EntityChange
    head: tuple[HistoryChange, ...]
    is_gone: bool
    old_signature: str | None
    new_signature: str | None

    @property
    def concerns_users(self) -> bool:
        """Return whether users may have to change; compilers judge another type or annotation alone."""
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
