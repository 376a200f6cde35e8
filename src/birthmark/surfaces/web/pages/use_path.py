"""How one thing comes to use another: a form for two of them, and the shortest way."""

from __future__ import annotations

from typing import Any

from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.questions.impact import UsePath
from birthmark.surfaces.formats.pictures.use_path import draw_path
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.surfaces.web.pages.graph import label_link

_SECONDS = 20.0  # for the question, when all edges are there


def show_path(query: HttpQuery) -> WebPage | Redirect:
    start, end = query.get("start"), query.get("end")
    values: dict[str, Any] = {"start": start or "", "end": end or "", "found": None, "error": None}
    if not start or not end:
        return WebPage("use_path.html", "Path between two", values)
    try:
        document = UsePath(start=start, end=end, timeout=_SECONDS).answer(query.session)
    except BirthmarkError as error:
        status = 404 if isinstance(error, NotFoundError) else 400
        return WebPage("use_path.html", "Path between two", values | {"error": error}, status=status)
    title = f"Path from {document.start.qualified_name} to {document.end.qualified_name}"
    pictures = {"path": draw_path(document, label_link)} if document.steps else {}
    return WebPage("use_path.html", title, values | {"found": document}, document.freshness, pictures)
