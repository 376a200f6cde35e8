"""Documents of changes: between two states, through git's history, and who made them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Annotated

from birthmark.app.diffing import NamedDiff
from birthmark.app.histories import Blame, History
from birthmark.history.follow import Step
from birthmark.model import Entity, Location
from birthmark.sources.log import Commit
from birthmark.store.model import Event
from birthmark.surfaces.wire.document import Document, ProblemDocument, doc, make
from birthmark.vocabulary import Aspect, Change, HistoryChange

EvidenceField = Annotated[str | None, doc("why the two are taken for one, see below")]
ConfidenceField = Annotated[str | None, doc("`high`, `medium` or `low`")]


class LocationDocument(Document, frozen=True):
    """Where an entity is, or was."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int


class EntityChangeDocument(Document, frozen=True):
    """What became of an entity. One that is renamed and modified is one change, named by the boldest word."""

    change: Annotated[Change, doc("`relocated` is to another file, `moved` within the file")]
    kind: str
    mark: Annotated[str | None, doc("null where no index knows it")]
    key: str | None
    before: Annotated[LocationDocument | None, doc("null if it was added")]
    after: Annotated[LocationDocument | None, doc("null if it was deleted")]
    aspects: Annotated[tuple[Aspect, ...], doc("what differs")]
    evidence: EvidenceField
    confidence: ConfidenceField


class DiffDocument(Document, frozen=True):
    """The changes between two states."""

    base: Annotated[str, doc("a commit id, `the index` or `the worktree`")]
    target: Annotated[str, doc("likewise")]
    counts: Annotated[dict[str, int], doc("of each change and of `unchanged`, over the files that differ")]
    changes: list[EntityChangeDocument]
    problems: list[ProblemDocument]


class PastEntityDocument(Document, frozen=True):
    """An entity at a commit."""

    kind: str
    name: str
    qualified_name: str
    language: str
    path: str
    start_line: int
    end_line: int
    commit: str


class HistoryEventDocument(Document, frozen=True):
    """What a commit did to an entity."""

    commit: str
    parent: Annotated[str | None, doc("the earlier commit it was compared with")]
    author: str
    date: Annotated[str, doc("the author's, as in `2026-11-15T12:00:00+01:00`")]
    changes: Annotated[tuple[HistoryChange, ...], doc("words of [one vocabulary](history.md)")]
    before: Annotated[LocationDocument | None, doc("null where it was introduced")]
    after: LocationDocument
    evidence: EvidenceField
    confidence: ConfidenceField
    member: Annotated[str | None, doc("the qualified name of the member it is about, null for the entity itself")]


class HistoryDocument(Document, frozen=True):
    """The history of an entity."""

    entity: Annotated[PastEntityDocument, doc("at the commit that was asked about")]
    events: Annotated[list[HistoryEventDocument], doc("newest first, the last being `introduced`")]


class CommitDocument(Document, frozen=True):
    """A commit."""

    commit: str
    author: str
    date: str


class LastChangeDocument(CommitDocument, frozen=True):
    """The last commit that changed more than comments and formatting."""

    changes: tuple[HistoryChange, ...]


class BlameDocument(Document, frozen=True):
    """Who last changed an entity, and who introduced it."""

    entity: PastEntityDocument
    last: LastChangeDocument
    introduced: CommitDocument


def location_document(location: Event | Location | Entity) -> LocationDocument:
    return make(LocationDocument, location)


def location_or_null(location: Event | Location | Entity | None) -> LocationDocument | None:
    return None if location is None else location_document(location)


def diff_document(base: str, target: str, diff: NamedDiff) -> DiffDocument:
    named = zip(diff.changes, diff.names, strict=True)
    changes = [make(EntityChangeDocument, change, mark=mark, key=key) for change, (mark, key) in named]
    return make(DiffDocument, diff, base=base, target=target, changes=changes)


def history_document(history: History) -> HistoryDocument:
    members = history.members or (None,) * len(history.steps)
    return HistoryDocument(
        _past_entity(history.entity, history.target.path, history.target.commit),
        [_event_document(step, commit, member) for (step, commit), member in zip(history.steps, members, strict=True)],
    )


def _event_document(step: Step, commit: Commit, member: str | None) -> HistoryEventDocument:
    return make(HistoryEventDocument, step, author=commit.author, date=_date(commit), member=member)


def blame_documents(blame: Blame) -> Iterator[BlameDocument]:
    """Of each entity of the file, in order."""
    for blamed, last, introduced in blame.entities:
        yield BlameDocument(
            _past_entity(blame.outline.entities[blamed.ordinal], blame.path, blame.commit),
            LastChangeDocument(last.id, last.author, _date(last), blamed.last.changes),
            CommitDocument(introduced.id, introduced.author, _date(introduced)),
        )


def _past_entity(entity: Entity, path: str, commit: str) -> PastEntityDocument:
    return make(PastEntityDocument, entity, path=path, commit=commit)


def _date(commit: Commit) -> str:
    """Empty where git holds a time that no calendar has."""
    sign = -1 if commit.zone.startswith("-") else 1
    digits = commit.zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(commit.at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
