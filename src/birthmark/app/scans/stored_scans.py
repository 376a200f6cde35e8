"""Store, list and read scans and their messages.

Users see findings in repositories that are visible to them. The findings of the oldest scans are no longer stored;
users who see only some repositories do not see these scans, because it is not known which findings were visible.
The server part makes and sends the messages; dead ones can be tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from birthmark.app.across import ALL_VISIBLE, Visible, is_visible
from birthmark.app.scans.subscription_repository import SubscriptionRepository
from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import FOLDER, Workspace, find_workspace
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Problem
from birthmark.store.model import KEPT_SCANS, Message, ScanRecord
from birthmark.store.port import SubscriptionStore
from birthmark.subscriptions.model import ScanReport
from birthmark.vocabulary import DeliveryState
from birthmark.words import BORDER


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


def list_messages(folder: Path) -> list[Message]:
    with outbox(find_workspace(folder)) as store:
        return store.messages() if store else []


def retry_messages(folder: Path, ids: Sequence[str] = ()) -> int:
    """Make dead messages pending, those named or all, and return how many."""
    with outbox(find_workspace(folder)) as store:
        return len(retry_dead(store, ids)) if store else 0


def retry_message(folder: Path, id_: str) -> Message:
    """Make a dead message pending; one that is pending stays as it is."""
    with outbox(find_workspace(folder)) as store:
        message = next((one for one in store.messages() if one.message == id_), None) if store else None
        if store is None or message is None:
            raise NotFoundError(f"{id_}: there is no such message; `birthmark deliver --list` shows them")
        if message.state == DeliveryState.DELIVERED:
            raise BirthmarkError(f"{id_}: was delivered, so it is not sent again")
        return retry_dead(store, [id_])[0] if message.state == DeliveryState.DEAD else message


@contextmanager
def outbox(workspace: Workspace) -> Iterator[SubscriptionStore | None]:
    """Open the store of messages; yield None if there are no subscriptions yet."""
    if not has_subscriptions(workspace):
        yield None
        return
    with subscription_store(workspace) as store:
        yield store


def retry_dead(store: SubscriptionStore, ids: Sequence[str] = ()) -> list[Message]:
    """Have dead messages tried again from the start: those that are named, or all."""
    with store.writing():
        dead = {message.message: message for message in store.messages(DeliveryState.DEAD)}
        for id_ in ids:
            if id_ not in dead:
                raise BirthmarkError(f"{id_} is no dead message; `birthmark deliver --list` shows them")
        revived = [dead[id_]._replace(state=DeliveryState.PENDING, attempts=0, next_at=0.0) for id_ in ids or dead]
        for message in revived:
            store.settle(message)
    return revived
