"""Which changes of a comparison may change what code does: of entities, and of the top level of files.

Takes a comparison and the files that were compared. Layout and comments do nothing; documentation does where it is a
string in the code, as a docstring is. A container counts if its own code changed, apart from its members.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from birthmark.comparison.entities import EntityChange, EntityComparison
from birthmark.comparison.own_code import own_code_of, spans_of_member
from birthmark.comparison.patch import make_patch
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.model import Entity, subtract_spans
from birthmark.vocabulary import Aspect, Change

_DOCUMENTED = frozenset({Aspect.DOCUMENTATION})
_WITHIN = frozenset({Aspect.BODY})
_WHOLLY_NEW = (Change.ADDED, Change.DELETED, Change.RENAMED, Change.RELOCATED)


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
