"""What mentions some definitions without calling them: as it is kept, or, of what is inside of others, in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from birthmark.app.workspace.session import Session
from birthmark.graph.mention_edges import mention_edges
from birthmark.graph.names.outer_names import OuterNames
from birthmark.graph.network import NetworkEdge
from birthmark.graph.symbols import Definition


def find_mentioning(session: Session, definitions: Iterable[Definition]) -> Iterator[NetworkEdge]:
    """Pairs that have an edge of the network may be missing."""
    outer_names = OuterNames(session.graph, session.resolver.imports)
    outer, inner = list[Definition](), list[Definition]()
    for one in definitions:
        (outer if outer_names.is_outer(one) else inner).append(one)
    yield from session.network.mentions_of([one.identity for one in outer])
    yield from mention_edges(session.graph, session.resolver, inner)
