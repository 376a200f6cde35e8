"""The shapes of subscriptions and scans. A field may be added, never renamed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from birthmark.store.model import ScanRecord
from birthmark.subscriptions.model import DocLink, Finding, Proposal, ScanReport, Subscription, Trigger
from birthmark.surfaces.wire import Document, encode_json
from birthmark.vocabulary import Muted


def subscription_document(subscription: Subscription, shelf: str | None = None) -> Document:
    """`stored` says where it is kept: `index` or `team`."""
    accepted, semantic = subscription.accepted, subscription.accepted.semantic
    return {
        "id": subscription.id,
        "ref": subscription.ref,
        "target": subscription.target,
        "path": accepted.path or None,
        "start_line": accepted.start_line or None,
        "end_line": accepted.end_line or None,
        "label": subscription.label,
        "description": subscription.description,
        "active": subscription.active,
        "trigger_on_duplicate": subscription.trigger_on_duplicate,
        "include_members": subscription.include_members,
        "include_private": subscription.include_private,
        "include_inherited": subscription.include_inherited,
        "track_decorators": subscription.track_decorators,
        "cosmetic": subscription.cosmetic,
        "semantic": semantic
        and {
            "language": semantic.language,
            "kind": semantic.kind,
            "qualname": semantic.qualname,
            "interface_hash": semantic.prints.interface,
            "body_hash": semantic.prints.body,
            "content_hash": semantic.prints.content,
            "documentation_hash": semantic.prints.documentation,
            "text_hash": semantic.prints.text,
            "version": semantic.prints.version,
        },
        "anchors": accepted.anchors and msgspec.to_builtins(accepted.anchors),
        "members": [{"name": member.name, "kind": member.kind, "origin": member.origin} for member in accepted.members],
        "mark": accepted.mark,
        "revision": accepted.revision,
        "snoozed_until": subscription.snoozed_until,
        "acknowledged": subscription.acknowledged is not None,
        "created_at": subscription.created_at,
        "updated_at": subscription.updated_at,
        "stored": shelf,
    }


def report_document(report: ScanReport) -> Document:
    labels = {found.subscription.id: found.subscription.label for found in report.findings}
    return {
        "base": report.base,
        "target": report.target,
        "scan": report.scan,
        "at": report.at,
        "triggers": [trigger_document(trigger, labels[trigger.subscription_id]) for trigger in report.triggers],
        "proposals": [proposal_document(proposal) for proposal in report.proposals],
        "ambiguous": [_ambiguous_document(found) for found in report.ambiguous],
        "unchanged": report.n_unchanged,
        "muted": {str(why): sum(found.muted == why for found in report.findings) for why in Muted},
        "inactive": report.n_inactive,
        "docs": [doc_document(link) for link in report.docs],
        "problems": [msgspec.structs.asdict(problem) for problem in report.problems],
    }


def trigger_document(trigger: Trigger, label: str | None = None) -> Document:
    return msgspec.structs.asdict(trigger) | {
        "matching_hunks": [msgspec.structs.asdict(hunk) for hunk in trigger.matching_hunks],
        "label": label,
    }


def proposal_document(proposal: Proposal) -> Document:
    return msgspec.structs.asdict(proposal)


def doc_document(link: DocLink) -> Document:
    return msgspec.structs.asdict(link)


def _ambiguous_document(found: Finding) -> Document:
    accepted = found.subscription.accepted
    return {
        "subscription_id": found.subscription.id,
        "path": accepted.path,
        "start_line": accepted.start_line,
        "end_line": accepted.end_line,
        "label": found.subscription.label,
        "locations": found.locations,
    }


def applied_document(applied: Iterable[Subscription], skipped: Iterable[tuple[str, str]]) -> Document:
    return {
        "applied": [{"subscription_id": one.id, **subscription_document(one)} for one in applied],
        "skipped": [{"subscription_id": id_, "reason": reason} for id_, reason in skipped],
    }


def scan_document(row: ScanRecord) -> Document:
    """A scan that was kept, without what it found."""
    return {"scan": row.scan, "at": row.at, "base": row.base, "target": row.target, "triggers": row.triggers}


def encode(report: ScanReport) -> str:
    return encode_json(report_document(report)).decode() + "\n"
