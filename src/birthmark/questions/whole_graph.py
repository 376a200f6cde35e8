"""What is in cycles, connected, central or unused in a repository."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.uses.graph_nodes import SECONDS, hold_entities
from birthmark.app.answers.uses.unused import UNUSED_SECONDS, UnusedQuery, find_unused
from birthmark.app.answers.uses.whole_graph import WholeGraphQuery, find_components, find_cycles, find_rank
from birthmark.app.workspace.session import Session
from birthmark.documents.whole_graph import (
    ComponentsDocument,
    CyclesDocument,
    RankDocument,
    UnusedDocument,
    components_document,
    cycles_document,
    rank_document,
    unused_document,
)
from birthmark.questions.parameters import ByFiles, Seconds, WithTests
from birthmark.questions.question import PagedQuestion


class WholeGraphQuestion(PagedQuestion, frozen=True, kw_only=True):
    """Ask about all definitions, or all files, and their uses of each other."""

    files: ByFiles = False
    tests: WithTests = True
    timeout: Seconds = SECONDS

    @property
    def asked(self) -> WholeGraphQuery:
        return WholeGraphQuery(self.files, self.tests, self.timeout)


class Cycles(WholeGraphQuestion, frozen=True, kw_only=True):
    """List groups of definitions that use each other in a cycle."""

    def answer(self, session: Session) -> CyclesDocument:
        found = find_cycles(session, self.asked)
        groups, start = self.cut(found.groups)
        entities = hold_entities(session, (node for group in groups for node in group.nodes))
        document = cycles_document(found._replace(groups=groups), entities, session.freshness)
        return replace(document, truncated=start is not None, next=start)


class Components(WholeGraphQuestion, frozen=True, kw_only=True):
    """List groups of definitions that are connected by uses."""

    def answer(self, session: Session) -> ComponentsDocument:
        found = find_components(session, self.asked)
        groups, start = self.cut(found.groups)
        entities = hold_entities(session, (node for group in groups for node in group.nodes))
        document = components_document(found._replace(groups=groups), entities, session.freshness)
        return replace(document, truncated=start is not None, next=start)


class Rank(WholeGraphQuestion, frozen=True, kw_only=True):
    """List the definitions that most other code depends on."""

    def answer(self, session: Session) -> RankDocument:
        ranked, start = self.cut(find_rank(session, self.asked).ranked)
        document = rank_document(ranked, hold_entities(session, (one.node for one in ranked)), session.freshness)
        return replace(document, truncated=start is not None, next=start)


class Unused(PagedQuestion, frozen=True, kw_only=True):
    """List definitions without known users, the most likely to be unused first."""

    all: Annotated[bool, Meta(description="Include those that are likely used in ways that are not seen.")] = False
    tests: WithTests = True
    timeout: Seconds = UNUSED_SECONDS

    def answer(self, session: Session) -> UnusedDocument:
        found = find_unused(session, UnusedQuery(self.tests, self.timeout))
        unused, start = self.cut(one for one in found.unused if self.all or not one.is_explained)
        entities = hold_entities(session, (one.node for one in unused))
        document = unused_document(found._replace(unused=unused), entities, session.freshness)
        return replace(document, truncated=start is not None, next=start)
