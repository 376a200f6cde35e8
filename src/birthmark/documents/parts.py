"""Parts that many documents have: places, patches, commits, deletions, derivations, sites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from msgspec.structs import replace

from birthmark.documents.brief import COMMIT, DAY, LINE, in_a_line
from birthmark.documents.document import KEPT, Brief, Document, doc, make
from birthmark.vocabulary import (
    Confidence,
    DerivationEvidence,
    DerivationKind,
    RefStatus,
)

if TYPE_CHECKING:
    from birthmark.comparison.patch import Patch, PatchHunk
    from birthmark.model import DerivationEnd, Entity, Location, Problem
    from birthmark.queries.life import Carrier, LedgerEvent
    from birthmark.sources.git.log import Commit
    from birthmark.store.model import Event

    pass


def _percent(share: float) -> float:
    return round(share, 2)


def before_if_changed(change: HasPlaces) -> str | None:
    """Return the former name and place of what was renamed or moved."""
    before, after = _brief_places(change)
    return before if before != after else None


def after_if_changed(change: HasPlaces) -> str | None:
    before, after = _brief_places(change)
    return after if before != after else None


class LocationDocument(Document, frozen=True):
    """The current or former location of an entity."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int

    def in_brief(self) -> str:
        return f"{self.path}::{self.qualified_name}"


RepositoryField = Annotated[
    str | None, doc("the other repository of the database in which it is; null in the one that is asked")
]

FormerField = Annotated[
    LocationDocument | None,
    doc("the former name or place that the REF gave, null if it is the present one", brief=KEPT),
]


class HunkDocument(Document, frozen=True):
    """Consecutive lines of a patch, numbered as in a unified diff."""

    old_start: Annotated[int, doc("the first line before; where there is none, the line above")]
    old_count: int
    new_start: Annotated[int, doc("the first line after, likewise")]
    new_count: int
    lines: Annotated[list[str], doc("each after its sign: `-` an old line, `+` a new one, a space for both")]


class PatchDocument(Document, frozen=True):
    """The line-by-line difference between two states of one entity."""

    added: Annotated[int, doc("lines")]
    removed: Annotated[int, doc("lines")]
    hunks: list[HunkDocument]

    def in_brief(self) -> str | None:
        """Return it as in a unified diff; of a long one the first lines."""
        lines = [line for hunk in self.hunks for line in (f"@@ -{hunk.old_start} +{hunk.new_start} @@", *hunk.lines)]
        n_more = len(lines) - _MOST_PATCH_LINES
        return "\n".join([*lines[:_MOST_PATCH_LINES], *([f"… {n_more} more lines"] if n_more > 0 else [])]) or None


_UTC = "+0000"
_MOST_PATCH_LINES = 40  # in a brief document
ByCommit = Annotated[bool, doc("whether that commit did it; else it was found when that commit was indexed")]


class CommitDocument(Document, frozen=True):
    """A commit."""

    commit: Annotated[str, doc(brief=COMMIT)]
    subject: Annotated[str, doc(brief=LINE)]
    author: Annotated[str, doc(brief=Brief(unless=""))]
    email: str
    date: Annotated[str, doc("the author's, as in `2026-11-15T12:00:00+01:00`", brief=DAY)]
    commit_date: Annotated[str, doc("the committer's, by which `--since` and `--until` select")]


CommitType = TypeVar("CommitType", bound=CommitDocument)


class DeletionDocument(Document, frozen=True):
    """The commit or the time of a deletion."""

    commit: Annotated[str | None, doc("null outside git, and of what is not committed", brief=COMMIT)]
    subject: Annotated[str | None, doc("of the commit, null where the clone does not have it", brief=LINE)]
    author: Annotated[str | None, doc("likewise", brief=KEPT)]
    date: Annotated[str, doc("the commit's, if `by_commit`; else when the index found it", brief=DAY)]
    by_commit: ByCommit


class HasPlaces(Protocol):
    """A document with a place before and one after."""

    @property
    def before(self) -> LocationDocument | None: ...
    @property
    def after(self) -> LocationDocument | None: ...


class DerivationDocument(Document, frozen=True):
    """Code of one entity, the source, that is in another one, the derivative, which is not its successor.

    In `derived_from` it describes the source, in `derivatives` the derivative.
    """

    kind: DerivationKind
    place: Annotated[
        LocationDocument,
        doc("in `diff` and `history` as compared; else where it is now, or was before it was deleted", brief=KEPT),
    ]
    mark: Annotated[str | None, doc("null where no index knows it", brief=KEPT)]
    key: str | None
    status: Annotated[RefStatus | None, doc("whether it is `present` or `gone` now; null in `diff` and `history`")]
    share: Annotated[
        float, doc("how much of the derivative's code came from the source, 0 to 1", brief=Brief(form=_percent))
    ]
    source_share: Annotated[float, doc("how much of the source's code came into the derivative, 0 to 1")]
    evidence: DerivationEvidence
    confidence: Confidence
    commit: Annotated[str | None, doc("null in `diff`, and outside git")]
    by_commit: ByCommit
    repository: RepositoryField = None


