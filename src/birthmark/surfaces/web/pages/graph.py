"""The neighbours of an entity: its users and what it uses, as a picture and as tables; and all its users."""

from __future__ import annotations

from itertools import groupby
from posixpath import basename
from typing import NamedTuple

from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.uses.neighbours import (
    EdgeElsewhere,
    End,
    find_used,
    find_users,
    group_by_end,
    is_for_tests,
    is_test_edge,
    with_ends,
)
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ShownDocument
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import EdgeDocument, edges_document
from birthmark.graph.edges import Edge
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.questions.users import cut_rows
from birthmark.surfaces.formats.pictures.graph_label import UNSURE, GraphEdge, GraphLabel
from birthmark.surfaces.formats.pictures.neighbourhood import draw_neighbourhood
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import GRAPH, USERS, file_link, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.surfaces.web.pages.subject import read_subject

FILE_KIND = "file"  # of what is the top level of a file, as pictures have it
_MOST = 40  # neighbours of a side
_MOST_SITES = 20  # of one neighbour
_A_PAGE = 200  # users


class NeighbourRow(NamedTuple):
    """A neighbour with its uses, the surest first."""

    edges: list[EdgeDocument]
    n_edges: int

    @property
    def first(self) -> EdgeDocument:
        return self.edges[0]


class GraphSide(NamedTuple):
    """The neighbours at one side that are shown, and how many there are; and their uses as a picture has them."""

    rows: list[NeighbourRow]
    n_all: int
    drawn: list[GraphEdge]  # of all neighbours


def show_graph(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, GRAPH)
    if not isinstance(entity, ShownDocument):
        return entity
    words, tests = query.listed("uses"), query.get("tests") != "false"
    session = query.session
    found, used = find_users(session, query.ref, words), find_used(session, query.ref, words)
    edges = [edge for edge in found.edges if tests or not is_test_edge(edge)]
    users_side = _side(session, found.indexed, group_by_end(edges, "source"), "source")
    used_side = _side(session, used.indexed, group_by_end(used.edges, "target"), "target")
    is_complete = session.network_at_hand is not None
    centre = label_of_end(entity, entity.path)
    picture = draw_neighbourhood(
        centre,
        users_side.drawn,
        used_side.drawn,
        label_link,
        link_to(USERS, entity.mark),
    )
    values = {"entity": entity, "users": users_side, "used": used_side, "is_complete": is_complete}
    values |= {"uses": query.get("uses") or "", "tests": tests}
    return WebPage("graph.html", f"Graph of {entity.qualified_name}", values, entity.freshness, {"graph": picture})


def show_users(query: HttpQuery) -> WebPage | Redirect:
    """By file and line, so that a page is a part of a file or some files."""
    entity = read_subject(query, USERS)
    if not isinstance(entity, ShownDocument):
        return entity
    session = query.session
    others = session.others(query.is_everywhere)
    found = others.add_users(find_users(session, query.ref), ())
    edges = sorted(found.edges, key=lambda edge: (edge.source_path, edge.line))
    end = query.offset + _A_PAGE
    shown = with_ends(session, edges[query.offset : end], "source")
    rows = sorted(found.others, key=_place_elsewhere)
    elsewhere = cut_rows(rows, query.offset - len(edges), end - len(edges))
    counted = count_files(session), session.freshness
    document = edges_document(found.indexed, shown, *counted, elsewhere, others.problems)
    places: list[tuple[str | None, str]] = [(None, edge.source_path) for edge in edges]
    places += [(repository, edge.source_path) for repository, edge, _ in rows]
    everywhere = query.get("everywhere")
    values = {
        "entity": entity,
        "files": [(*place, [*rows]) for place, rows in groupby(document.results, _place)],
        "n_all": len(places),
        "n_files": len(set(places)),
        "n_searched": document.searched_files,
        "n_asked": found.n_asked,
        "unasked": document.unasked,
        "everywhere": everywhere,
        "has_others": session.has_others,
        "offset": query.offset,
        "a_page": _A_PAGE,
        "next": end if len(places) > end else None,
        "here": lambda **other: link_to(USERS, entity.mark, everywhere=everywhere, **other),
    }
    return WebPage("users.html", f"Users of {entity.qualified_name}", values, entity.freshness)


def _place_elsewhere(row: EdgeElsewhere) -> tuple[str, str, int]:
    repository, edge, _ = row
    return repository, edge.source_path, edge.line


def _place(edge: EdgeDocument) -> tuple[str | None, str]:
    return edge.repository, edge.site.path


def _side(session: Session, indexed: IndexedEntity, groups: list[list[Edge]], end: End) -> GraphSide:
    """Only those that are shown are read in full."""
    shown = [group[:_MOST_SITES] for group in groups[:_MOST]]
    ends = with_ends(session, [edge for group in shown for edge in group], end)
    documents = iter(edges_document(indexed, ends, count_files(session), session.freshness).results)
    rows = [NeighbourRow([next(documents) for _ in some], len(groups[number])) for number, some in enumerate(shown)]
    drawn = [_graph_edge(edge) for row in rows for edge in row.edges]
    return GraphSide(rows, len(groups), drawn + [_counted_edge(group[0], end) for group in groups[_MOST:]])


def _counted_edge(edge: Edge, end: End) -> GraphEdge:
    """Of a neighbour that is counted only."""
    other = edge.source if end == "source" else edge.target
    ref = edge.source_path if other is None else str(other.identity)
    return GraphEdge(GraphLabel(ref, "", edge.source_path, ref), edge.edge, "")


def _graph_edge(edge: EdgeDocument) -> GraphEdge:
    site = f"{edge.site.path}:{edge.site.line}"
    return GraphEdge(label_of_end(edge.entity, edge.site.path), edge.edge, site, edge.resolution not in UNSURE)


def label_of_end(entity: EntityDocument | None, path: str) -> GraphLabel:
    """A definition, or the top level of a file."""
    if entity is None:
        return GraphLabel(f"top level of {basename(path)}", FILE_KIND, path, path, is_for_tests(path))
    is_test = is_for_tests(entity.path, entity.language, entity.qualified_name)
    return GraphLabel(entity.qualified_name, entity.kind, entity.path, entity.mark, is_test)


def label_link(label: GraphLabel) -> str:
    """The graph of a definition; of the top level of a file, the file."""
    return file_link(label.path) if label.kind == FILE_KIND else link_to(GRAPH, label.ref)
