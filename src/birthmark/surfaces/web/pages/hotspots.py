"""Definitions that change often, are long and have many users."""

from __future__ import annotations

from birthmark.surfaces.http.routes import structure_routes
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import WebPage, ask


def show_hotspots(query: HttpQuery) -> WebPage:
    asked = {name: query.get(name) for name in ("path", "since", "all")}
    hotspots = ask(query, structure_routes.list_hotspots, limit=query.limit, offset=query.offset, **asked)
    values = {"hotspots": hotspots, "asked": asked, "limit": query.limit, "offset": query.offset}
    return WebPage("hotspots.html", "Hotspots", values, hotspots.freshness)