class CarrierDocument(Document, frozen=True):
    """Something present that has code of something deleted, directly or by way of other derivatives."""

    place: Annotated[LocationDocument, doc(brief=KEPT)]
    mark: Annotated[str | None, doc(brief=KEPT)]
    key: str | None
    source_share: Annotated[
        float,
        doc(
            "how much of the deleted one's code came there; after several steps an estimate, their product",
            brief=Brief("share", _percent),
        ),
    ]
    confidence: Annotated[Confidence, doc("the least of all steps")]
    steps: Annotated[list[DerivationDocument], doc("derivations from the deleted one on, each by its derivative")]
    repository: RepositoryField = None


SourcesField = Annotated[list[DerivationDocument], doc("what its code came from; most of it first")]
DerivativesField = Annotated[list[DerivationDocument], doc("what its code came into; most of it first")]

CarriersField = Annotated[
    list[CarrierDocument],
    doc("if it is deleted, the definitions that now contain its code; the one with most of it first"),
]


class UnaskedDocument(Document, frozen=True):
    """Another repository that could not be asked, and why."""

    repository: str
    problem: str

    def in_brief(self) -> str:
        return in_a_line(f"{self.repository}: {self.problem}")


UnaskedField = Annotated[
    tuple[UnaskedDocument, ...], doc("with `--everywhere`: other repositories that could not be asked", brief=KEPT)
]


class SiteDocument(Document, frozen=True):
    """A line in which one definition mentions another."""

    path: str
    line: int

    def in_brief(self) -> str:
        return f"{self.path}:{self.line}"


def _brief_places(change: HasPlaces) -> tuple[str | None, str | None]:
    before, after = change.before, change.after
    return before.in_brief() if before else None, after.in_brief() if after else None


def location_document(location: Event | Location | Entity) -> LocationDocument:
    return make(LocationDocument, location)


def location_or_null(location: Event | Location | Entity | None) -> LocationDocument | None:
    return None if location is None else location_document(location)


def patch_document(patch: Patch) -> PatchDocument:
    return PatchDocument(patch.n_added, patch.n_removed, [_hunk_document(hunk) for hunk in patch.hunks])


def _hunk_document(patch_hunk: PatchHunk) -> HunkDocument:
    return make(HunkDocument, patch_hunk.hunk, lines=[line.sign + line.text for line in patch_hunk.lines])


def commit_document(commit: Commit) -> CommitDocument:
    return extended_commit_document(CommitDocument, commit)


def extended_commit_document(kind: type[CommitType], commit: Commit, **more: Any) -> CommitType:
    """Return a document that extends that of a commit by some fields."""
    dates = write_date(commit.at, commit.zone), write_date(commit.committed_at, commit.committed_zone)
    return kind(commit.id, commit.subject, commit.author, commit.email, *dates, **more)


def deletion_document(commit: Commit) -> DeletionDocument:
    """By a commit of git's history."""
    return DeletionDocument(commit.id, commit.subject, commit.author, write_date(commit.at, commit.zone), True)


def deletion_or_null(deletion: LedgerEvent | None, commits: Mapping[str, Commit]) -> DeletionDocument | None:
    return None if deletion is None else ledger_deletion_document(deletion, commits)


def ledger_deletion_document(deletion: LedgerEvent, commits: Mapping[str, Commit]) -> DeletionDocument:
    """By the ledger."""
    run, commit = deletion.run, commits.get(deletion.run.revision or "")
    if commit is None:
        return DeletionDocument(run.revision, None, None, write_date(run.at, _UTC), deletion.is_replayed)
    known = deletion_document(commit)
    return known if deletion.is_replayed else replace(known, date=write_date(run.at, _UTC), by_commit=False)


def write_date(at: int, zone: str) -> str:
    """Empty where git holds a time that no calendar has."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def carrier_documents(carriers: Iterable[Carrier]) -> list[CarrierDocument]:
    return [
        make(
            CarrierDocument,
            carrier.end,
            source_share=carrier.source_share,
            confidence=carrier.confidence,
            steps=derivation_documents(carrier.steps),
        )
        for carrier in carriers
    ]


def derivation_documents(ends: Iterable[DerivationEnd]) -> list[DerivationDocument]:
    return [make(DerivationDocument, end, status=_status(end.is_present)) for end in ends]


def _status(is_present: bool | None) -> RefStatus | None:
    return None if is_present is None else RefStatus.PRESENT if is_present else RefStatus.GONE


def unasked_documents(problems: Iterable[Problem]) -> tuple[UnaskedDocument, ...]:
    return tuple(UnaskedDocument(one.path, one.problem) for one in problems)
