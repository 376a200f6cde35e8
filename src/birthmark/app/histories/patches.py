"""The lines that an event of a history changed, of the entity alone.

Takes events, and reads both states of each entity again: outlines are cached, so that little is extracted twice. Of a
container it is what is outside its members, which have histories of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.app.histories.histories import HistoryEvent
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.declaration_changes import CONTAINERS
from birthmark.comparison.own_code import own_code_of
from birthmark.comparison.patch import CodeLines, code_of, cut_lines, make_patch
from birthmark.extraction.model import Outline, OutlinedEntity, OutlinedFile
from birthmark.model import Location


def with_patches(repository: OpenRepository, events: Iterable[HistoryEvent]) -> list[HistoryEvent]:
    return [_with_patch(repository, event) for event in events]


def _with_patch(repository: OpenRepository, event: HistoryEvent) -> HistoryEvent:
    step = event.step
    before = _code(repository, step.parent, step.before)
    return event._replace(patch=make_patch(before, _code(repository, step.commit, step.after)))


def _code(repository: OpenRepository, commit: str | None, location: Location | None) -> CodeLines | None:
    """What is no entity is a variable or block: the lines of its location."""
    blob = repository.blob(commit, location.path) if commit is not None and location is not None else None
    if blob is None or location is None:
        return None
    outline = repository.outlines([(blob, location.path)])[0]
    ordinal = _ordinal(outline, location) if outline is not None else None
    if outline is not None and ordinal is not None:
        file = OutlinedFile(location.path, outline, lambda: repository.content(blob))
        entity = OutlinedEntity(file, ordinal)
        return own_code_of(entity) if entity.entity.kind in CONTAINERS else code_of(entity)
    content = repository.content(blob)
    return cut_lines(location.path, location.qualified_name, content, location.start_line, location.end_line)


def _ordinal(outline: Outline, location: Location) -> int | None:
    wanted = location.qualified_name, location.start_line, location.end_line
    places = [(entity.qualified_name, entity.start_line, entity.end_line) for entity in outline.entities]
    return places.index(wanted) if wanted in places else None
