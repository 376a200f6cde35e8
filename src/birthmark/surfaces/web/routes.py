"""The table of all pages."""

from __future__ import annotations

from birthmark.surfaces.http.requests import Param
from birthmark.surfaces.web import links
from birthmark.surfaces.web.page import PageRoute
from birthmark.surfaces.web.pages.diff import show_diff
from birthmark.surfaces.web.pages.entity import show_entity
from birthmark.surfaces.web.pages.life import show_life

_REF = Param("ref", "What the page is about: any REF.", True, location="path")
_AT = Param("at", "A revision.")
_OFFSET = Param("offset", "Rows to skip.", bounds=(0, 10**12), default=0)

# What is compared, and how modules are related
_DIFF = (
    Param("base", "A revision, a date or a range; HEAD if left out."),
    Param("target", "A revision; the worktree if left out."),
    Param("change", "Only these changes, joined by commas."),
    Param("kind", "Only these kinds, joined by commas."),
    Param("language", "Only these languages, joined by commas."),
    Param("path", "Only these files, folders or patterns, joined by commas."),
    _OFFSET,
)

PAGES = (
    PageRoute(f"{links.ENTITY}/{{ref:path}}", show_entity, (_REF, _AT)),
    PageRoute(f"{links.LIFE}/{{ref:path}}", show_life, (_REF, _OFFSET)),
    PageRoute(links.DIFF, show_diff, _DIFF),
)
