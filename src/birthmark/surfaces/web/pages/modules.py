"""The map of modules: folders or files in layers, what they use of each other, and cycles."""

from __future__ import annotations

from typing import Any

from birthmark.app.answers.structure import ModulesQuery, choose_depth, find_modules
from birthmark.documents.whole_graph import ModulesDocument, modules_document
from birthmark.queries.module_map import ROOT_MODULE
from birthmark.surfaces.formats.pictures.module_picture import draw_modules
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import MODULES, link_to
from birthmark.surfaces.web.page import Redirect, WebPage

_MOST = 30  # modules, unless a depth is asked for
_MOST_DRAWN = 150
_MOST_ROWS = 300  # of each table
_FIELDS = ("path", "depth", "files", "all")


def show_modules(query: HttpQuery) -> WebPage | Redirect:
    by_file, with_all = query.get("files") == "true", query.get("all") == "true"
    asked = ModulesQuery(query.get("path"), query.values.get("depth"), by_file, with_all)
    session = query.session
    asked = asked if asked.depth or by_file else asked._replace(depth=choose_depth(session, asked, _MOST))
    document = modules_document(find_modules(session, asked), session.freshness)
    is_drawn = 0 < len(document.modules) <= _MOST_DRAWN
    pictures = {"modules": draw_modules(document, lambda module: _deeper(query, module.name))} if is_drawn else {}
    values = {
        "found": document,
        "asked": {name: str(query.get(name) or "") for name in _FIELDS},
        "depth": asked.depth,
        "by_file": by_file,
        "with_all": with_all,
        "is_drawn": is_drawn,
        "most": _MOST_ROWS,
        "deeper": lambda name: _deeper(query, name),
        "closing": _closing(document),
        "above": _above(query),
    }
    return WebPage("modules.html", "Modules", values, document.freshness, pictures)


def _closing(document: ModulesDocument) -> dict[int, list[Any]]:
    """The uses that close each cycle, by its number."""
    return {
        number: [use for use in document.uses if use.cycle == number and use.closing]
        for number, _ in enumerate(document.cycles, 1)
    }


def _deeper(query: HttpQuery, name: str) -> str:
    """The map of what is inside of a module; of the same folder, by its files."""
    path = None if name == ROOT_MODULE else name
    is_same = path == query.get("path")
    return link_to(MODULES, path=path, files="true" if is_same else None, all=query.get("all"))


def _above(query: HttpQuery) -> list[tuple[str, str]]:
    """The folders around the one that is shown, each with the address of its map."""
    parts = (query.get("path") or "").split("/")
    folders = ["/".join(parts[: n + 1]) for n in range(len(parts))] if parts != [""] else []
    every = link_to(MODULES, all=query.get("all"))
    return [("all", every), *((folder, link_to(MODULES, path=folder, all=query.get("all"))) for folder in folders)]
