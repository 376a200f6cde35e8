"""Read the accepted and the current state of a subscription, and the reports of scans about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from birthmark.app.across import ALL_VISIBLE, Visible
from birthmark.app.scans.bases import base_of, opened_for
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.scans.stored_scans import list_scans, read_scan
from birthmark.app.scans.subscription_repository import find_subscriptions
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import location_of
from birthmark.app.workspace.workspace import Workspace
from birthmark.comparison.patch import lines_of
from birthmark.documents.scans import SubscriptionStateDocument, state_document
from birthmark.store.model import KEPT_SCANS
from birthmark.subscriptions.model import Finding, Subscription


class PastTrigger(NamedTuple):
    """A finding about a subscription that a stored scan reported."""

    scan: int
    at: str
    finding: Finding


def read_state(session: Session, id_: str) -> SubscriptionStateDocument:
    """Return the state of a subscription, with its accepted lines if they are stored."""
    subscription = find_subscriptions(session.workspace, [id_], session.visible)[0].subscription
    report = scan(session, ScanOptions(ids=(subscription.id,), record=False))
    found = next(iter(report.findings), Finding(subscription))
    return state_document(found, _accepted_source(session, subscription))


def _accepted_source(session: Session, subscription: Subscription) -> str | None:
    accepted = subscription.accepted
    if not accepted.path:
        return None
    with opened_for(session.repository, subscription) as repository:
        content = base_of(repository, subscription).content(accepted.path)
    if content is None:
        return None
    return "\n".join(lines_of(content)[accepted.start_line - 1 : accepted.end_line])


def past_triggers(
    workspace: Workspace, ids: Collection[str], n_scans: int, visible: Visible = ALL_VISIBLE
) -> Iterator[PastTrigger]:
    """Yield the findings that the last scans reported about some or all subscriptions, newest first."""
    for row in list_scans(workspace, n_scans):
        report = read_scan(workspace, row.scan, visible) if row.triggers else None
        for found in report.findings if report else ():
            is_reported = found.trigger is not None and found.muted is None
            if is_reported and (not ids or found.subscription.id in ids):
                yield PastTrigger(row.scan, row.at, found)


class SubscriptionFeed(NamedTuple):
    """A feed of one subscription, or of all if it is None; triggers are ordered by scan, newest first."""

    root: Path
    subscription: Subscription | None
    triggers: tuple[PastTrigger, ...]
    repository: str = ""  # its name in a database of many


def read_feed(workspace: Workspace, id_: str | None = None, visible: Visible = ALL_VISIBLE) -> SubscriptionFeed:
    found = find_subscriptions(workspace, [id_], visible)[0].subscription if id_ is not None else None
    triggers = past_triggers(workspace, [found.id] if found else [], KEPT_SCANS, visible)
    return SubscriptionFeed(workspace.root, found, tuple(triggers), location_of(workspace).repository)
