"""Decide which findings are reported: accept, acknowledge, snooze and deactivate, and the triggers of a scan.

Each function that changes a subscription returns the changed one. `trigger_of` gives the trigger of a finding, `mute`
why it may be silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from birthmark.comparison.patch import Hunk
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.subscriptions.model import ChangedPlace, Finding, Subscription, Trigger, timestamp
from birthmark.vocabulary import ChangeType, Muted

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def accept(
    finding: Finding, current: Subscription | None, tree: RepositoryState | None, *, is_named: bool = True
) -> Subscription | str:
    """The subscription with what was found as its accepted state, or why not.

    `tree` is where it was found, if that may have changed since. A snoozed finding was not reported, so it is accepted
    only if its subscription is named.
    """
    if current is None:
        return "the subscription was deleted"
    if current.accepted == finding.after:
        return "it is accepted already"
    if current.accepted != finding.subscription.accepted:
        return "it was changed since the scan; scan again"
    if finding.muted is Muted.SNOOZED and not is_named:
        return "it is snoozed; name it to accept it"
    if finding.after is None:
        return _why_nothing(finding)
    if tree is not None and any(
        (tree.content_id(path) or "") != content for path, content in finding.after.files.items()
    ):
        return "its file was changed since the scan; scan again"
    return replace(current, accepted=finding.after, acknowledged=None, updated_at=timestamp())


def _why_nothing(finding: Finding) -> str:
    if finding.is_ambiguous:
        return "it is ambiguous; subscribe to the right one"
    if finding.trigger is None and finding.proposal is not None:
        return "it was changed before the base of that scan; scan without --base to accept it"
    return "there is nothing to accept"


def acknowledge(finding: Finding, current: Subscription) -> Subscription:
    """Stop reporting a finding until the target changes further; the accepted state stays the same."""
    return replace(current, acknowledged=_change_digest(finding), updated_at=timestamp())


def snooze(current: Subscription, until: str) -> Subscription:
    return replace(current, snoozed_until=read_until(until), updated_at=timestamp())


def set_active(current: Subscription, active: bool) -> Subscription:
    """Reactivating also ends a snooze."""
    snoozed_until = None if active else current.snoozed_until
    return replace(current, active=active, snoozed_until=snoozed_until, updated_at=timestamp())


def read_until(text: str, now: datetime | None = None) -> str:
    """`3d`, `12h`, `2w`, a date or a time."""
    now = now or datetime.now(UTC)
    try:
        if text[-1:] in _UNITS and text[:-1].isdigit():
            return timestamp(now + timedelta(**{_UNITS[text[-1]]: int(text[:-1])}))
        if len(text) <= len("2026-12-31"):
            return timestamp(datetime.combine(date.fromisoformat(text), time(), UTC))
        at = datetime.fromisoformat(text)
        return timestamp(at if at.tzinfo else at.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise BirthmarkError(f"{text!r} is no time; write 3d, 12h, 2w or 2026-12-31") from None


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
    elif subscription.acknowledged == _change_digest(finding):
        why = Muted.ACKNOWLEDGED
    elif trigger.change_type is ChangeType.COSMETIC:
        why = None if with_cosmetic or subscription.cosmetic else Muted.COSMETIC
    return msgspec.structs.replace(finding, muted=why)


def _change_digest(finding: Finding) -> str:
    """The same for the same change, whenever it is found."""
    trigger, after = finding.trigger, finding.after
    fingerprints = after.semantic.fingerprints if after is not None and after.semantic is not None else None
    text = after.anchors.text if after is not None and after.anchors is not None else None
    members = [member.fingerprints.content for member in after.members] if after is not None else []
    change = trigger and (trigger.change_type, trigger.reasons, trigger.details)
    parts = (change, fingerprints, text, members, finding.contents, finding.locations)
    return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()[:16]
