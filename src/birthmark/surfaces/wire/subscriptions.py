"""Documents of subscriptions and scans."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec.structs import asdict

from birthmark.app.subscriptions import Subscribed
from birthmark.comparison.patch import Patch
from birthmark.store.model import ScanRecord
from birthmark.subscriptions.model import (
    Anchors,
    ChangedPlace,
    ChangingCommit,
    DocLink,
    Explanation,
    Finding,
    Proposal,
    ScanReport,
    Semantic,
    Subscription,
    SubscriptionOptions,
    Trigger,
)
from birthmark.surfaces.formats.sentences import sentence
from birthmark.surfaces.wire.document import Document, ProblemDocument, doc, encode_json, make
from birthmark.surfaces.wire.patches import PatchDocument, patch_document
from birthmark.vocabulary import ChangeType, ComparedWith, Muted, SubscriptionTarget


class SemanticDocument(Document, frozen=True):
    """The entity of a subscription as it was accepted."""

    language: str
    kind: str
    qualname: str
    interface_hash: str
    body_hash: str | None
    content_hash: str
    documentation_hash: str | None
    text_hash: str
    version: Annotated[int, doc("of the way in which the hashes are computed")]


class MemberDocument(Document, frozen=True):
    """A member of a container that is subscribed to."""

    name: str
    kind: str
    origin: Annotated[str | None, doc("`path::name` of the container it is inherited from")]


class SubscriptionDocument(Document, SubscriptionOptions, frozen=True):
    """A subscription. Path, lines and hashes are those that are accepted."""

    id: str
    ref: Annotated[str, doc("as it was given")]
    target: SubscriptionTarget
    path: Annotated[str | None, doc("null for a pattern, as are the lines")]
    start_line: int | None
    end_line: int | None
    active: Annotated[bool, doc("scans skip it if false")]
    semantic: SemanticDocument | None
    anchors: Annotated[Anchors | None, doc("of a range of lines: what identifies it")]
    members: list[MemberDocument]
    mark: str | None
    revision: Annotated[str | None, doc("the commit at which it was accepted")]
    snoozed_until: str | None
    acknowledged: Annotated[bool, doc("whether the change that the last scan reported is acknowledged")]
    created_at: str
    updated_at: str
    stored: Annotated[str | None, doc("where: `index` or `team`")]


class SubscribedDocument(SubscriptionDocument, kw_only=True, frozen=True):
    """The subscription that a request led to."""

    created: Annotated[bool, doc("false if there was one to the same with the same options, which is this")]
    others: Annotated[list[str], doc("ids of subscriptions to the same with other options")]


class ExplainedDocument(Document, frozen=True):
    """By which commits something changed, and its lines that differ."""

    commits: Annotated[list[ChangingCommit], doc("that changed it, newest first; empty where that is not known")]
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
    name: Annotated[str | None, doc("its qualified name, null for the top level of a file")]
    path: str
    start_line: int
    end_line: int


class TriggerDocument(ExplainedDocument, kw_only=True, frozen=True):
    """A change that a subscription reports. Path, lines and name are the accepted ones."""

    subscription_id: str
    name: Annotated[str | None, doc("the qualified name; null for lines and patterns")]
    label: str | None
    path: str
    start_line: int
    end_line: int
    reasons: tuple[str, ...]
    change_type: ChangeType
    compared_with: Annotated[ComparedWith, doc("`base`; or `accepted`, if the base does not have it so")]
    summary: Annotated[str, doc("what changed, as a sentence without the name")]
    matching_hunks: list[ChangedLinesDocument]
    details: dict[str, Any]
    places: Annotated[list[PlaceDocument], doc("of what `details` names; the first are explained")]


class AmbiguousDocument(Document, frozen=True):
    """A subscription whose entity is gone, and several could be its successor."""

    subscription_id: str
    path: str
    start_line: int
    end_line: int
    label: str | None
    locations: tuple[str, ...]


class ReportDocument(Document, frozen=True):
    """What a scan found."""

    base: Annotated[str, doc("a commit id, `the worktree`, `the index`, or `the accepted states` if there are several")]
    target: Annotated[str, doc("likewise")]
    base_named: Annotated[bool, doc("false: each subscription is compared with what was accepted")]
    scan: Annotated[int | None, doc("its number, null if it is not stored")]
    at: str
    triggers: list[TriggerDocument]
    proposals: list[Proposal]
    ambiguous: list[AmbiguousDocument]
    unchanged: Annotated[int, doc("how many subscriptions are as they were accepted")]
    muted: Annotated[dict[str, int], doc("how many are `cosmetic`, `acknowledged`, `snoozed`")]
    inactive: Annotated[int, doc("how many subscriptions")]
    docs: Annotated[list[DocLink], doc("with `--docs`")]
    problems: list[ProblemDocument]


class AppliedSubscriptionDocument(SubscriptionDocument, kw_only=True, frozen=True):
    """A subscription with what is accepted now."""

    subscription_id: str


class SkippedDocument(Document, frozen=True):
    """A subscription to which a scan was not applied."""

    subscription_id: str
    reason: str


class AppliedDocument(Document, frozen=True):
    """What was accepted."""

    applied: list[AppliedSubscriptionDocument]
    skipped: list[SkippedDocument]
    dry_run: Annotated[bool, doc("true if nothing was changed")]


class ScanDocument(Document, frozen=True):
    """A stored scan, without its findings."""

    scan: int
    at: str
    base: str
    target: str
    triggers: Annotated[int, doc("how many")]


def subscription_document(subscription: Subscription, stored: str | None = None) -> SubscriptionDocument:
    """`stored` is where it is stored: `index` or `team`."""
    accepted = subscription.accepted
    return make(
        SubscriptionDocument,
        subscription,
        path=accepted.path or None,
        start_line=accepted.start_line or None,
        end_line=accepted.end_line or None,
        semantic=accepted.semantic and _semantic_document(accepted.semantic),
        anchors=accepted.anchors,
        members=accepted.members,
        mark=accepted.mark,
        revision=accepted.revision,
        acknowledged=subscription.acknowledged is not None,
        stored=stored,
    )


def subscribed_document(done: Subscribed) -> SubscribedDocument:
    document = subscription_document(done.subscription, done.home)
    return make(SubscribedDocument, document, created=done.is_new, others=done.others)


def _semantic_document(semantic: Semantic) -> SemanticDocument:
    fingerprints = semantic.fingerprints
    return make(
        SemanticDocument,
        semantic,
        interface_hash=fingerprints.interface,
        body_hash=fingerprints.body,
        content_hash=fingerprints.content,
        documentation_hash=fingerprints.documentation,
        text_hash=fingerprints.text,
        version=fingerprints.version,
    )


def report_document(report: ScanReport) -> ReportDocument:
    reported = [found for found in report.findings if found.trigger is not None and found.muted is None]
    return make(
        ReportDocument,
        report,
        base_named=report.is_base_named,
        triggers=[_trigger_document(found, found.trigger) for found in reported if found.trigger],
        ambiguous=[_ambiguous_document(found) for found in report.ambiguous],
        unchanged=report.n_unchanged,
        muted={str(why): sum(found.muted == why for found in report.findings) for why in Muted},
        inactive=report.n_inactive,
    )


def _trigger_document(found: Finding, trigger: Trigger) -> TriggerDocument:
    return make(
        TriggerDocument,
        trigger,
        label=found.subscription.label,
        summary=sentence(found),
        places=[_place_document(place) for place in trigger.places],
        **_explained(trigger.explanation),
    )


def _place_document(place: ChangedPlace) -> PlaceDocument:
    return make(PlaceDocument, place, name=place.name or None, **_explained(place.explanation))


def _explained(explanation: Explanation | None) -> dict[str, object]:
    known = explanation or Explanation()
    return {
        "commits": known.commits,
        "uncommitted": known.is_uncommitted,
        "patch": patch_document(Patch(None, None, known.hunks)) if known.hunks else None,
        "omitted_lines": known.n_omitted,
        "old_signature": known.old_signature,
        "new_signature": known.new_signature,
    }


def _ambiguous_document(found: Finding) -> AmbiguousDocument:
    subscription, accepted = found.subscription, found.subscription.accepted
    label, locations = subscription.label, found.locations
    return make(AmbiguousDocument, accepted, subscription_id=subscription.id, label=label, locations=locations)


def applied_document(
    applied: Iterable[Subscription], skipped: Iterable[tuple[str, str]], dry_run: bool
) -> AppliedDocument:
    return AppliedDocument(
        [AppliedSubscriptionDocument(subscription_id=one.id, **asdict(subscription_document(one))) for one in applied],
        [SkippedDocument(id_, reason) for id_, reason in skipped],
        dry_run,
    )


def scan_document(row: ScanRecord) -> ScanDocument:
    return make(ScanDocument, row)


def encode_report(report: ScanReport) -> str:
    return encode_json(report_document(report)).decode() + "\n"
