"""Where the definitions that changed between two states are in the index."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.app.changes.diffing import ComparedStates
from birthmark.app.workspace.session import Session
from birthmark.comparison.entity_changes import EntityChange


def find_nodes(session: Session, compared: ComparedStates, changes: Iterable[EntityChange]) -> dict[int, int]:
    """By the position of each change, the identity in the index; by place where the state compared is another one."""
    identities, changes = compared.identities[1], [*changes]
    rows = session.store.entities_in(session.view.number, sorted({one.after.path for one in changes if one.after}))
    shown = {(row.path, row.qualified_name): row.identity for row in rows}
    known = {row.identity for row in rows}
    nodes: dict[int, int] = {}
    for position, change in enumerate(changes):
        if change.new is not None and change.after is not None:
            identity = identities.get(change.new)
            found = identity if identity in known else shown.get((change.after.path, change.after.qualified_name))
            if found is not None:
                nodes[position] = found
    return nodes
