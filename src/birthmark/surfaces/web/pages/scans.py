"""Scans: what each found, beside what can be done about it; and their messages: waiting, delivered or given up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec

from birthmark.decoding import prepared
from birthmark.documents.scans import (
    AmbiguousDocument,
    ReportDocument,
)
from birthmark.documents.sentences import doc_sentence, move
from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.documents.wording import parse_location
from birthmark.questions.scans import Apply, Deliveries, RetryDelivery, Scan, Scans, StoredScan
from birthmark.questions.subscriptions import ListSubscriptions
from birthmark.subscriptions.model import DocLink, Proposal
from birthmark.surfaces.arguments import question_of
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import DELIVERIES, SCANS, link_to
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.surfaces.web.pages.subscriptions import state_of
from birthmark.vocabulary import AnchorStatus, DeliveryState
from birthmark.words import place_elsewhere

Kind = TypeVar("Kind", bound=msgspec.Struct)
_A_PAGE = 50  # findings of each kind
_SCANS_OF_A_PAGE = 100
_DELIVERIES_OF_A_PAGE = 100
_MOST_SUBSCRIPTIONS = 10_000
_CURRENT = str(AnchorStatus.CURRENT)


def list_scans(query: HttpQuery) -> WebPage:
    listed = ask(query, Scans(limit=_SCANS_OF_A_PAGE, offset=query.offset))
    values = {
        "scans": listed.items,
        "next": listed.next,
        "offset": query.offset,
        "limit": _SCANS_OF_A_PAGE,
        "here": partial(link_to, SCANS),
    }
    return WebPage("scans.html", "Scans", values)


def show_scan(query: HttpQuery) -> WebPage:
    number = query.values["number"]
    report = ask(query, StoredScan(number=number, limit=_A_PAGE, offset=query.offset))
    dry_run = ask(query, Apply(dry_run=True, scan=number))
    kept = {skipped.subscription_id: skipped.reason for skipped in dry_run.skipped}
    page = _report_page(query, report, kept)
    return page._replace(values={**page.values, "accepted": query.values.get("accepted")})


def start_scan(query: HttpQuery) -> WebPage | Redirect:
    """Without subscriptions nothing is stored, so the report itself is the answer."""
    report = ask(query, question_of(Scan, query.values | {"limit": _A_PAGE}))
    return _report_page(query, report, {}) if report.scan is None else Redirect(link_to(SCANS, str(report.scan)))


def accept_findings(query: HttpQuery) -> Redirect:
    """Those of some subscriptions, or all. What cannot be accepted says why on the page of the scan."""
    number = query.values["number"]
    done = ask(query, Apply(ids=tuple(query.listed("ids")), scan=number))
    return Redirect(link_to(SCANS, str(number), accepted=len(done.applied)))


# What a report shows


def _report_page(query: HttpQuery, report: ReportDocument, kept: dict[str, str]) -> WebPage:
    listed = ask(query, ListSubscriptions(limit=_MOST_SUBSCRIPTIONS)).items
    subscriptions = {one.id: one for one in listed}
    cards = list(_cards(report, subscriptions, kept))
    stale = [doc for doc in report.docs if doc.status != _CURRENT]
    values = {
        "report": report,
        "triggered": [card for card in cards if card["trigger"]],
        "moved": [card for card in cards if not card["trigger"]],
        "n_open": sum(card["kept_because"] is None for card in cards),
        "ambiguous": [_ambiguous_card(one, subscriptions) for one in report.ambiguous],
        "docs": [(doc, doc_sentence(_as(DocLink, doc))) for doc in stale],
        "n_current_docs": len(report.docs) - len(stale),
        "offset": query.values.get("offset", 0),
        "limit": _A_PAGE,
        "here": partial(link_to, SCANS, str(report.scan)),
        "accepted": None,
    }
    return WebPage("scan.html", f"Scan {report.scan}" if report.scan else "Scan", values)


def _cards(
    report: ReportDocument, subscriptions: Mapping[str, SubscriptionDocument], kept: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield what was found for each subscription, and the reason why it cannot be accepted, if there is one."""
    triggers = {trigger.subscription_id: trigger for trigger in report.triggers}
    proposals = {proposal.subscription_id: proposal for proposal in report.proposals}
    for id_ in dict.fromkeys([*triggers, *proposals]):
        proposal, subscription = proposals.get(id_), subscriptions.get(id_)
        yield {
            "subscription_id": id_,
            "subscription": subscription,  # none if it was deleted
            "trigger": triggers.get(id_),
            "proposal": proposal,
            "moved": move(_as(Proposal, proposal)) if proposal else "",
            "state": state_of(subscription) if subscription else "deleted",
            "kept_because": kept.get(id_),
        }


def _ambiguous_card(found: AmbiguousDocument, subscriptions: Mapping[str, SubscriptionDocument]) -> dict[str, Any]:
    """A subscription whose entity is gone, and where it may be."""
    places = [(place_elsewhere(found.repository, one), parse_location(one)) for one in found.locations]
    return {"finding": found, "subscription": subscriptions.get(found.subscription_id), "candidates": places}


def _as(kind: type[Kind], document: msgspec.Struct) -> Kind:
    """The value that a document was made from."""
    return msgspec.convert(document, prepared(kind), from_attributes=True)


def list_deliveries(query: HttpQuery) -> WebPage:
    state = query.get("state")
    asked = DeliveryState(state) if state else None
    listed = ask(query, Deliveries(state=asked, limit=_DELIVERIES_OF_A_PAGE, offset=query.offset))
    values = {
        "messages": listed.items,
        "state": state,
        "next": listed.next,
        "offset": query.offset,
        "limit": _DELIVERIES_OF_A_PAGE,
        "here": partial(link_to, DELIVERIES, state=state),
    }
    return WebPage("deliveries.html", "Deliveries", values)


def retry_delivery(query: HttpQuery) -> Redirect:
    """It waits from now on; one that is waiting already stays as it is."""
    ask(query, RetryDelivery(message=query.values["message"]))
    return Redirect(link_to(DELIVERIES, anchor=query.values["message"]))
