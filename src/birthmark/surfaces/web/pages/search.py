"""What a search has found: as a page, and as a list below the field in which something is typed."""

from __future__ import annotations

from birthmark.app.answers.listing import list_languages
from birthmark.model import KINDS
from birthmark.questions.definitions import Search
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import WebPage

FILTERS = ("kind", "language", "path", "everywhere")


def show_search(query: HttpQuery) -> WebPage:
    text = (query.get("text") or "").strip()
    filters = {name: query.get(name) for name in FILTERS}
    limit, offset = query.limit, query.offset
    asked = {name: tuple(query.listed(name)) for name in ("kind", "language", "path")}
    question = Search(text=text, everywhere=query.is_everywhere, limit=limit, offset=offset, **asked) if text else None
    found = question.answer(query.session) if question is not None else None
    values = {
        "searched": text,
        "filters": filters,
        "found": found,
        "has_others": query.session.has_others,
        "limit": limit,
        "offset": offset,
        "kinds": KINDS,
        "languages": sorted(language.name for language in list_languages()),
    }
    return WebPage("search.html", f"Search: {text}" if text else "Search", values, found.freshness if found else None)
