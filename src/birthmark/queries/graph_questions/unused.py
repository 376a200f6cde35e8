"""Definitions that no edge leads to, but from inside of themselves.

Takes the definitions of a snapshot and its network; ClassBases has the superclasses, Mentions the names that may be
uses. Definitions of one qualified name in one file, as a property and its setter, are one. A method that overrides one
which is used is used, and so is the constructor of a class that is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.queries.graph_questions.use_steps import is_inside
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import EdgeKind, Resolution

_KINDS = FUNCTION_LIKE | CLASS_LIKE - {"impl"} | {"const", "var", "field", "typedef", "macro"}
_NO_USE = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS, EdgeKind.OVERRIDES})
Group = tuple[str, str]  # path and qualified name
_INHERITS = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})
_ARGUMENTS = re.compile(r"[<\[(].*", re.S)
_WORD = re.compile(r"\w+")
_NOT_MENTIONED = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS, EdgeKind.WRITES})


class WithoutUsers(NamedTuple):
    """A definition, the nearest one around it that has no users either, and where it is imported, if anywhere."""

    definition: Definition
    outer: Group | None
    imported: NetworkEdge | None


def find_without_users(definitions: Collection[Definition], edges: Iterable[NetworkEdge]) -> list[WithoutUsers]:
    """In the order of the definitions, in which what is around others comes first."""
    groups = {one.identity: (one.path, one.qualified_name) for one in definitions}
    known = {one.identity: one for one in definitions}
    used: set[Group] = set()
    imported: dict[Group, NetworkEdge] = {}
    overrides: list[tuple[Group, Group]] = []
    for edge in edges:
        target = groups.get(edge.used) if isinstance(edge.used, int) else None
        if target is None or (isinstance(edge.used, int) and is_inside(edge, known[edge.used])):
            continue
        if edge.edge not in _NO_USE:
            used.update(_used_by(edge, target, groups))
        elif edge.edge is not EdgeKind.OVERRIDES:
            imported.setdefault(target, edge)
        elif isinstance(edge.user, int) and edge.user in groups:
            overrides.append((groups[edge.user], target))
    _add_overriding(used, overrides)
    return [*_unused(definitions, used, imported)]


def _used_by(edge: NetworkEdge, target: Group, groups: Mapping[int, Group]) -> Iterator[Group]:
    """What is used by an edge: its end and all around that, but for what the user is inside of."""
    path, name = target
    user = groups.get(edge.user) if isinstance(edge.user, int) else None
    around_user = {*scopes_around(user[1])} if user is not None and user[0] == path else set()
    return ((path, scope) for scope in scopes_around(name) if scope not in around_user)


def _add_overriding(used: set[Group], overrides: list[tuple[Group, Group]]) -> None:
    """What overrides something used is used, and so on for what overrides that."""
    left = overrides
    while found := [pair for pair in left if pair[1] in used and pair[0] not in used]:
        used.update(over for over, _ in found)
        left = [pair for pair in left if pair[0] not in used]


def _unused(
    definitions: Collection[Definition], used: set[Group], imported: Mapping[Group, NetworkEdge]
) -> Iterator[WithoutUsers]:
    known = {(one.path, one.qualified_name): one for one in definitions}
    listed: set[Group] = set()
    for one in definitions:
        group, *around = [(one.path, scope) for scope in scopes_around(one.qualified_name)]
        is_made = one.kind == "constructor" and any(_is_used_class(known.get(outer), used) for outer in around)
        if _is_unused(one, used) and not is_made and group not in listed:
            listed.add(group)
            outer = next((outer for outer in around if outer in known and _is_unused(known[outer], used)), None)
            yield WithoutUsers(one, outer, imported.get(group))


def _is_unused(one: Definition, used: Collection[Group]) -> bool:
    return one.kind in _KINDS and (one.path, one.qualified_name) not in used


def _is_used_class(one: Definition | None, used: Collection[Group]) -> bool:
    return one is not None and one.kind in CLASS_LIKE and (one.path, one.qualified_name) in used


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


class Mentions:
    """Those that are sure uses, and all others by what they may mean."""

    def __init__(self, mentions: Iterable[NetworkEdge], rows: Mapping[int, SnapshotEntity]) -> None:
        self.sure: list[NetworkEdge] = []
        self.others: dict[Node, list[NetworkEdge]] = {}
        by_site: dict[tuple[object, ...], list[NetworkEdge]] = {}
        for edge in mentions:
            if edge.resolution is Resolution.NAME:
                by_site.setdefault((edge.path, edge.line, edge.user, edge.edge), []).append(edge)
            elif edge.edge in _NOT_MENTIONED:
                self._add_other(edge)
            else:
                self.sure.append(edge)
        for edges in by_site.values():
            meant = {(row.path, row.qualified_name) for edge in edges if (row := _row(edge, rows)) is not None}
            if len(edges) > 1 and len(meant) == 1 and edges[0].edge not in _NOT_MENTIONED:
                self.sure += edges
            else:
                for edge in edges:
                    self._add_other(edge)

    def _add_other(self, edge: NetworkEdge) -> None:
        self.others.setdefault(edge.used, []).append(edge._replace(may_be_outside=True))


def _row(edge: NetworkEdge, rows: Mapping[int, SnapshotEntity]) -> SnapshotEntity | None:
    return rows.get(edge.used) if isinstance(edge.used, int) else None
