"""Definitions that change often, are long and have many users."""

from __future__ import annotations

from birthmark.questions.structure import Hotspots
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import WebPage


def show_hotspots(query: HttpQuery) -> WebPage:
    asked = {name: query.get(name) for name in ("path", "since", "all")}
    question = Hotspots(
        path=tuple(query.listed("path")),
        since=query.get("since"),
        all=query.get("all") == "true",
        limit=query.limit,
        offset=query.offset,
    )
    hotspots = question.answer(query.session)
    values = {"hotspots": hotspots, "asked": asked, "limit": query.limit, "offset": query.offset}
    return WebPage("hotspots.html", "Hotspots", values, hotspots.freshness)
