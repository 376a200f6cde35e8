"""The table of all pages."""

from __future__ import annotations

from birthmark.surfaces.http.requests import Param
from birthmark.surfaces.web import links
from birthmark.surfaces.web.page import PageRoute
from birthmark.surfaces.web.pages.entity import show_entity
from birthmark.surfaces.web.pages.file import show_file
from birthmark.surfaces.web.pages.hotspots import show_hotspots
from birthmark.surfaces.web.pages.life import show_life
from birthmark.surfaces.web.pages.overview import COLOURINGS, SIZES, show_overview
from birthmark.surfaces.web.pages.search import show_search

_REF = Param("ref", "What the page is about: any REF.", True, location="path")
_AT = Param("at", "A revision.")
_OFFSET = Param("offset", "Rows to skip.", bounds=(0, 10**12), default=0)

_OVERVIEW = (
    Param("folder", "A folder; the root if left out."),
    Param("colour", "What the colours of the treemap mean.", default="churn", choices=tuple(COLOURINGS)),
    Param("size", "What the sizes of its tiles mean.", default="bytes", choices=tuple(SIZES)),
)
_SEARCH = (
    Param("text", "What is searched for."),
    Param("kind", "Only definitions of this kind."),
    Param("language", "Only definitions in this language."),
    Param("path", "Only in these files or folders, joined by commas."),
    Param("limit", "Results at most.", bounds=(1, 1_000), default=30),
    _OFFSET,
)
_FILE = (
    Param("path", "A file.", True, location="path"),
    _AT,
    Param("line", "A line that is shown.", bounds=(1, 10**9)),
)
_HOTSPOTS = (
    Param("path", "Only in these files or folders, joined by commas."),
    Param("since", "Only changes after a date or a revision."),
    Param("all", "Whether tests, documentation and generated code count.", choices=("true", "false")),
    Param("limit", "Rows at most.", bounds=(1, 1_000), default=50),
    _OFFSET,
)

PAGES = (
    PageRoute("/", show_overview, _OVERVIEW),
    PageRoute(links.SEARCH, show_search, _SEARCH),
    PageRoute(f"{links.FILE}/{{path:path}}", show_file, _FILE),
    PageRoute(links.HOTSPOTS, show_hotspots, _HOTSPOTS),
    PageRoute(f"{links.ENTITY}/{{ref:path}}", show_entity, (_REF, _AT)),
    PageRoute(f"{links.LIFE}/{{ref:path}}", show_life, (_REF, _OFFSET)),
)
