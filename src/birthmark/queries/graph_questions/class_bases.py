"""Which classes are below which, and which have a base that is not in the repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from birthmark.graph.network import NetworkEdge
from birthmark.vocabulary import EdgeKind

_INHERITS = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})
_ARGUMENTS = re.compile(r"[<\[(].*", re.S)
_WORD = re.compile(r"\w+")


class ClassBases:
    """The bases of classes, by identity."""

    def __init__(self, edges: Iterable[NetworkEdge]) -> None:
        self.bases: dict[int, list[int]] = {}
        for edge in edges:
            if edge.edge in _INHERITS and isinstance(edge.user, int) and isinstance(edge.used, int):
                self.bases.setdefault(edge.user, []).append(edge.used)

    def above(self, identity: int) -> Iterator[int]:
        """All classes above one, the nearest first."""
        seen, waiting = {identity}, [identity]
        while waiting:
            for base in self.bases.get(waiting.pop(0), ()):
                if base not in seen:
                    seen.add(base)
                    waiting.append(base)
                    yield base

    def outside(self, written: Mapping[int, Iterable[str]], names: Iterable[str]) -> dict[int, str]:
        """Classes with a base that is not in the repository, directly or by another one; and what it is called.

        `written` are the bases as the code names them, `names` those of all classes of the repository.
        """
        known = set(names)
        found = {
            identity: foreign
            for identity, bases in written.items()
            if (foreign := next((base for base in bases if _last_word(base) not in known), None)) is not None
        }
        for identity in written:
            base = next((one for one in self.above(identity) if one in found), None)
            if identity not in found and base is not None:
                found[identity] = found[base]
        return found


def _last_word(name: str) -> str:
    words = _WORD.findall(_ARGUMENTS.sub("", name))
    return words[-1] if words else ""
