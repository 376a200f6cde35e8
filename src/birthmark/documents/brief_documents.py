"""Make brief documents from the documents of the other surfaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UnsetType

from birthmark.app.across import place_elsewhere
from birthmark.documents.answers import CandidateDocument, LedgerEventDocument, NoteDocument
from birthmark.documents.brief import (
    BriefCandidate,
    BriefChange,
    BriefCommit,
    BriefEntity,
    BriefEvent,
    BriefFreshness,
    BriefHit,
    BriefLedgerEvent,
    BriefLink,
    BriefNote,
    BriefSubscription,
    BriefUse,
)
from birthmark.documents.changes import EntityChangeDocument, HistoryEventDocument
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.listings import SearchResultDocument
from birthmark.documents.parts import (
    CarrierDocument,
    CommitDocument,
    DeletionDocument,
    DerivationDocument,
    LocationDocument,
    PatchDocument,
    UnaskedDocument,
)
from birthmark.documents.scans import PastTriggerDocument
from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.documents.uses import EdgeDocument, ImpactUserDocument, ReachingTestDocument, UseDocument

_COMMIT_DIGITS, _DATE_LENGTH = 12, 10
_LONGEST_LINE = 160  # characters of a signature, a subject or a line
_MOST_PATCH_LINES = 40
_MOST_REPORTS = 3  # of a subscription
_TOP_LEVEL = "top level"


def shorten(text: str | None) -> str:
    """One line of limited length."""
    line = " ".join((text or "").split())
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def place_of(path: str, start_line: int, end_line: int) -> str:
    return f"{path}:{start_line}-{end_line}" if end_line > start_line else f"{path}:{start_line}"


def former_place(location: LocationDocument | None) -> str:
    return f"{location.path}::{location.qualified_name}" if location is not None else ""


def brief_entity(entity: EntityDocument, repository: str | None = None) -> BriefEntity:
    place = place_elsewhere(repository, place_of(entity.path, entity.start_line, entity.end_line))
    return BriefEntity(entity.mark, entity.qualified_name, entity.kind, place, shorten(entity.signature))


def brief_freshness(freshness: FreshnessDocument) -> BriefFreshness:
    revision = (freshness.indexed_revision or "")[:_COMMIT_DIGITS]
    return BriefFreshness(freshness.fresh, revision, len(freshness.pending), freshness.problem or "")


def brief_commit(commit: CommitDocument | DeletionDocument) -> BriefCommit:
    return BriefCommit(
        (commit.commit or "")[:_COMMIT_DIGITS],
        commit.date[:_DATE_LENGTH],
        commit.author or "",
        shorten(commit.subject),
    )


def brief_deletion(deletion: DeletionDocument | None) -> BriefCommit | None:
    return brief_commit(deletion) if deletion is not None else None


def brief_links(ends: Iterable[DerivationDocument | CarrierDocument]) -> tuple[BriefLink, ...]:
    """How much of the source's code came there, or, of a derivation, how much of its code came from there."""
    return tuple(BriefLink(former_place(end.place), round(_share(end), 2), end.mark or "") for end in ends)


def _share(end: DerivationDocument | CarrierDocument) -> float:
    return end.share if isinstance(end, DerivationDocument) else end.source_share


def brief_note(note: NoteDocument) -> BriefNote:
    name = note.place.qualified_name if note.place is not None else note.accepted.qualified_name
    return BriefNote(
        note.id,
        note.text,
        note.updated_at[:_DATE_LENGTH],
        name,
        note.mark or "",
        note.author or "",
        note.stale,
        tuple(map(str, note.aspects)),
    )


def brief_hit(result: SearchResultDocument) -> BriefHit:
    former = result.former_name.qualified_name if result.former_name is not None else ""
    line = shorten(result.found.text) if result.found is not None else ""
    entity = brief_entity(result.entity, result.repository)
    return BriefHit(
        entity.mark, entity.name, entity.kind, entity.place, entity.signature, str(result.match), former, line
    )


def brief_candidate(candidate: CandidateDocument) -> BriefCandidate:
    place = place_of(candidate.path, candidate.start_line, candidate.end_line)
    names = candidate.mark, candidate.qualified_name, place, str(candidate.status)
    return BriefCandidate(*names, shorten(candidate.signature))


def brief_ledger_event(event: LedgerEventDocument) -> BriefLedgerEvent:
    commit = (event.revision or "")[:_COMMIT_DIGITS]
    return BriefLedgerEvent(
        str(event.change), commit, shorten(event.subject), *_places_if_changed(event.before, event.after)
    )


