"""`cycles`, `components` and `rank`: what is in circles, what is connected, what is central."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import click

from birthmark.app.answers.uses.graph_nodes import GraphNode, hold_entities
from birthmark.app.answers.uses.whole_graph import (
    GroupsAnswer,
    GroupUse,
    NodeGroup,
    RankedNode,
    WholeGraphQuery,
    find_components,
    find_cycles,
    find_rank,
)
from birthmark.app.workspace.freshness import Freshness
from birthmark.app.workspace.session import Session
from birthmark.documents.document import Document
from birthmark.documents.whole_graph import components_document, cycles_document, rank_document
from birthmark.documents.wording import plain
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.cli.graph_options import files_option, limit_option, tests_option, timeout_option
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.edge_words import describe_use
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, print_table
from birthmark.surfaces.text import fit_middle, screen
from birthmark.words import count

_MOST_GROUPS, _MOST_RANKED = 50, 30
_MOST_NODES = 12  # of a group, on a terminal


def _options(limit: Callable[..., Callable[..., None]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in (json_option, timeout_option, tests_option, limit, files_option):
            command = option(command)
        return command

    return add


@click.command()
@_options(limit_option(_MOST_GROUPS, "groups"))
def cycles(by_files: bool, limit: int, no_tests: bool, seconds: float, as_json: bool) -> None:
    """List definitions that use each other in a circle, the largest groups first; with --files, files that do.

    Of each group a shortest way round is shown, with the line of each use. A definition that uses only itself is in
    none. Imports count among files, where they are what closes most circles.

    \b
    Examples:
      birthmark cycles
      birthmark cycles --files --no-tests
    """
    listing = _GroupListing(find_cycles, cycles_document, _cycle_rows, "no cycle")
    _list_groups(listing, WholeGraphQuery(by_files, not no_tests, seconds), limit, as_json)


@click.command()
@_options(limit_option(_MOST_GROUPS, "groups"))
def components(by_files: bool, limit: int, no_tests: bool, seconds: float, as_json: bool) -> None:
    """List groups of definitions, or with --files of files, between which there is no use, the largest first.

    What is inside of a definition is part of it. What is connected with nothing is in no group. Imports count among
    files.

    \b
    Examples:
      birthmark components
      birthmark components --files --no-tests
    """
    listing = _GroupListing(find_components, components_document, _component_rows, "no two that are connected")
    _list_groups(listing, WholeGraphQuery(by_files, not no_tests, seconds), limit, as_json)


@click.command()
@_options(limit_option(_MOST_RANKED, "definitions or files"))
def rank(by_files: bool, limit: int, no_tests: bool, seconds: float, as_json: bool) -> None:
    """List definitions, or with --files files, by how central they are: used much, by what is itself used much.

    This is PageRank over uses. A score is how many times as central one is as the average.

    \b
    Examples:
      birthmark rank --no-tests
      birthmark rank --files --limit 10
    """
    with asking() as session:
        found = find_rank(session, WholeGraphQuery(by_files, not no_tests, seconds))
        ranked = found.ranked[:limit]
        if as_json:
            entities = hold_entities(session, (one.node for one in ranked))
            print_json(rank_document(ranked, entities, session.freshness))
            return
        warn_if_stale(session.freshness)
    with paging():
        print_table([("score", "users", "name" if not by_files else "file"), *_ranked_rows(ranked, len(found.ranked))])
        click.echo()
        noun = "file" if by_files else "definition"
        echo_wrapped(f"the first {len(ranked):,} of {count(len(found.ranked), noun)}")


def _nodes(found: GroupsAnswer) -> list[GraphNode]:
    return [node for group in found.groups for node in group.nodes]


class _GroupListing(NamedTuple):
    """How groups are found, written as JSON and as rows, and what is said where there are none."""

    find: Callable[[Session, WholeGraphQuery], GroupsAnswer]
    document: Callable[[GroupsAnswer, Mapping[int, IndexedEntity], Freshness], Document]
    rows: Callable[[NodeGroup], list[TableRow]]
    nothing: str


def _list_groups(listing: _GroupListing, query: WholeGraphQuery, limit: int, as_json: bool) -> None:
    with asking() as session:
        found = listing.find(session, query)
        shown = found._replace(groups=found.groups[:limit])
        if as_json:
            entities = hold_entities(session, _nodes(shown))
            print_json(listing.document(shown, entities, session.freshness))
            return
        warn_if_stale(session.freshness)
    noun = "file" if query.by_files else "definition"
    with paging():
        print_groups((_heading(group, noun), listing.rows(group)) for group in shown.groups)
        echo_wrapped(_summary(found, noun, listing.nothing, limit))


def _component_rows(group: NodeGroup) -> list[TableRow]:
    return _node_rows(group.nodes)


def _heading(group: NodeGroup, noun: str) -> str:
    n_nodes, n_files = len(group.nodes), len({node.path for node in group.nodes})
    where = "" if noun == "file" else f" in {count(n_files, 'file')}"
    return f"{count(n_nodes, noun)}{where}"


def _cycle_rows(group: NodeGroup) -> list[TableRow]:
    """A way round; then the others of the group."""
    rows = [_use_row(use) for use in group.cycle]
    shown = {node.node for use in group.cycle for node in (use.user, use.used)}
    others = [node for node in group.nodes if node.node not in shown]
    return [*rows, *([(Cell("and with them", "dim"),), *_node_rows(others)] if others else [])]


def _use_row(use: GroupUse) -> TableRow:
    name = [plain(use.user.name)] if use.user.entity is not None else []
    words = ["uses", plain(_name(use.used)), *_in_brackets(describe_use(use.step.edge, use.step.resolution))]
    return *name, Cell(_cut(f"{use.step.path}:{use.step.line}"), "dim"), " ".join(words)


def _in_brackets(words: Sequence[str]) -> list[str]:
    return [f"({', '.join(words)})"] if words else []


def _node_rows(nodes: Sequence[GraphNode]) -> list[TableRow]:
    most = len(nodes) if screen().columns is None else _MOST_NODES
    rows: list[TableRow] = [(_cut(_place(node)), plain(node.name) if node.entity else "") for node in nodes[:most]]
    n_more = len(nodes) - most
    return [*rows, (Cell(f"and {n_more:,} more", "dim"),)] if n_more > 0 else rows


def _ranked_rows(ranked: Sequence[RankedNode], n_all: int) -> list[TableRow]:
    return [
        (
            f"{one.score * n_all:.1f}".rjust(5),
            f"{one.n_users:,}".rjust(5),
            *((plain(one.node.name), Cell(_place(one.node), "dim")) if one.node.entity else (plain(one.node.path),)),
        )
        for one in ranked
    ]


def _name(node: GraphNode) -> str:
    return node.name if node.entity is not None else node.path


def _place(node: GraphNode) -> str:
    return plain(node.path if node.entity is None else f"{node.path}:{node.entity.start_line}")


def _cut(place: str) -> str:
    columns = screen().columns
    return fit_middle(plain(place), None if columns is None else max(columns // 2, 20))


def _summary(found: GroupsAnswer, noun: str, none: str, limit: int) -> str:
    among = f"among {count(found.n_nodes, noun)}"
    if not found.groups:
        return f"{none} {among}"
    n_nodes = sum(len(group.nodes) for group in found.groups)
    more = f"; {limit:,} listed, --limit lists more" if len(found.groups) > limit else ""
    return f"{count(n_nodes, noun)} in {count(len(found.groups), 'group')}, {among}{more}"
