"""Pages about the uses of a definition: its neighbourhood, its impact, tests that reach it, a way to another one."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from posixpath import basename
from typing import Any

from birthmark.app.answers.listing import count_files
from birthmark.app.answers.neighbours import (
    End,
    find_used,
    find_users,
    group_by_end,
    is_for_tests,
    is_test_edge,
    with_ends,
)
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import ShownDocument
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import EdgeDocument, ImpactDocument, ImpactUserDocument, edges_document
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.graph.edges import Edge
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.questions.definitions import Show
from birthmark.questions.impact import Impact, UsePath
from birthmark.questions.tests import ReachingTests
from birthmark.questions.users import cut_rows
from birthmark.surfaces.formats.pictures.neighbourhood import UNSURE, GraphEdge, GraphLabel, draw_neighbourhood
from birthmark.surfaces.formats.pictures.use_pictures import draw_impact, draw_path
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import GRAPH, IMPACT, TESTS, USERS, file_link, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.vocabulary import RefStatus

FILE_KIND = "file"  # of what is the top level of a file, as pictures have it
_MOST = 40  # neighbours of a side
_MOST_SITES = 20  # of one neighbour
_A_PAGE = 200  # users


_MOST_IMPACTED = 200  # users
_SECONDS = 20.0  # for a question, when all edges are there
_TESTS_A_PAGE = 100


def show_graph(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, GRAPH)
    if not isinstance(entity, ShownDocument):
        return entity
    words, tests = query.listed("uses"), query.get("tests") != "false"
    session = query.session
    found, used = find_users(session, query.ref, words), find_used(session, query.ref, words)
    edges = [edge for edge in found.edges if tests or not is_test_edge(edge)]
    users_side, its_users = _side(session, found.indexed, group_by_end(edges, "source"), "source")
    used_side, its_used = _side(session, used.indexed, group_by_end(used.edges, "target"), "target")
    centre = label_of_end(entity, entity.path)
    picture = draw_neighbourhood(centre, its_users, its_used, label_link, link_to(USERS, entity.mark))
    values = {"entity": entity, "users": users_side, "used": used_side}
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
    rows = sorted(found.others, key=lambda row: (row[0], row[1].source_path, row[1].line))
    elsewhere = cut_rows(rows, query.offset - len(edges), end - len(edges))
    counted = count_files(session), freshness_document(session.freshness)
    document = edges_document(found.indexed, shown, *counted, elsewhere, others.problems)
    places: list[tuple[str | None, str]] = [(None, edge.source_path) for edge in edges]
    places += [(repository, edge.source_path) for repository, edge, _ in rows]
    everywhere = query.get("everywhere")
    values = {
        "entity": entity,
        "files": [
            (*place, [*rows])
            for place, rows in groupby(document.results, lambda edge: (edge.repository, edge.site.path))
        ],
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


def _side(
    session: Session, indexed: IndexedEntity, groups: list[list[Edge]], end: End
) -> tuple[dict[str, Any], list[GraphEdge]]:
    """The neighbours at one side, and their uses as a picture has them. Only those that are shown are read in full.

    A neighbour is its uses, the surest first, and how many it has.
    """
    shown = [group[:_MOST_SITES] for group in groups[:_MOST]]
    ends = with_ends(session, [edge for group in shown for edge in group], end)
    documents = iter(edges_document(indexed, ends, count_files(session), freshness_document(session.freshness)).results)
    rows = [([next(documents) for _ in some], len(groups[number])) for number, some in enumerate(shown)]
    drawn = [_graph_edge(edge) for edges, _ in rows for edge in edges]
    counted = [_counted_edge(group[0], end) for group in groups[_MOST:]]
    return {"rows": rows, "n_all": len(groups)}, drawn + counted


def _counted_edge(edge: Edge, end: End) -> GraphEdge:
    """Return the edge of a neighbour that is only counted."""
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


def show_impact(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, IMPACT)
    if not isinstance(entity, ShownDocument):
        return entity
    depth, tests = int(query.values["depth"]), query.get("tests") != "false"
    asked = Impact(ref=query.ref, depth=depth, tests=tests, timeout=_SECONDS, limit=_MOST_IMPACTED)
    document = asked.answer(query.session)
    values = {"entity": entity, "impact": document, "tree": _tree(document), "depth": depth, "tests": tests}
    values["deeper"] = max((user.depth for user in document.results), default=0) >= depth
    pictures = {"impact": draw_impact(document, label_link)} if document.results else {}
    return WebPage("impact.html", f"Impact of {entity.qualified_name}", values, entity.freshness, pictures)


def _tree(document: ImpactDocument) -> dict[str, list[ImpactUserDocument]]:
    """Users by what they use, one step nearer; direct ones under the empty text."""
    tree: defaultdict[str, list[ImpactUserDocument]] = defaultdict(list)
    for user in document.results:
        tree["" if user.depth == 1 else user.through].append(user)
    return dict(tree)


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


def show_tests(query: HttpQuery) -> WebPage | Redirect:
    entity = read_subject(query, TESTS)
    if not isinstance(entity, ShownDocument):
        return entity
    found = ReachingTests(ref=entity.mark, limit=_TESTS_A_PAGE, offset=query.offset).answer(query.session)
    values = {
        "entity": entity,
        "found": found,
        "offset": query.offset,
        "a_page": _TESTS_A_PAGE,
        "here": lambda **other: link_to(TESTS, entity.mark, **other),
    }
    return WebPage("tests.html", f"Tests of {entity.qualified_name}", values, found.freshness)


def read_subject(query: HttpQuery, page: str) -> ShownDocument | Redirect | WebPage:
    """The thing; or the same page by its mark; or, of what was deleted, a page that says so."""
    entity = Show(ref=query.ref).answer(query.session)
    if query.ref != entity.mark:
        given = {name: value for name, value in query.values.items() if name not in ("ref", "picture")}
        return Redirect(link_to(page, entity.mark, **given))
    if entity.status == RefStatus.PRESENT:
        return entity
    return WebPage("deleted.html", entity.qualified_name, {"entity": entity, "title": entity.name}, entity.freshness)
