"""Subscriptions and scans over HTTP. A scan is stored, but no message is sent."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import asdict

from birthmark.app.scans import scanning, stored_scans, subscription_repository, subscription_states, subscriptions
from birthmark.app.scans.scanning import ScanOptions
from birthmark.documents.scans import (
    PastTriggerPage,
    ReportDocument,
    ScanPage,
    SubscriptionStateDocument,
    past_trigger_document,
    report_document,
    scan_document,
    state_document,
)
from birthmark.documents.subscriptions import (
    AppliedDocument,
    SubscribedDocument,
    SubscriptionDocument,
    SubscriptionPage,
    applied_document,
    subscribed_document,
    subscription_document,
)
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.http.routes.paging import cut_page, page_of
from birthmark.surfaces.http.routes.requests import ApplyRequest, HttpQuery, NewSubscription, ScanRequest, Snooze


def list_subscriptions(query: HttpQuery) -> SubscriptionPage:
    found = subscription_repository.list_subscriptions(query.folder, query.visible)
    items, end = page_of(query, (subscription_document(*stored) for stored in found))
    return SubscriptionPage(items, **end._asdict())


def get_subscription(query: HttpQuery) -> SubscriptionDocument:
    found = subscription_repository.find_subscriptions(query.folder, [query.values["id"]], query.visible)
    return subscription_document(*found[0])


def get_state(query: HttpQuery) -> SubscriptionStateDocument:
    with query.open() as session:
        return state_document(subscription_states.read_state(session, query.values["id"]))


def list_triggers(query: HttpQuery) -> PastTriggerPage:
    found = subscription_states.past_triggers(query.folder, query.listed("ids"), query.values["scans"], query.visible)
    items, end = page_of(query, map(past_trigger_document, found))
    return PastTriggerPage(items, **end._asdict())


def subscribe(query: HttpQuery) -> SubscribedDocument:
    assert isinstance(query.body, NewSubscription)
    with query.open() as session:
        return subscribed_document(subscriptions.subscribe(session, query.body))


def update_subscription(query: HttpQuery) -> SubscriptionDocument:
    changes = {name: value for name, value in asdict(query.body).items() if value is not UNSET}
    with query.open() as session:
        return subscription_document(*subscriptions.update_subscription(session, query.values["id"], changes))


def acknowledge(query: HttpQuery) -> SubscriptionDocument:
    return _act(query, "acknowledge")


def reactivate(query: HttpQuery) -> SubscriptionDocument:
    return _act(query, "reactivate")


def deactivate(query: HttpQuery) -> SubscriptionDocument:
    return _act(query, "deactivate")


def delete(query: HttpQuery) -> SubscriptionDocument:
    """The answer is the subscription that was deleted."""
    return _act(query, "delete")


def snooze(query: HttpQuery) -> SubscriptionDocument:
    assert isinstance(query.body, Snooze)
    return _act(query, "snooze", query.body.until)


def _act(query: HttpQuery, action: str, until: str | None = None) -> SubscriptionDocument:
    scan, visible = query.values.get("scan"), query.visible
    done = subscriptions.act(query.folder, [query.values["id"]], action, until, scan, visible)
    return subscription_document(*done[0])


def scan(query: HttpQuery) -> ReportDocument:
    """The first page of a report; the others are those of the stored scan."""
    request = query.body
    assert isinstance(request, ScanRequest)
    options = ScanOptions(
        request.base,
        request.target,
        tuple(request.ids),
        docs=request.docs,
        cosmetic=request.cosmetic,
        quick=request.quick,
    )
    with query.open() as session:
        return _report_page(query, scanning.scan(session, options))


def get_scan(query: HttpQuery) -> ReportDocument:
    return _report_page(query, stored_scans.read_scan(query.folder, query.values["number"], query.visible))


def _report_page(query: HttpQuery, report: ScanReport) -> ReportDocument:
    return cut_page(query, report_document(report), "triggers", "proposals", "ambiguous", "docs")


def apply(query: HttpQuery) -> AppliedDocument:
    request = query.body
    assert isinstance(request, ApplyRequest)
    with query.open() as session:
        done = scanning.apply(session, request.ids, request.dry_run, scan=request.scan)
    return applied_document(done.applied, done.skipped, request.dry_run)


def list_scans(query: HttpQuery) -> ScanPage:
    """The newest first."""
    rows = stored_scans.list_scans(query.folder, query.offset + query.limit + 1, query.visible)
    items, end = page_of(query, map(scan_document, rows))
    return ScanPage(items, **end._asdict())
