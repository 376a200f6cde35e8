"""Store, list and read scans.

Users see findings in repositories that are visible to them. The findings of the oldest scans are no longer stored;
users who see only some repositories do not see these scans, because it is not known which findings were visible.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from birthmark.app.across import ALL_VISIBLE, BORDER, Visible, is_visible
from birthmark.app.scans.subscription_repository import SubscriptionRepository
from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import FOLDER, Workspace
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Problem
from birthmark.store.model import KEPT_SCANS, Message, ScanRecord
from birthmark.subscriptions.model import ScanReport


def store_scan(
    workspace: Workspace, report: ScanReport, post: Callable[[ScanReport], list[Message]] | None
) -> ScanReport:
    try:
        with subscription_store(workspace) as store, store.writing():
            number = store.add_scan(report.at, report.base, report.target, len(report.triggers))
            stored = replace(report, scan=number)
            store.set_scan(number, msgspec.json.encode(stored))
            store.post(post(stored) if post is not None else ())
    except BirthmarkError as error:
        if post is not None:
            raise
        not_stored = Problem(FOLDER, f"the scan was not stored, so it cannot be applied: {error}")
        return replace(report, problems=(*report.problems, not_stored))
    return stored


def list_scans(workspace: Workspace, limit: int = 20, visible: Visible = ALL_VISIBLE) -> list[ScanRecord]:
    """The newest first, with how many visible triggers each has; of that, what was found is the only record."""
    if not has_subscriptions(workspace):
        return []
    with subscription_store(workspace) as store:
        if visible is ALL_VISIBLE:
            return store.scans(limit)
        rows = [store.scan(row.scan) for row in store.scans(min(limit, KEPT_SCANS))]
    return [_count_visible(row, visible) for row in rows if row is not None and row.document]


def _count_visible(row: ScanRecord, visible: Visible) -> ScanRecord:
    return row._replace(triggers=len(_with_visible(_decode(row), visible).triggers))


def read_scan(workspace: Workspace, number: int | None = None, visible: Visible = ALL_VISIBLE) -> ScanReport:
    """Return the report of a scan by number, or of the last one; without findings in invisible repositories."""
    row = None
    if has_subscriptions(workspace):
        with subscription_store(workspace) as store:
            row = store.scan(number)
    if row is None:
        which = "there is no scan yet" if number is None else f"there is no scan {number}"
        raise NotFoundError(f"{which}; run `birthmark scan` first")
    if not row.document:
        raise NotFoundError(f"what scan {row.scan} found is no longer stored; run `birthmark scan` again")
    report = _decode(row)
    return report if visible is ALL_VISIBLE else _as_visible(report, SubscriptionRepository(workspace), visible)


def _decode(row: ScanRecord) -> ScanReport:
    return msgspec.json.decode(row.document, type=prepared(ScanReport))


def _as_visible(report: ScanReport, subscriptions: SubscriptionRepository, visible: Visible) -> ScanReport:
    """Return the report without findings, problems and counts of invisible repositories."""
    known = {stored.subscription.repository for stored in subscriptions.all()}
    hidden = {name for name in known if not is_visible(name, visible)}
    uncounted = [one for one in report.elsewhere if not is_visible(one.repository, visible)]
    return replace(
        _with_visible(report, visible),
        problems=tuple(one for one in report.problems if one.path.partition(BORDER)[0] not in hidden),
        n_unchanged=report.n_unchanged - sum(one.n_unchanged for one in uncounted),
        n_inactive=report.n_inactive - sum(one.n_inactive for one in uncounted),
    )


def _with_visible(report: ScanReport, visible: Visible) -> ScanReport:
    findings = [found for found in report.findings if is_visible(found.subscription.repository, visible)]
    return replace(report, findings=tuple(findings))
