"""The messages of scans: what is waiting, what was delivered, what was given up."""

from __future__ import annotations

from functools import partial

from birthmark.questions.deliveries import Deliveries, RetryDelivery
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import DELIVERIES, link_to
from birthmark.surfaces.web.page import Redirect, WebPage, ask
from birthmark.vocabulary import DeliveryState

_A_PAGE = 100


def list_deliveries(query: HttpQuery) -> WebPage:
    state = query.get("state")
    asked = DeliveryState(state) if state else None
    listed = ask(query, Deliveries(state=asked, limit=_A_PAGE, offset=query.offset))
    values = {
        "messages": listed.items,
        "state": state,
        "next": listed.next,
        "offset": query.offset,
        "limit": _A_PAGE,
        "here": partial(link_to, DELIVERIES, state=state),
    }
    return WebPage("deliveries.html", "Deliveries", values)


def retry_delivery(query: HttpQuery) -> Redirect:
    """It waits from now on; one that is waiting already stays as it is."""
    ask(query, RetryDelivery(message=query.values["message"]))
    return Redirect(link_to(DELIVERIES, anchor=query.values["message"]))
