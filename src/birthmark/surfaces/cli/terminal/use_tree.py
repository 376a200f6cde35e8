"""A tree of uses: a line for each user under what it uses, with the place of the use, aligned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.app.answers.uses.impact import ImpactAnswer, ImpactUser
from birthmark.documents.wording import plain
from birthmark.graph.network import Node
from birthmark.surfaces.cli.terminal.edge_words import describe_use
from birthmark.surfaces.cli.terminal.tables import Cell, table_lines
from birthmark.surfaces.cli.terminal.tree_connectors import tree_connectors
from birthmark.surfaces.text import cells, fit, fit_middle, screen
from birthmark.words import lines_of

_LEAST_NAME = 24  # columns, however long the places are


class UseRow(NamedTuple):
    """A line of the tree: how deep it is, a name, a place, and a note."""

    depth: int
    name: str
    place: str
    note: str


def impact_tree(answer: ImpactAnswer) -> Iterator[UseRow]:
    """The entity, and below it its users; tests come last."""
    entity = answer.indexed.entity
    yield UseRow(0, entity.qualified_name, f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}", "")
    below = users_by_used(answer)
    waiting = below.pop(answer.indexed.identity, [])[::-1]
    while waiting:
        user = waiting.pop()
        yield UseRow(user.depth, user.node.name, f"{user.step.path}:{user.step.line}", ", ".join(_notes(answer, user)))
        waiting += below.pop(user.node.node, [])[::-1]


def users_by_used(answer: ImpactAnswer) -> dict[Node, list[ImpactUser]]:
    """What is drawn below each node; all that uses the entity or a member of it is below the entity."""
    below: dict[Node, list[ImpactUser]] = {}
    for user in sorted(answer.users, key=lambda one: (one.node.is_test, one.step.path, one.step.line)):
        used = answer.indexed.identity if user.depth == 1 else user.used.node
        below.setdefault(used, []).append(user)
    return below


def _notes(answer: ImpactAnswer, user: ImpactUser) -> list[str]:
    is_of_member = user.depth == 1 and user.used.node != answer.indexed.identity
    member = [f"of {user.used.name.removeprefix(f'{answer.indexed.entity.qualified_name}.')}"] if is_of_member else []
    return [*(["test"] if user.node.is_test else []), *describe_use(user.step.edge, user.step.resolution), *member]


def use_lines(rows: Sequence[UseRow]) -> list[str]:
    """At most as wide as the screen: places lose their middle, then names their end."""
    connectors = tree_connectors([row.depth for row in rows])
    names = [connector + plain(row.name) for connector, row in zip(connectors, rows, strict=True)]
    places = [plain(row.place) for row in rows]
    columns = screen().columns
    if columns is not None:
        left = columns - 4 - max((cells(row.note) for row in rows), default=0)
        name_width = max(min(max(map(cells, names), default=0), left // 2), _LEAST_NAME)
        place_width = max(min(max(map(cells, places), default=0), left - name_width), 12)
        name_width = max(name_width, left - place_width)
        names = [fit(name, name_width) for name in names]
        places = [fit_middle(place, place_width) for place in places]
    table = [
        (name, Cell(place, "dim"), Cell(plain(row.note), "cyan"))
        for name, place, row in zip(names, places, rows, strict=True)
    ]
    return table_lines(table)
