"""Cycles, components, ranks and unused definitions of a repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Annotated

from msgspec import Meta

from birthmark.app.answers.graph_nodes import SECONDS, GraphNode, entity_or_null, hold_entities, use_document
from birthmark.app.answers.unused import UNUSED_SECONDS, find_unused
from birthmark.app.answers.whole_graph import GraphScope, find_components, find_cycles, find_rank
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.whole_graph import (
    ComponentDocument,
    ComponentsDocument,
    CycleDocument,
    CyclesDocument,
    GroupNodeDocument,
    RankDocument,
    RankedDocument,
    UnusedDefinitionDocument,
    UnusedDocument,
)
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.questions.parameters import ByFiles, Seconds, WithTests
from birthmark.questions.question import PagedQuestion


class WholeGraphQuestion(PagedQuestion, frozen=True, kw_only=True):
    """Ask about all definitions, or all files, and their uses of each other."""

    files: ByFiles = False
    tests: WithTests = True
    timeout: Seconds = SECONDS

    @property
    def scope(self) -> GraphScope:
        return GraphScope(self.files, self.tests, self.timeout)


class Cycles(WholeGraphQuestion, frozen=True, kw_only=True):
    """List definitions that use each other in a cycle, the largest groups first; with --files, files that do.

    Of each group a shortest way round is shown, with the line of each use. A definition that uses only itself is in
    none. Imports count among files, where they close most cycles.

    Examples:
      birthmark cycles
      birthmark cycles --files --no-tests
    """

    def answer(self, session: Session) -> CyclesDocument:
        groups, n_searched = find_cycles(session, self.scope)
        page, start = self.cut(groups)
        entities = hold_entities(session, (node for nodes, _ in page for node in nodes))
        return CyclesDocument(
            [
                CycleDocument(_group(nodes, entities), [use_document(*use, entities) for use in cycle])
                for nodes, cycle in page
            ],
            n_searched,
            len(groups),
            sum(len(nodes) for nodes, _ in groups),
            freshness_document(session.freshness),
            truncated=start is not None,
            next=start,
        )


class Components(WholeGraphQuestion, frozen=True, kw_only=True):
    """List groups of definitions, or with --files of files, that no use connects, the largest first.

    A definition includes all that is inside of it. Definitions and files without any connection are not listed.
    Imports count among files.

    Examples:
      birthmark components
      birthmark components --files --no-tests
    """

    def answer(self, session: Session) -> ComponentsDocument:
        groups, n_searched = find_components(session, self.scope)
        page, start = self.cut(groups)
        entities = hold_entities(session, chain.from_iterable(page))
        return ComponentsDocument(
            [ComponentDocument(_group(nodes, entities)) for nodes in page],
            n_searched,
            len(groups),
            sum(map(len, groups)),
            freshness_document(session.freshness),
            truncated=start is not None,
            next=start,
        )


class Rank(WholeGraphQuestion, frozen=True, kw_only=True):
    """List the definitions, or with --files the files, that most other code depends on.

    Central is what is used much by what is itself used much: this is PageRank over uses. A score of 2 is twice the
    average.

    Examples:
      birthmark rank --no-tests
      birthmark rank --files --limit 10
    """

    def answer(self, session: Session) -> RankDocument:
        ranked = find_rank(session, self.scope)
        page, start = self.cut(ranked)
        entities = hold_entities(session, (node for node, *_ in page))
        return RankDocument(
            [
                RankedDocument(entity_or_null(node, entities), node.path, node.is_test, score, n_users)
                for node, score, n_users in page
            ],
            len(ranked),
            freshness_document(session.freshness),
            truncated=start is not None,
            next=start,
        )


class Unused(PagedQuestion, frozen=True, kw_only=True):
    """List definitions without known users, the most likely to be unused first, and why they may be used after all.

    A use by what is inside of the definition itself does not count. Definitions inside of a listed one are counted
    there. With --no-tests, what only tests use is listed as well.

    Examples:
      birthmark unused
      birthmark unused --no-tests
      birthmark unused --all --json
    """

    all: Annotated[bool, Meta(description="Include tests, special names, entry points and decorated definitions.")] = (
        False
    )
    tests: WithTests = True
    timeout: Seconds = UNUSED_SECONDS

    def answer(self, session: Session) -> UnusedDocument:
        found, n_definitions, is_in_time = find_unused(session, with_tests=self.tests, seconds=self.timeout)
        left_out = [] if self.all else [one for one in found if one.is_explained]
        listed = [one for one in found if self.all or not one.is_explained]
        page, start = self.cut(listed)
        entities = session.view.hold_all(one.row for one in page)
        return UnusedDocument(
            [
                UnusedDefinitionDocument(
                    indexed_entity_document(entities[one.row.identity]), one.n_inside, one.is_explained, one.doubts
                )
                for one in page
            ],
            n_definitions,
            len(listed),
            dict(Counter(one.doubts[0].doubt for one in left_out).most_common()),
            is_in_time,
            freshness_document(session.freshness),
            truncated=start is not None,
            next=start,
        )


def _group(nodes: Iterable[GraphNode], entities: Mapping[int, IndexedEntity]) -> list[GroupNodeDocument]:
    return [GroupNodeDocument(entity_or_null(node, entities), node.path, node.is_test) for node in nodes]
