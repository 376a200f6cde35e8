"""`callers` and `callees`: who calls a REF, and what it calls."""

from __future__ import annotations

import click

from birthmark.app.queries import find_callees, find_callers
from birthmark.app.session import Session, asking
from birthmark.graph.edges import Edge
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.cli.output import json_option, print_json, print_rows, warn_if_stale
from birthmark.surfaces.text import lines_of
from birthmark.surfaces.wire.answers import edges_document


@click.command()
@click.argument("ref")
@json_option
def callers(ref: str, as_json: bool) -> None:
    """List the callers of REF, and how each call was resolved.

    exact: by scope; import: by an import of the file; name: REF is one of several definitions of that name.

    \b
    Examples:
      birthmark callers Flask.url_for
      birthmark callers src/app.py:120 --json
    """
    with asking() as session:
        _print_edges(session, *find_callers(session, ref), as_json)


@click.command()
@click.argument("ref")
@json_option
def callees(ref: str, as_json: bool) -> None:
    """List what REF calls, and how each was resolved.

    \b
    Examples:
      birthmark callees Flask.url_for
    """
    with asking() as session:
        _print_edges(session, *find_callees(session, ref), as_json)


def _print_edges(
    session: Session, indexed: IndexedEntity, edges: list[tuple[Edge, IndexedEntity | None]], as_json: bool
) -> None:
    if as_json:
        print_json(edges_document(indexed, edges, session.freshness))
        return
    warn_if_stale(session.freshness)
    print_rows([_edge_row(edge, other) for edge, other in edges])


def _edge_row(edge: Edge, other: IndexedEntity | None) -> tuple[str, str, str]:
    name = f"{other.entity.qualified_name}  {_location(other)}" if other else edge.name
    several = f"  ({edge.n_candidates} candidates)" if edge.n_candidates > 1 else ""
    return f"{edge.source_path}:{edge.line}", str(edge.resolution), name + several


def _location(indexed: IndexedEntity) -> str:
    return f"{indexed.entity.path}:{lines_of(indexed.entity.start_line, indexed.entity.end_line)}"
