"""Uses of a snapshot that are no calls, as lines of text; those that are only possible have a question mark."""

from __future__ import annotations

from birthmark.graph.candidates import MENTIONS
from birthmark.graph.network import NetworkEdge, resolve_file
from graph_snapshot import Files, Snapshot, resolver_of


def list_occurrences(files: Files) -> str:
    snapshot, found = occurrences_in(files)
    return ", ".join(sorted(shown(snapshot, edge, is_possible=mark) for edge, mark in found))


def occurrences_in(files: Files) -> tuple[Snapshot, list[tuple[NetworkEdge, bool]]]:
    """Return the edges of a snapshot that are neither calls nor bases, with a mark at possible ones."""
    snapshot = Snapshot(files)
    resolver = resolver_of(snapshot)
    found = []
    for path in sorted(snapshot.paths()):
        edges, unsure = resolve_file(snapshot, resolver, path)
        found += [(edge, False) for edge in edges if edge.edge in MENTIONS]
        found += [(edge._replace(used=one), True) for edge, all_ in unsure for one in all_ if edge.edge in MENTIONS]
    return snapshot, found


def shown(snapshot: Snapshot, edge: NetworkEdge, *, is_possible: bool) -> str:
    names: dict[int | str, str] = {
        one.identity: f"{one.path}::{one.qualified_name}" for path in snapshot.paths() for one in snapshot.inside(path)
    }
    mark = "?" if is_possible else ""
    return f"{names.get(edge.user, edge.user)} {edge.edge}{mark} {names[edge.used]} {edge.line}"
