"""Documents of scans: what a report has of each subscription, and why."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from birthmark.comparison.patch import Patch
from birthmark.documents.document import (
    Document,
    PagedDocument,
    ProblemDocument,
    doc,
    encode_json,
    make,
)
from birthmark.documents.parts import CommitDocument, PatchDocument, commit_document, patch_document
from birthmark.documents.sentences import sentence, subject_name, title
from birthmark.subscriptions.model import (
    ChangedPlace,
    Explanation,
    Finding,
    Proposal,
    ScanReport,
    Trigger,
    timestamp,
)
from birthmark.vocabulary import AnchorStatus, ChangeType, ComparedWith, Confidence, DeliveryState, Muted

if TYPE_CHECKING:
    from birthmark.store.model import Message, ScanRecord


class ExplainedDocument(Document, frozen=True):
    """By which commits something changed, and its lines that differ."""

    commits: Annotated[list[CommitDocument], doc("that changed it, newest first; empty where that is not known")]
    uncommitted: Annotated[bool, doc("whether some of it is in the worktree alone")]
    patch: Annotated[PatchDocument | None, doc("the lines that differ, null where they were not read")]
    omitted_lines: Annotated[int, doc("of a long patch, how many are left out")]
    old_signature: Annotated[str | None, doc("null if it is the new one, as is the new one")]
    new_signature: str | None


class ChangedLinesDocument(Document, frozen=True):
    """Lines that were replaced, numbered as in a unified diff."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class PlaceDocument(ExplainedDocument, kw_only=True, frozen=True):
    """A member, match or user that a trigger names: where it is now, or was if it is gone."""

    change: Annotated[str, doc("the field of `details` that names it")]
    qualified_name: Annotated[str | None, doc("null for the top level of a file")]
    path: str
    start_line: int
    end_line: int


class TriggerDocument(ExplainedDocument, kw_only=True, frozen=True):
    """A change that a subscription reports. Path, lines and name are those of the state that it compares with."""

    subscription_id: str
    subject: Annotated[str, doc("the name, place or pattern that it is about, as a sentence has it")]
    qualified_name: Annotated[str | None, doc("null for lines and patterns")]
    label: str | None
    repository: Annotated[str | None, doc("another one, that has it; null: this one")]
    path: str
    start_line: int
    end_line: int
    reasons: tuple[str, ...]
    change_type: ChangeType
    compared_with: Annotated[ComparedWith, doc("`base`; or `accepted`, if no base was named or it lacks the target")]
    summary: Annotated[str, doc("the subject and what changed, as a sentence")]
    matching_hunks: list[ChangedLinesDocument]
    details: dict[str, Any]
    places: Annotated[list[PlaceDocument], doc("of what `details` names; the first are explained")]


class ProposalDocument(Document, frozen=True):
    """The new location that a scan proposes for a subscription."""

    subscription_id: str
    repository: Annotated[str | None, doc("another one, that has it; null: this one")]
    old_path: str
    old_start: int
    old_end: int
    new_path: str
    new_start: int
    new_end: int
    reasons: tuple[str, ...]
    confidence: Confidence
    new_qualname: Annotated[str | None, doc("null if it is the old one")]
    new_kind: Annotated[str | None, doc("null if it is the old one")]


class AmbiguousDocument(Document, frozen=True):
    """A subscription whose entity is gone, and several could be its successor."""

    subscription_id: str
    repository: Annotated[str | None, doc("another one, that has it; null: this one")]
    path: str
    start_line: int
    end_line: int
    label: str | None
    locations: tuple[str, ...]


class DocLinkDocument(Document, frozen=True):
    """A REF in a document, and what became of the entity it names since its paragraph was last changed."""

    path: str
    line: int
    ref: str
    status: AnchorStatus
    reasons: Annotated[tuple[str, ...], doc("changes; `not_indexed` if it is unknown because only an index knows it")]
    written_at: Annotated[str | None, doc("the commit that changed its paragraph last, null if that is not committed")]
    since: Annotated[str | None, doc("the first commit after that which changed the entity, null if not committed")]
    now: Annotated[str | None, doc("where it is now")]
    replacement: Annotated[str | None, doc("of a moved one: the REF that names it now")]
    kept_because: Annotated[str | None, doc("why `--fix` leaves a moved one alone")]
    fixed: Annotated[bool, doc("whether `--fix` has written the replacement")]


class ReportDocument(PagedDocument, frozen=True):
    """The findings of a scan."""

    base: Annotated[str, doc("a commit id, `the worktree`, `the index`, or `the accepted states` if there are several")]
    target: Annotated[str, doc("likewise")]
    base_named: Annotated[bool, doc("false: each subscription is compared with what was accepted")]
    scan: Annotated[int | None, doc("its number, null if it is not stored")]
    at: str
    triggers: list[TriggerDocument]
    proposals: list[ProposalDocument]
    ambiguous: list[AmbiguousDocument]
    unchanged: Annotated[int, doc("how many subscriptions are as they were accepted, or as in the named base")]
    muted: Annotated[dict[str, int], doc("how many are `cosmetic`, `acknowledged`, `snoozed`")]
    inactive: Annotated[int, doc("how many subscriptions")]
    docs: Annotated[list[DocLinkDocument], doc("with `--docs`")]
    problems: list[ProblemDocument]


