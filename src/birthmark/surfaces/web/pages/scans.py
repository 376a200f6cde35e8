"""Scans: what each found, beside what can be done about it; and their messages: waiting, delivered or given up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec

from birthmark.decoding import prepared
from birthmark.documents.scans import (
    AmbiguousDocument,
    ProposalDocument,
    ReportDocument,
    TriggerDocument,
)
from birthmark.documents.sentences import doc_sentence, move
from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.documents.wording import LineRange, parse_location
from birthmark.questions.deliveries import Deliveries, RetryDelivery
from birthmark.questions.scans import Apply, Scan, Scans, StoredScan
from birthmark.questions.subscriptions import ListSubscriptions
from birthmark.subscriptions.model import DocLink, Proposal
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


class FindingCard(NamedTuple):
    """The finding of a scan for a subscription, and the actions that are left."""

    subscription_id: str
    subscription: SubscriptionDocument | None  # none if it was deleted
    trigger: TriggerDocument | None
    proposal: ProposalDocument | None
    moved: str  # in words
    state: str  # of the subscription
    kept_because: str | None  # why it cannot be accepted


class AmbiguousCard(NamedTuple):
    """A subscription whose entity is gone, and where it may be."""

    finding: AmbiguousDocument
    subscription: SubscriptionDocument | None
    candidates: list[tuple[str, LineRange]]


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
    question = Scan(
        ids=tuple(query.listed("ids")),
        docs=query.get("docs") is not None,
        cosmetic=query.get("cosmetic") is not None,
        limit=_A_PAGE,
    )
    report = ask(query, question)
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
    cards = _cards(report, subscriptions, kept)
    stale = [doc for doc in report.docs if doc.status != _CURRENT]
    values = {
        "report": report,
        "triggered": [card for card in cards if card.trigger],
        "moved": [card for card in cards if not card.trigger],
        "n_open": sum(card.kept_because is None for card in cards),
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
) -> list[FindingCard]:
    triggers = {trigger.subscription_id: trigger for trigger in report.triggers}
    proposals = {proposal.subscription_id: proposal for proposal in report.proposals}
    return [
        _card(id_, subscriptions.get(id_), triggers.get(id_), proposals.get(id_), kept)
        for id_ in _ordered(triggers, proposals)
    ]


def _card(
    id_: str,
    subscription: SubscriptionDocument | None,
    trigger: TriggerDocument | None,
    proposal: ProposalDocument | None,
    kept: Mapping[str, str],
) -> FindingCard:
    moved = move(_as(Proposal, proposal)) if proposal else ""
    state = state_of(subscription) if subscription else "deleted"
    return FindingCard(id_, subscription, trigger, proposal, moved, state, kept.get(id_))


def _ordered(*ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(id_ for some in ids for id_ in some))


def _ambiguous_card(found: AmbiguousDocument, subscriptions: Mapping[str, SubscriptionDocument]) -> AmbiguousCard:
    places = [(place_elsewhere(found.repository, one), parse_location(one)) for one in found.locations]
    return AmbiguousCard(found, subscriptions.get(found.subscription_id), places)


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
