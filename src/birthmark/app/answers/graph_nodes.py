"""The nodes of the network as people and programs see them, and what all questions to it are asked with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename
from typing import NamedTuple

from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.parts import SiteDocument
from birthmark.documents.uses import UseDocument
from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.queries.impact import NetworkWithoutTests, UseSteps
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.queries.test_code import is_test
from birthmark.store.model import SnapshotEntity

SECONDS = 30.0  # that a question may take, unless another time is given


class GraphNode(NamedTuple):
    """A definition, or the top level of a file."""

    node: Node
    path: str
    entity: SnapshotEntity | None
    is_test: bool

    @property
    def name(self) -> str:
        return self.entity.qualified_name if self.entity is not None else f"top level of {basename(self.path)}"

    @property
    def start_line(self) -> int:
        return self.entity.start_line if self.entity is not None else 1


def read_nodes(view: SnapshotView, nodes: Iterable[Node]) -> dict[Node, GraphNode]:
    """Return the nodes that are in the snapshot."""
    wanted = set(nodes)
    rows = view.store.entities_of(view.number, [node for node in wanted if isinstance(node, int)])
    files = view.store.files(view.number, [node for node in wanted if isinstance(node, str)])
    languages = {path: row.language or "" for path, row in files.items()}
    return {row.identity: node_of(row) for row in rows} | {
        path: GraphNode(path, path, None, is_test(path, language)) for path, language in languages.items()
    }


def node_of(row: SnapshotEntity) -> GraphNode:
    return GraphNode(row.identity, row.path, row, is_test(row.path, row.language, row.qualified_name))


def hold_entities(session: Session, nodes: Iterable[GraphNode]) -> dict[int, IndexedEntity]:
    """The definitions among nodes in full, as documents have them."""
    rows = {one.entity.identity: one.entity for one in nodes if one.entity is not None}
    return session.view.hold_all(rows.values())


def network_of(session: Session, *, with_tests: bool) -> Network:
    """Return the network; call this before starting a time limit, because it may have to be updated first."""
    return session.network if with_tests else NetworkWithoutTests(session.network, session.graph)


def steps_of(session: Session, *, with_tests: bool = True) -> UseSteps:
    return UseSteps(network_of(session, with_tests=with_tests), session.graph)


def entity_or_null(node: GraphNode, entities: Mapping[int, IndexedEntity]) -> EntityDocument | None:
    indexed = entities.get(node.entity.identity) if node.entity is not None else None
    return indexed_entity_document(indexed) if indexed is not None else None


def use_document(
    user: GraphNode, used: GraphNode, step: NetworkEdge, entities: Mapping[int, IndexedEntity]
) -> UseDocument:
    ends = entity_or_null(user, entities), entity_or_null(used, entities)
    site = SiteDocument(step.path, step.line)
    return UseDocument(*ends, used.path, step.edge, step.resolution, site, user.is_test, used.is_test)
