"""A network as it were without tests: what tests use is not used by them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.queries.graph_questions.use_steps import Definitions
from birthmark.queries.reach.test_code import is_test_code

_AT_ONCE = 10_000


class NetworkWithoutTests:
    """Another network, without the edges that start in the code of tests."""

    def __init__(self, network: Network, snapshot: Definitions) -> None:
        self.network, self.snapshot = network, snapshot

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.users_of(nodes))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.used_by(nodes))

    def all_edges(self) -> Iterator[NetworkEdge]:
        return self._kept(self.network.all_edges())

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.possible_users_of(identities))

    def mentions_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.mentions_of(identities))

    def all_mentions(self) -> Iterator[NetworkEdge]:
        return self._kept(self.network.all_mentions())

    def _kept(self, edges: Iterable[NetworkEdge]) -> Iterator[NetworkEdge]:
        rest = iter(edges)
        while some := [*islice(rest, _AT_ONCE)]:
            users = self.snapshot.definitions({edge.user for edge in some if isinstance(edge.user, int)})
            for edge in some:
                user = users.get(edge.user) if isinstance(edge.user, int) else None
                if not is_test_code(edge.path, user.language if user else "", user.qualified_name if user else ""):
                    yield edge
