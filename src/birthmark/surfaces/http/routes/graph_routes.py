"""Answers about the whole graph over HTTP."""

from __future__ import annotations

from msgspec.structs import asdict

from birthmark.app.across.impact import find_impact_everywhere
from birthmark.app.answers.uses.graph_nodes import hold_entities
from birthmark.app.answers.uses.impact import ImpactQuery, find_impacted
from birthmark.app.answers.uses.unused import UnusedQuery, find_unused
from birthmark.app.answers.uses.use_paths import find_path
from birthmark.app.answers.uses.whole_graph import WholeGraphQuery, find_components, find_cycles, find_rank
from birthmark.app.workspace.session import asking
from birthmark.surfaces.http.routes.paging import cut_page, page_end, page_of
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.wire.graph_questions import (
    PathDocument,
    components_document,
    cycles_document,
    impact_document,
    path_document,
    rank_document,
    unused_document,
)
from birthmark.surfaces.wire.pages import ComponentsPage, CyclesPage, ImpactPage, RankPage, UnusedPage

_MOST_EVERYWHERE = 10_000  # users at home, and as many elsewhere


def list_impact(query: HttpQuery) -> ImpactPage:
    """Users are found nearest first, so that those after a page need not be found."""
    if query.is_everywhere:
        return _list_impact_everywhere(query)
    end = query.offset + query.limit
    asked = ImpactQuery(int(query.values["depth"]), end + 1, _with_tests(query), _seconds(query))
    with asking(query.folder) as session:
        found = find_impacted(session, query.ref, asked)
        shown = found._replace(users=found.users[query.offset : end])
        entities = hold_entities(session, (user.node for user in shown.users))
        document = impact_document(shown, entities, session.freshness)
    return ImpactPage(**asdict(document), **page_end(query, len(found.users) > end)._asdict())


def _list_impact_everywhere(query: HttpQuery) -> ImpactPage:
    """Pages are parts of the same: which repositories come first does not depend on how many users are asked for."""
    asked = ImpactQuery(int(query.values["depth"]), _MOST_EVERYWHERE, _with_tests(query), _seconds(query))
    with asking(query.folder) as session:
        found = find_impact_everywhere(session, query.ref, asked, query.visible)
        entities = hold_entities(session, (user.node for user in found.own.users))
        document = impact_document(found.own, entities, session.freshness, found.others, found.problems)
    return cut_page(query, document, ImpactPage, "results")


def show_path(query: HttpQuery) -> PathDocument:
    with asking(query.folder) as session:
        found = find_path(session, str(query.values["start"]), str(query.values["end"]), _seconds(query))
        entities = hold_entities(session, (node for step in found.steps for node in (step.user, step.used)))
        return path_document(found, entities, session.freshness)


def list_cycles(query: HttpQuery) -> CyclesPage:
    with asking(query.folder) as session:
        found = find_cycles(session, _asked(query))
        groups, end = page_of(query, found.groups)
        entities = hold_entities(session, (node for group in groups for node in group.nodes))
        document = cycles_document(found._replace(groups=groups), entities, session.freshness)
    return CyclesPage(**asdict(document), **end._asdict())


def list_components(query: HttpQuery) -> ComponentsPage:
    with asking(query.folder) as session:
        found = find_components(session, _asked(query))
        groups, end = page_of(query, found.groups)
        entities = hold_entities(session, (node for group in groups for node in group.nodes))
        document = components_document(found._replace(groups=groups), entities, session.freshness)
    return ComponentsPage(**asdict(document), **end._asdict())


def list_rank(query: HttpQuery) -> RankPage:
    with asking(query.folder) as session:
        ranked, end = page_of(query, find_rank(session, _asked(query)).ranked)
        document = rank_document(ranked, hold_entities(session, (one.node for one in ranked)), session.freshness)
    return RankPage(**asdict(document), **end._asdict())


def list_unused(query: HttpQuery) -> UnusedPage:
    with asking(query.folder) as session:
        found = find_unused(session, UnusedQuery(_with_tests(query), _seconds(query)))
        listed = [one for one in found.unused if query.get("all") == "true" or not one.is_explained]
        unused, end = page_of(query, listed)
        entities = hold_entities(session, (one.node for one in unused))
        document = unused_document(found._replace(unused=unused), entities, session.freshness)
    return UnusedPage(**asdict(document), **end._asdict())


def _asked(query: HttpQuery) -> WholeGraphQuery:
    return WholeGraphQuery(query.get("files") == "true", _with_tests(query), _seconds(query))


def _with_tests(query: HttpQuery) -> bool:
    return query.get("tests") == "true"


def _seconds(query: HttpQuery) -> float:
    return float(query.values["timeout"])