class ScanDocument(Document, frozen=True):
    """A stored scan, without its findings."""

    scan: int
    at: str
    base: str
    target: str
    triggers: Annotated[int, doc("how many; over HTTP, those that the token may see")]


class PastTriggerDocument(Document, frozen=True):
    """A trigger from a stored scan."""

    subscription_id: str
    scan: int
    at: str
    reasons: tuple[str, ...]
    change_type: ChangeType
    summary: Annotated[str, doc("what changed, as a sentence without the name")]


class SubscriptionStateDocument(Document, frozen=True):
    """The accepted state of a subscription, and the changes that a scan finds now."""

    accepted_source: Annotated[str | None, doc("its lines; null for a pattern, and where they are not kept")]
    trigger: Annotated[TriggerDocument | None, doc("null if a scan finds no change; scans skip what is inactive")]
    proposal: ProposalDocument | None
    locations: Annotated[tuple[str, ...], doc("where it may be, if it is gone and several could be it")]
    muted: Annotated[Muted | None, doc("why a scan does not report it")]


class ScanPage(PagedDocument, frozen=True):
    """Stored scans, the newest first."""

    items: list[ScanDocument]


class PastTriggerPage(PagedDocument, frozen=True):
    """Triggers that stored scans have reported, the newest first."""

    items: list[PastTriggerDocument]


class WebhookDocument(Document, frozen=True):
    """The body of a webhook request."""

    type: Annotated[str, doc("`birthmark.scan.triggered`")]
    timestamp: str
    data: ReportDocument


def report_document(report: ScanReport) -> ReportDocument:
    reported = [found for found in report.findings if found.trigger is not None and found.muted is None]
    return make(
        ReportDocument,
        report,
        base_named=report.is_base_named,
        triggers=[_trigger_document(found, found.trigger) for found in reported if found.trigger],
        proposals=[_proposal_document(found, found.proposal) for found in report.findings if found.proposal],
        ambiguous=[_ambiguous_document(found) for found in report.ambiguous],
        unchanged=report.n_unchanged,
        muted={str(why): sum(found.muted == why for found in report.findings) for why in Muted},
        inactive=report.n_inactive,
    )


def _trigger_document(found: Finding, trigger: Trigger) -> TriggerDocument:
    return make(
        TriggerDocument,
        trigger,
        subject=subject_name(found.subscription),
        qualified_name=trigger.name,
        label=found.subscription.label,
        repository=found.subscription.repository,
        summary=title(found),
        places=[_place_document(place) for place in trigger.places],
        **_explained(trigger.explanation),
    )


def _proposal_document(found: Finding, proposal: Proposal) -> ProposalDocument:
    return make(ProposalDocument, proposal, repository=found.subscription.repository)


def _place_document(place: ChangedPlace) -> PlaceDocument:
    return make(PlaceDocument, place, qualified_name=place.name or None, **_explained(place.explanation))


def _explained(explanation: Explanation | None) -> dict[str, object]:
    known = explanation or Explanation()
    return {
        "commits": [commit_document(commit) for commit in known.commits],
        "uncommitted": known.is_uncommitted,
        "patch": patch_document(Patch(None, None, known.hunks)) if known.hunks else None,
        "omitted_lines": known.n_omitted,
        "old_signature": known.old_signature,
        "new_signature": known.new_signature,
    }


def _ambiguous_document(found: Finding) -> AmbiguousDocument:
    subscription, accepted = found.subscription, found.subscription.accepted
    return make(
        AmbiguousDocument,
        accepted,
        subscription_id=subscription.id,
        repository=subscription.repository,
        label=subscription.label,
        locations=found.locations,
    )


def past_trigger_document(scan: int, at: str, finding: Finding) -> PastTriggerDocument:
    return make(PastTriggerDocument, finding.trigger, scan=scan, at=at, summary=sentence(finding))


def state_document(found: Finding, accepted_source: str | None) -> SubscriptionStateDocument:
    trigger = found.trigger and _trigger_document(found, found.trigger)
    proposal = found.proposal and _proposal_document(found, found.proposal)
    return make(SubscriptionStateDocument, found, accepted_source=accepted_source, trigger=trigger, proposal=proposal)


def scan_document(row: ScanRecord) -> ScanDocument:
    return make(ScanDocument, row)


def encode_report(report: ScanReport) -> str:
    return encode_json(report_document(report)).decode() + "\n"


# Messages about scans


class MessageDocument(Document, frozen=True):
    """A message to a webhook or a mailbox."""

    id: str
    scan: int
    sink: Annotated[str, doc("the name of a webhook or an address in the settings")]
    state: Annotated[str, doc("`pending`, `delivered` or `dead`")]
    attempts: int
    next_at: Annotated[str | None, doc("when it is sent next, null if it is not")]
    error: Annotated[str | None, doc("of the last attempt")]
    created_at: str


class MessagePage(PagedDocument, frozen=True):
    """Messages to webhooks and mailboxes, the newest first."""

    items: list[MessageDocument]


def message_document(message: Message) -> MessageDocument:
    return make(MessageDocument, message, id=message.message, next_at=next_attempt(message))


def next_attempt(message: Message) -> str | None:
    """Return the time of the next attempt, or None if the message is not sent again."""
    if message.state != DeliveryState.PENDING:
        return None
    return timestamp(datetime.fromtimestamp(message.next_at, UTC)) if message.next_at else message.created_at