def _places_if_changed(before: LocationDocument | None, after: LocationDocument | None) -> tuple[str, str]:
    old, new = former_place(before), former_place(after)
    return (old, new) if old != new else ("", "")


def brief_event(event: HistoryEventDocument) -> BriefEvent:
    commit = brief_commit(event)
    return BriefEvent(
        commit.commit,
        commit.date,
        commit.author,
        commit.subject,
        tuple(map(str, event.changes)),
        *_places_if_changed(event.before, event.after),
        event.member or "",
        _patch_text(event.patch),
    )


def _patch_text(patch: PatchDocument | UnsetType) -> str:
    """As in a unified diff; the first lines of a long one."""
    if isinstance(patch, UnsetType):
        return ""
    lines = [line for hunk in patch.hunks for line in (f"@@ -{hunk.old_start} +{hunk.new_start} @@", *hunk.lines)]
    n_more = len(lines) - _MOST_PATCH_LINES
    return "\n".join([*lines[:_MOST_PATCH_LINES], *([f"… {n_more} more lines"] if n_more > 0 else [])])


def brief_change(change: EntityChangeDocument) -> BriefChange:
    before, after = former_place(change.before), former_place(change.after)
    return BriefChange(
        str(change.change),
        change.kind,
        change.mark or "",
        before if before != after else "",
        after,
        tuple(map(str, change.aspects)),
        _patch_text(change.patch),
    )


def brief_user(edge: EdgeDocument) -> BriefUse:
    name, mark = _name_of(edge.entity)
    at = place_elsewhere(edge.repository, _site(edge.site.path, edge.site.line))
    return BriefUse(name, at, mark, str(edge.edge), str(edge.resolution))


def brief_callee(edge: EdgeDocument) -> BriefUse:
    """By the name that is called, where it is not known what that is. The line is here, though it may be elsewhere."""
    name, mark = _name_of(edge.entity, edge.name)
    if edge.entity is not None and edge.repository is not None:
        name = place_elsewhere(edge.repository, f"{edge.entity.path}::{name}")
    return BriefUse(name, _site(edge.site.path, edge.site.line), mark, str(edge.edge), str(edge.resolution))


def brief_unasked(unasked: Iterable[UnaskedDocument]) -> tuple[str, ...]:
    return tuple(shorten(f"{one.repository}: {one.problem}") for one in unasked)


def _name_of(entity: EntityDocument | None, unknown: str = _TOP_LEVEL) -> tuple[str, str]:
    return (entity.qualified_name, entity.mark) if entity is not None else (unknown, "")


def _site(path: str, line: int) -> str:
    return f"{path}:{line}"


def brief_impact(user: ImpactUserDocument) -> BriefUse:
    name, mark = _name_of(user.entity)
    at = place_elsewhere(user.repository, _site(user.site.path, user.site.line))
    through = user.through if user.depth > 1 else ""
    return BriefUse(name, at, mark, str(user.edge), str(user.resolution), user.depth, user.is_test, through)


def brief_step(depth: int, step: UseDocument) -> BriefUse:
    name, mark = _name_of(step.user)
    used = _name_of(step.used)[0]
    at = _site(step.site.path, step.site.line)
    return BriefUse(name, at, mark, str(step.edge), str(step.resolution), depth, through=used)


def brief_test(test: ReachingTestDocument) -> BriefUse:
    way = [step.qualified_name or step.path for step in test.way[:-1]]
    at = _site(test.path, test.start_line) if test.start_line is not None else test.path
    through = " > ".join(way)
    return BriefUse(test.id, at, test.mark or "", depth=test.distance, test=True, through=through)


def brief_subscription(subscription: SubscriptionDocument, reports: Sequence[PastTriggerDocument]) -> BriefSubscription:
    path, start, end = subscription.path, subscription.start_line, subscription.end_line
    place = place_of(path, start, end) if path is not None and start is not None and end is not None else path or ""
    return BriefSubscription(
        subscription.id,
        place_elsewhere(subscription.repository, subscription.ref),
        str(subscription.target),
        subscription.mark or "",
        place_elsewhere(subscription.repository, place) if place else "",
        subscription.label or "",
        shorten(subscription.description),
        subscription.active,
        subscription.acknowledged,
        tuple(f"scan {one.scan}, {one.at[:_DATE_LENGTH]}: {shorten(one.summary)}" for one in reports[:_MOST_REPORTS]),
    )
