"""The history of what a REF names, at any revision; with or without an index.

`with_patches` adds to each event the lines that it changed, of the entity alone: both states are read again, from
outlines that are cached. Of a container these are the lines outside its members, which have histories of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import UNSET

from birthmark.app.answers.refs import find_entity, is_path, read_path_ref
from birthmark.app.histories.lineages import read_lineage
from birthmark.app.histories.subjects import HistorySubject, find_in_past, find_unindexed, start_of, subject_of
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.comparison.changes import CONTAINERS
from birthmark.comparison.own_code import own_code_of
from birthmark.comparison.patch import CodeLines, Patch, code_of, cut_lines, hunks_between, lines_of, make_patch
from birthmark.comparison.state_comparison import StateComparison
from birthmark.documents.changes import HistoryDocument, HistoryEventDocument, PastEntityDocument
from birthmark.documents.document import make
from birthmark.documents.parts import (
    deletion_document,
    derivation_documents,
    extended_commit_document,
    location_document,
    location_or_null,
    patch_document,
)
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import Outline, OutlinedEntity, OutlinedFile
from birthmark.extraction.state import content_id_of, os_path
from birthmark.history.follow import follow_all, follow_lineage, follow_sources
from birthmark.history.lineage import DerivationSource, Lineage, Step
from birthmark.model import Entity, Level, Location
from birthmark.queries.ref_forms import LinesRef, NamedRef, NameRef, parse_entity_ref
from birthmark.sources.git.log import Commit, parents_first
from birthmark.sources.worktree import read_file
from birthmark.vocabulary import COSMETIC, Confidence, HistoryChange

_REPLAY = "index --from-history"


class HistoryEvent(NamedTuple):
    """A change of an entity, or of the given member or source, by a commit; with the lines if requested."""

    step: Step
    commit: Commit
    member: str | None = None
    patch: Patch | None = None
    derived_from: tuple[DerivationSource[Any], ...] = ()  # of an introduction, the likeliest first
    source_name: str | None = None  # of the one it is about, where a history goes on into what the entity came from

    @property
    def is_cosmetic(self) -> bool:
        """Return whether it changed only comments or formatting."""
        return set(self.step.changes) <= COSMETIC

    @property
    def is_boundary(self) -> bool:
        """Return True for an introduction whose commit has parents that a shallow clone lacks."""
        is_first = HistoryChange.INTRODUCED in self.step.changes and self.step.parent is None
        return is_first and bool(self.commit.parents)


class History(NamedTuple):
    """An entity and what happened to it, newest first."""

    target: HistorySubject
    events: list[HistoryEvent]
    inner: Entity | None = None  # the variable or block in it that the events are about

    @property
    def entity(self) -> Entity:
        return self.inner or self.target.entity


def find_subject(repository: OpenRepository, ref: str, revision: str | None = None) -> HistorySubject:
    """Return the entity of a REF at a revision; without one, the entity in the worktree, as it is at HEAD.

    A name that is not in the worktree is looked up at HEAD, and then in the past.
    """
    commit = repository.revision(revision or "HEAD")
    parsed = read_path_ref(repository, commit, ref)
    try:
        return _find_now(repository, commit, ref, parsed, is_at_revision=revision is not None)
    except NotFoundError as error:
        found = _find_in_ledger(repository, commit, ref, parsed is not None) if revision is None else None
        if found is None:
            found = _find_in_git(repository, commit, ref, parsed)
        if found is None:
            raise _with_hint(repository, error) from error
        return found


def _find_in_git(
    repository: OpenRepository, commit: CommitState, ref: str, parsed: LinesRef | NamedRef | None
) -> HistorySubject | None:
    """Find what had the name in a file; a name with its package in front shows which file that was."""
    if parsed is None or (isinstance(parsed, NamedRef) and not is_path(parsed.path)):
        from birthmark.app.histories.former_names import find_former_name  # It loads what pairs commits.

        past = find_former_name(repository, NameRef(ref))
        parsed = NamedRef(past.was.path, past.was.qualified_name) if past is not None else None
    return find_in_past(repository, commit, parsed) if parsed is not None else None


def _find_in_ledger(repository: OpenRepository, commit: CommitState, ref: str, is_path: bool) -> HistorySubject | None:
    if repository.store is None:
        return None
    from birthmark.app.histories.ledger_subjects import find_in_ledger  # It loads much that no other history needs.

    return find_in_ledger(repository, commit, ref, is_path=is_path)


def _with_hint(repository: OpenRepository, error: NotFoundError) -> NotFoundError:
    """Return the error with a hint to replay the history, if that was not done."""
    is_replayed = repository.store is not None and repository.store.replayed_commits()
    if is_replayed or _REPLAY in str(error):
        return error
    return NotFoundError(f"{error}; if it is a former name, `birthmark {_REPLAY}` may know it", error.choices)


def _find_now(
    repository: OpenRepository, commit: CommitState, ref: str, parsed: LinesRef | NamedRef | None, is_at_revision: bool
) -> HistorySubject:
    line = parsed.first if isinstance(parsed, LinesRef) else None
    if repository.store is None and _is_name(commit, ref, parsed):
        found = find_unindexed(repository, commit, ref)
        if found is not None:
            return subject_of(commit, found)
    if is_at_revision or parsed is None or _is_unchanged(repository, commit, parsed.path):
        return subject_of(commit, find_entity(repository, commit, ref, level=Level.ENTITIES), line)
    try:
        entity = find_entity(repository, repository.worktree(), ref)
    except NotFoundError:
        if isinstance(parsed, LinesRef):
            raise
        return subject_of(commit, find_entity(repository, commit, ref))
    committed = StateComparison(commit, repository.worktree(), repository.family_of).predecessor(entity)
    if committed is None:
        raise BirthmarkError(f"{entity.label}: {entity.entity.qualified_name} is not committed yet; it has no history")
    return subject_of(commit, committed, line and _line_before(committed, entity, line))


def _is_name(commit: CommitState, ref: str, parsed: LinesRef | NamedRef | None) -> bool:
    """Return whether a REF is a name; `Rack::Request` looks like a path with a name."""
    if isinstance(parsed, NamedRef):
        return commit.entry(parsed.path) is None and not is_path(parsed.path)
    return parsed is None and isinstance(parse_entity_ref(ref), NameRef)


def _is_unchanged(repository: OpenRepository, commit: CommitState, path: str) -> bool:
    """Return whether a file is in the worktree as it is in a commit, so that the worktree need not be searched."""
    if not repository.workspace.has_worktree:
        return True
    try:
        content = read_file(
            repository.workspace.root / os.fsdecode(os_path(path)), repository.settings.limits.max_bytes
        )
    except BirthmarkError:
        return commit.entry(path) is not None
    return content_id_of(content).hex() == commit.content_id(path)


def _line_before(old: OutlinedEntity, new: OutlinedEntity, line: int) -> int | None:
    """The line of an old file that became a line of the new one."""
    from birthmark.subscriptions.lines import follow_hunks  # It loads much that no other history needs.

    hunks = hunks_between(*(lines_of(entity.file.source()) for entity in (new, old)))
    lines = follow_hunks(hunks, line, line).lines
    return lines[0] if lines is not None else None


def read_history(repository: OpenRepository, target: HistorySubject) -> History:
    steps = read_lineage(repository, target.commit, lambda lineage: _follow(lineage, target))
    return History(target, read_events(repository, steps))


def _follow(lineage: Lineage[Any], target: HistorySubject) -> list[Step]:
    """Return the steps of a subject, from its deletion if it is gone."""
    steps = follow_lineage(lineage, start_of(lineage, target))
    if target.deletion is None:
        return steps
    place = target.outlined.location
    return [Step(target.deletion.id, target.commit, (HistoryChange.DELETED,), place, place), *steps]


def read_derived_history(repository: OpenRepository, target: HistorySubject, with_derivation: bool = False) -> History:
    """Return a history with the sources of introduced code, and with the earlier history of these if requested."""
    return read_lineage(
        repository, target.commit, lambda lineage: _follow_derived(repository, lineage, target, with_derivation)
    )


def _follow_derived(
    repository: OpenRepository, lineage: Lineage[Any], target: HistorySubject, with_derivation: bool
) -> History:
    steps = _follow(lineage, target)
    events = [_with_sources(lineage, event) for event in read_events(repository, steps)]
    first = next(iter(events[-1].derived_from), None) if events and with_derivation else None
    for source, source_steps in follow_sources(lineage, first):
        name = source.end.place.qualified_name
        own = (event._replace(source_name=name) for event in read_events(repository, source_steps))
        events += [_with_sources(lineage, event) for event in own]
    return History(target, events)


def _with_sources(lineage: Lineage[Any], event: HistoryEvent) -> HistoryEvent:
    return event._replace(derived_from=tuple(lineage.sources(event.step)))


def read_events(repository: OpenRepository, steps: Iterable[Step], member: str | None = None) -> list[HistoryEvent]:
    return [HistoryEvent(step, repository.commit(step.commit), member) for step in steps]


def read_members(repository: OpenRepository, target: HistorySubject) -> History:
    """Return the history of an entity and of everything that it contains now, newest first."""
    return read_lineage(repository, target.commit, lambda lineage: _follow_members(repository, lineage, target))


def _follow_members(repository: OpenRepository, lineage: Lineage[Any], target: HistorySubject) -> History:
    outline, own = target.outlined.file.outline, target.outlined.ordinal
    entities, inside = outline.entities, f"{target.entity.qualified_name}."
    ordinals = [i for i, entity in enumerate(entities) if entity.qualified_name.startswith(inside)]
    ordinals.insert(0, own)
    histories = follow_all(lineage, target.commit, target.path, target.blob, outline, ordinals)
    dated = [
        read_events(repository, steps, entities[ordinal].qualified_name if ordinal != own else None)
        for ordinal, steps in zip(ordinals, histories, strict=True)
    ]
    touches = lineage.touches(target.commit, target.path)
    ordered = parents_first(touches, next(iter(touches))) if touches else []
    return History(target, list(_merge(dated, {commit: number for number, commit in enumerate(reversed(ordered))})))


def _merge(histories: list[list[HistoryEvent]], order: dict[str, int]) -> Iterator[HistoryEvent]:
    """Merge histories, newest first; each keeps its order, and the events of a commit stay together.

    Commits may have the same time; then the order in which they touched the file decides.
    """
    rest = [history[::-1] for history in histories]
    while rest := [history for history in rest if history]:
        later = {event.commit.id for history in rest for event in history[:-1]}
        free = [history for history in rest if history[-1].commit.id not in later] or rest
        yield max(free, key=lambda history: _age(history[-1].commit, order)).pop()


def _age(commit: Commit, order: dict[str, int]) -> tuple[int, int]:
    return commit.at, -order.get(commit.id, len(order))


def with_patches(repository: OpenRepository, events: Iterable[HistoryEvent]) -> list[HistoryEvent]:
    return [_with_patch(repository, event) for event in events]


def _with_patch(repository: OpenRepository, event: HistoryEvent) -> HistoryEvent:
    step = event.step
    before = _code(repository, step.parent, step.before)
    return event._replace(patch=make_patch(before, _code(repository, step.commit, step.after)))


def _code(repository: OpenRepository, commit: str | None, location: Location | None) -> CodeLines | None:
    """Return the code of an entity, or the lines of the location of a variable or block."""
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


class FormerPlace(NamedTuple):
    """A place that a definition had at `revision`, and the commit after that, which ended it."""

    revision: str
    location: Location
    commit: Commit


def find_former_places(repository: OpenRepository, ref: str, at: str | None = None) -> list[FormerPlace]:
    """Return the former places of an entity; the REF is looked up at the revision `at`, or in the worktree."""
    places = []
    for event in read_history(repository, find_subject(repository, ref, at)).events:
        before, after, parent = event.step.before, event.step.after, event.step.parent
        if before is not None and parent is not None and _place_name(before) != _place_name(after):
            places.append(FormerPlace(parent, before, event.commit))
    return places


def _place_name(location: Location) -> tuple[str, str]:
    return location.path, location.qualified_name


def read_former_file(repository: OpenRepository, place: FormerPlace) -> bytes:
    """The file that a definition was in, as it was there."""
    content = repository.commit_state(place.revision).content(place.location.path)
    if content is None:
        raise NotFoundError(f"{place.location.path}: cannot be read at {place.revision[:12]}; fetch more of the clone")
    return content


# Documents


def history_document(history: History) -> HistoryDocument:
    target = history.target
    return HistoryDocument(
        make(PastEntityDocument, history.entity, path=target.path, commit=target.commit),
        [_event_document(event) for event in history.events],
        None if target.deletion is None else deletion_document(target.deletion),
        location_or_null(target.was),
    )


def _event_document(event: HistoryEvent) -> HistoryEventDocument:
    step = event.step
    return extended_commit_document(
        HistoryEventDocument,
        event.commit,
        parent=step.parent,
        changes=step.changes,
        before=location_or_null(step.before),
        after=location_document(step.after),
        evidence=step.evidence,
        confidence=Confidence(step.confidence) if step.confidence is not None else None,
        member=event.member,
        source_name=event.source_name,
        derived_from=derivation_documents(source.end for source in event.derived_from),
        patch=UNSET if event.patch is None else patch_document(event.patch),
        is_boundary=event.is_boundary,
    )
