"""Pages about the repository: what it or a folder consists of, what happened last, search, modules and hotspots."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from birthmark.app.answers.listing import list_languages
from birthmark.app.answers.module_map import ROOT_MODULE
from birthmark.app.answers.structure import choose_depth
from birthmark.documents.listings import (
    LatestDocument,
    LatestEventDocument,
    LatestRunDocument,
    TreeDocument,
    TreeEntryDocument,
)
from birthmark.documents.whole_graph import ModulesDocument
from birthmark.model import KINDS
from birthmark.questions.definitions import Search
from birthmark.questions.index import Status
from birthmark.questions.listing import Latest, Tree
from birthmark.questions.structure import Hotspots, Modules
from birthmark.surfaces.arguments import question_of
from birthmark.surfaces.formats.pictures.module_picture import draw_modules
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.formats.pictures.treemap import Tile, draw_treemap
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import MODULES, file_link, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.vocabulary import Change
from birthmark.words import count

_MOST_CHILDREN = 10_000
_LEAST_TILES = 16  # Fewer say little.
_MOST_EVENTS, _MOST_RUNS, _MOST_IN_RUN = 200, 8, 5
_ORDER = (Change.BORN, Change.DELETED, Change.RENAMED, Change.RELOCATED, Change.MOVED, Change.REVIVED, Change.MODIFIED)
Figure = Callable[[TreeEntryDocument], float]


class Colouring(NamedTuple):
    """The meaning of colours: the figure of a tile, its heat, the ends of the legend, and a sentence."""

    figure: Figure
    heats: Callable[[Sequence[float]], list[float | None]]
    legend: tuple[str, str]
    meaning: str
    meaning_of_runs: str  # where the history was not replayed


SIZES: dict[str, Figure] = {"bytes": lambda entry: entry.bytes, "definitions": lambda entry: entry.entities}
FILTERS = ("kind", "language", "path", "everywhere")
_MOST_MODULES = 30  # modules, unless a depth is asked for
_MOST_DRAWN = 150
_MOST_ROWS = 300  # of each table
_FIELDS = ("path", "depth", "files", "all")


def _by_amount(figures: Sequence[float]) -> list[float | None]:
    """Few have most of the changes, so that roots tell more of them apart."""
    most = max(figures, default=0)
    return [math.sqrt(figure / most) if most else 0.0 for figure in figures]


def _by_rank(figures: Sequence[float]) -> list[float | None]:
    """The order says more than times, which are far apart once and then close together; one time says nothing."""
    ranks = {figure: rank for rank, figure in enumerate(sorted(set(figures)))}
    return [ranks[figure] / (len(ranks) - 1) if len(ranks) > 1 else None for figure in figures]


COLOURINGS = {
    "churn": Colouring(
        # Per file, since otherwise the largest folder would always be the hottest.
        lambda entry: entry.changes / max(entry.files, 1),
        _by_amount,
        ("few changes", "many changes"),
        "The more commits changed a file, or the files of a folder on average, the stronger its colour.",
        "The history was not replayed: the more runs of the index found a file changed, the stronger its colour.",
    ),
    "age": Colouring(
        lambda entry: entry.last_at or 0,
        _by_rank,
        ("changed long ago", "changed lately"),
        "The later something was changed by a commit, compared with what is beside it, the stronger its colour.",
        "The history was not replayed: the later a run of the index found something changed, the stronger its colour.",
    ),
}


def show_overview(query: HttpQuery) -> WebPage:
    folder = (query.get("folder") or "").strip("/")
    session = query.session
    tree = Tree(folder=folder, least=_LEAST_TILES, limit=_MOST_CHILDREN).answer(session)
    colour, size = query.values["colour"], query.values["size"]
    is_root = not tree.folder.path
    values = {
        "tree": tree,
        "colour": colour,
        "size": size,
        "colourings": COLOURINGS,
        "sizes": SIZES,
        "status": Status().answer(session) if is_root else None,
        "latest": _latest(Latest(limit=_MOST_EVENTS).answer(session)) if is_root else None,
    }
    pictures = {"tree": draw_tree(tree, colour, size)} if tree.children else {}
    return WebPage("overview.html", tree.folder.path or "Overview", values, tree.freshness, pictures)


# The treemap


def draw_tree(tree: TreeDocument, colour: str, size: str) -> Picture:
    colouring = COLOURINGS[colour]
    heats = colouring.heats(list(map(colouring.figure, tree.children)))
    tiles = [
        Tile(f"{entry.name}/" if entry.folder else entry.name, SIZES[size](entry), heat, _tile_label(entry), entry.path)
        for entry, heat in zip(tree.children, heats, strict=True)
    ]
    folders = {entry.path for entry in tree.children if entry.folder}

    def link(tile: Tile) -> str:
        if tile.path in folders:
            return link_to("/", folder=tile.path, colour=colour, size=size)
        return file_link(tile.path)

    title = f"What {tree.folder.path or 'the repository'} consists of, by {size}"
    return draw_treemap(tiles, title, link=link, legend=colouring.legend)


def _tile_label(entry: TreeEntryDocument) -> str:
    inside = f"{count(entry.files, 'file')}, " if entry.folder else ""
    return f"{inside}{count(entry.entities, 'definition')}"


# What happened last


def _latest(latest: LatestDocument) -> list[tuple[LatestRunDocument, list[LatestEventDocument]]]:
    """Runs and commits, each with those of its events that are shown: births and deletions first, edits last."""
    order = {change: number for number, change in enumerate(_ORDER)}
    return [
        (run, sorted(run.events, key=lambda one: order[one.event.change])[:_MOST_IN_RUN])
        for run in latest.runs[:_MOST_RUNS]
    ]


def show_search(query: HttpQuery) -> WebPage:
    text = (query.get("text") or "").strip()
    filters = {name: query.get(name) for name in FILTERS}
    limit, offset = query.limit, query.offset
    found = question_of(Search, query.values | {"text": text}).answer(query.session) if text else None
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


def show_modules(query: HttpQuery) -> WebPage | Redirect:
    by_file, with_all = query.get("files") == "true", query.get("all") == "true"
    path, depth, session = query.get("path"), query.values.get("depth"), query.session
    depth = depth if depth or by_file else choose_depth(session, path, _MOST_MODULES, with_all=with_all)
    document = Modules(path=path, depth=depth, files=by_file, all=with_all).answer(session)
    is_drawn = 0 < len(document.modules) <= _MOST_DRAWN
    pictures = {"modules": draw_modules(document, lambda module: _deeper(query, module.name))} if is_drawn else {}
    values = {
        "found": document,
        "asked": {name: str(query.get(name) or "") for name in _FIELDS},
        "depth": depth,
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
    closing = [use for use in document.uses if use.closing]
    return {number: [use for use in closing if use.cycle == number] for number in range(1, len(document.cycles) + 1)}


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


def show_hotspots(query: HttpQuery) -> WebPage:
    asked = {name: query.get(name) for name in ("path", "since", "all")}
    hotspots = question_of(Hotspots, query.values).answer(query.session)
    values = {"hotspots": hotspots, "asked": asked, "limit": query.limit, "offset": query.offset}
    return WebPage("hotspots.html", "Hotspots", values, hotspots.freshness)
