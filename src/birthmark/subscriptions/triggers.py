"""Triggers: what is reported of a finding, and why it may be muted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

import msgspec

from birthmark.matching.line_hunks import Hunk
from birthmark.subscriptions.model import ChangedPlace, Finding, Subscription, Trigger
from birthmark.vocabulary import ChangeType, Muted


def trigger_of(
    subscription: Subscription,
    change_type: ChangeType,
    reasons: tuple[str, ...],
    details: Mapping[str, object] | None = None,
    hunks: tuple[Hunk, ...] = (),
    places: tuple[ChangedPlace, ...] = (),
) -> Trigger:
    accepted = subscription.accepted
    location = accepted.path, accepted.start_line, accepted.end_line
    name = accepted.semantic.qualname if accepted.semantic is not None else None
    ordered = tuple(sorted(places, key=lambda one: (one.change == "removed", one.path, one.start_line)))
    return Trigger(subscription.id, *location, reasons, change_type, hunks, dict(details or {}), name, ordered)


def mute(finding: Finding, with_cosmetic: bool, now: datetime | None = None) -> Finding:
    """A finding with the reason why it is not reported, if there is one."""
    subscription, trigger = finding.subscription, finding.trigger
    why = None
    if trigger is None:
        return finding
    if subscription.is_snoozed(now):
        why = Muted.SNOOZED
    elif subscription.acknowledged == change_digest(finding):
        why = Muted.ACKNOWLEDGED
    elif trigger.change_type is ChangeType.COSMETIC:
        why = None if with_cosmetic or subscription.cosmetic else Muted.COSMETIC
    return msgspec.structs.replace(finding, muted=why)


def change_digest(finding: Finding) -> str:
    """The same for the same change, whenever it is found."""
    trigger, after = finding.trigger, finding.after
    fingerprints = after.semantic.fingerprints if after is not None and after.semantic is not None else None
    text = after.anchors.text if after is not None and after.anchors is not None else None
    members = [member.fingerprints.content for member in after.members] if after is not None else []
    change = trigger and (trigger.change_type, trigger.reasons, trigger.details)
    parts = (change, fingerprints, text, members, finding.contents, finding.locations)
    return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()[:16]
