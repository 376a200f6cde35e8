"""Accept or acknowledge a finding, snooze or deactivate a subscription: each gives the changed subscription."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from msgspec.structs import replace

from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.subscriptions.model import Finding, Subscription, timestamp
from birthmark.subscriptions.triggers import change_digest
from birthmark.vocabulary import Muted

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
        return "it is ambiguous; subscribe to the right one" if finding.is_ambiguous else "there is nothing to accept"
    if tree is not None and any(
        (tree.content_id(path) or "") != content for path, content in finding.after.files.items()
    ):
        return "its file was changed since the scan; scan again"
    return replace(current, accepted=finding.after, acknowledged=None, updated_at=timestamp())


def acknowledge(finding: Finding, current: Subscription) -> Subscription:
    """Not reported again until it changes further; what is accepted stays what it was."""
    return replace(current, acknowledged=change_digest(finding), updated_at=timestamp())


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
