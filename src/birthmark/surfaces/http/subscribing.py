"""Subscriptions and scans, as documents of `wire_scan.py`. A scan that is asked for here is kept, but sends nothing."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import asdict

from birthmark.app import scanning, subscription_repository, subscriptions
from birthmark.app.scanning import ScanOptions
from birthmark.app.subscriptions import SubscriptionRequest
from birthmark.surfaces.http.paging import cut_page, list_page
from birthmark.surfaces.http.requests import (
    ApplyRequest,
    Asked,
    NewSubscription,
    ScanRequest,
    Snooze,
    SubscriptionChanges,
)
from birthmark.surfaces.wire import Document
from birthmark.surfaces.wire_scan import applied_document, report_document, scan_document, subscription_document

_LISTS = ("triggers", "proposals", "ambiguous", "docs")


def list_subscriptions(asked: Asked) -> Document:
    found = subscription_repository.list_subscriptions(asked.folder)
    return list_page(asked, (subscription_document(*kept) for kept in found))


def get_subscription(asked: Asked) -> Document:
    return subscription_document(*subscription_repository.find_subscriptions(asked.folder, [asked.values["id"]])[0])


def subscribe(asked: Asked) -> Document:
    assert isinstance(asked.body, NewSubscription)
    return subscription_document(*subscriptions.subscribe(asked.folder, SubscriptionRequest(**asdict(asked.body))))


def update_subscription(asked: Asked) -> Document:
    assert isinstance(asked.body, SubscriptionChanges)
    changes = {name: value for name, value in asdict(asked.body).items() if value is not UNSET}
    return subscription_document(*subscriptions.update_subscription(asked.folder, asked.values["id"], changes))


def acknowledge(asked: Asked) -> Document:
    return _act(asked, "acknowledge")


def reactivate(asked: Asked) -> Document:
    return _act(asked, "reactivate")


def deactivate(asked: Asked) -> Document:
    return _act(asked, "deactivate")


def delete(asked: Asked) -> Document:
    """Answers with what it was."""
    return _act(asked, "delete")


def snooze(asked: Asked) -> Document:
    assert isinstance(asked.body, Snooze)
    return _act(asked, "snooze", asked.body.until)


def _act(asked: Asked, action: str, until: str | None = None) -> Document:
    return subscription_document(*subscriptions.act(asked.folder, [asked.values["id"]], action, until)[0])


def scan(asked: Asked) -> Document:
    """The first page of a report; the others are those of the scan that was kept."""
    wish = asked.body
    assert isinstance(wish, ScanRequest)
    options = ScanOptions(wish.base, wish.target, tuple(wish.ids), docs=wish.docs, cosmetic=wish.cosmetic)
    return cut_page(asked, report_document(scanning.scan(asked.folder, options)), *_LISTS)


def apply(asked: Asked) -> Document:
    wish = asked.body
    assert isinstance(wish, ApplyRequest)
    return applied_document(*scanning.apply(asked.folder, wish.ids, wish.dry_run, scan=wish.scan))


def list_scans(asked: Asked) -> Document:
    """The newest first."""
    rows = scanning.list_scans(asked.folder, asked.values["offset"] + asked.values["limit"] + 1)
    return list_page(asked, map(scan_document, rows))


def get_scan(asked: Asked) -> Document:
    return cut_page(asked, report_document(scanning.read_scan(asked.folder, asked.values["number"])), *_LISTS)
