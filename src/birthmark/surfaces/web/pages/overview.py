"""What the repository, or a folder of it, consists of; and what happened last."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from birthmark.documents.listings import (
    LatestDocument,
    LatestEventDocument,
    LatestRunDocument,
    TreeDocument,
    TreeEntryDocument,
)
from birthmark.questions.listing import Latest, Status, Tree
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.formats.pictures.treemap import Tile, draw_treemap
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import file_link, link_to
from birthmark.surfaces.web.page import WebPage
from birthmark.vocabulary import Change
from birthmark.words import count

_MOST_CHILDREN = 10_000
_LEAST_TILES = 16  # Fewer say little.
_MOST_EVENTS, _MOST_RUNS, _MOST_IN_RUN = 200, 8, 5
_ORDER = (Change.BORN, Change.DELETED, Change.RENAMED, Change.RELOCATED, Change.MOVED, Change.REVIVED, Change.MODIFIED)

Figure = Callable[[TreeEntryDocument], float]


class Colouring(NamedTuple):
    """What colours mean: a figure of each tile, how figures become heat, the words for little and much, a sentence."""

    figure: Figure
    heats: Callable[[Sequence[float]], list[float | None]]
    legend: tuple[str, str]
    meaning: str
    meaning_of_runs: str  # where the history was not replayed


def _changes(entry: TreeEntryDocument) -> float:
    """Of a folder for each file, or else the largest would always be the hottest."""
    return entry.changes / max(entry.files, 1)


def _last_change(entry: TreeEntryDocument) -> float:
    return entry.last_at or 0


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
        _changes,
        _by_amount,
        ("few changes", "many changes"),
        "The more commits changed a file, or the files of a folder on average, the stronger its colour.",
        "The history was not replayed: the more runs of the index found a file changed, the stronger its colour.",
    ),
    "age": Colouring(
        _last_change,
        _by_rank,
        ("changed long ago", "changed lately"),
        "The later something was changed by a commit, compared with what is beside it, the stronger its colour.",
        "The history was not replayed: the later a run of the index found something changed, the stronger its colour.",
    ),
}
SIZES: dict[str, Figure] = {"bytes": lambda entry: entry.bytes, "definitions": lambda entry: entry.entities}


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
        Tile(_tile_name(entry), SIZES[size](entry), heat, _tile_label(entry), entry.path)
        for entry, heat in zip(tree.children, heats, strict=True)
    ]
    folders = {entry.path for entry in tree.children if entry.folder}

    def link(tile: Tile) -> str:
        if tile.path in folders:
            return link_to("/", folder=tile.path, colour=colour, size=size)
        return file_link(tile.path)

    title = f"What {tree.folder.path or 'the repository'} consists of, by {size}"
    return draw_treemap(tiles, title, link=link, legend=colouring.legend)


def _tile_name(entry: TreeEntryDocument) -> str:
    return f"{entry.name}/" if entry.folder else entry.name


def _tile_label(entry: TreeEntryDocument) -> str:
    inside = f"{count(entry.files, 'file')}, " if entry.folder else ""
    return f"{inside}{count(entry.entities, 'definition')}"


# What happened last


def _latest(latest: LatestDocument) -> list[tuple[LatestRunDocument, list[LatestEventDocument]]]:
    """Runs and commits, each with those of its events that are shown."""
    return [(run, sorted(run.events, key=_event_order)[:_MOST_IN_RUN]) for run in latest.runs[:_MOST_RUNS]]


def _event_order(one: LatestEventDocument) -> int:
    """What came and went first, what was only edited last."""
    return _ORDER.index(one.event.change)
