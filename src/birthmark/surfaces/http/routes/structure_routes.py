"""Answers about the code as a whole over HTTP: modules and hotspots."""

from __future__ import annotations

from msgspec.structs import asdict

from birthmark.app.answers.uses.hotspots import HotspotsQuery
from birthmark.app.answers.uses.hotspots import list_hotspots as find_hotspots
from birthmark.app.answers.uses.modules import ModulesQuery, find_modules
from birthmark.app.workspace.session import asking
from birthmark.surfaces.http.routes.paging import cut_page, page_end
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.wire.pages import HotspotsPage, ModulesPage
from birthmark.surfaces.wire.structure import hotspots_document, modules_document


def list_modules(query: HttpQuery) -> ModulesPage:
    asked = ModulesQuery(
        query.get("path"), query.values.get("depth"), query.get("files") == "true", query.get("all") == "true"
    )
    with asking(query.folder) as session:
        document = modules_document(find_modules(session, asked), session.freshness)
    return cut_page(query, document, ModulesPage, "modules", "uses", "cycles")


def list_hotspots(query: HttpQuery) -> HotspotsPage:
    asked = HotspotsQuery(tuple(query.listed("path")), query.get("since"), query.get("all") == "true")
    with asking(query.folder) as session:
        found = find_hotspots(session, asked, query.offset, query.limit)
        document = hotspots_document(found, session.freshness)
    end = page_end(query, found.n_found > query.offset + query.limit)
    return HotspotsPage(**asdict(document), **end._asdict())
