"""Answer from the ledger what once was: where an identity was at a commit, and what was deleted from a file."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.ledger.replay_commit import ReplayState
from birthmark.model import Entity
from birthmark.queries.past.life import LedgerEvent
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.model import Identity


class DeletedIdentity(NamedTuple):
    """An identity that was deleted from a file, and where it is if it came back."""

    identity: Identity
    deletion: LedgerEvent
    indexed: IndexedEntity | None


def find_in(view: SnapshotView, identity: int, state: ReplayState) -> Entity | None:
    """The entity that has an identity in the state of a commit."""
    version = next((found for found in state.files.values() if identity in found.identities), None)
    file = view.at_version(version.version) if version is not None else None
    if version is None or file is None:
        return None
    return file.outline.entities[version.identities.index(identity)]


def deleted_from(view: SnapshotView, path: str) -> list[DeletedIdentity]:
    """All that was ever deleted from a file, the latest deletion of each, in the order in which that happened."""
    events = {event.identity: event for event in view.store.deletions_from(path)}
    runs = view.store.runs({event.run for event in events.values()})
    known = {found.identity: found for found in view.store.identities(list(events))}
    deletions = {event.identity: LedgerEvent(event, runs[event.run], event) for event in events.values()}
    return [
        DeletedIdentity(known[identity], deletions[identity], view.entity(identity))
        for identity in sorted(events, key=lambda identity: events[identity].run)
    ]
