"""Answer from the ledger what once was: where an identity stood at a commit, and who was deleted from a file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from birthmark.model import Entity
from birthmark.operations.answers import Happening
from birthmark.operations.view import Held, View
from birthmark.store.port import Identity


class Standing(NamedTuple):
    """An entity as it stood at a commit."""

    commit: str
    entity: Entity


class Deleted(NamedTuple):
    """An identity that was deleted from a file, and where it is if it came back."""

    identity: Identity
    happening: Happening
    held: Held | None


def stood_at(
    view: View, identity: int, commit: str, runs: Collection[int], has_file: Callable[[str], bool]
) -> Standing | None:
    """Where an identity stood at a commit; `runs` are those of the commit and its first parents, back to the first."""
    born = view.store.identities("identity", [identity])[0]
    for path in dict.fromkeys([born.path, *(event.path for event in view.store.events([identity]))]):
        version = next((found for found in view.store.versions_of(path) if found.run in runs), None)
        if version is None or identity not in version.identities or not has_file(path):
            continue
        file = view.at_version(version.version)
        if file is not None:
            return Standing(commit, file.outline.entities[version.identities.index(identity)])
    return None


def deleted_from(view: View, path: str) -> list[Deleted]:
    """All that was ever deleted from a file, the latest deletion of each, in the order in which that happened."""
    events = {event.identity: event for event in view.store.deleted_from(path)}
    known = {found.identity: found for found in view.store.identities("identity", list(events))}
    happenings = {event.identity: Happening(event, view.store.run(event.run), event) for event in events.values()}
    return [
        Deleted(known[identity], happenings[identity], view.entity(identity))
        for identity in sorted(events, key=lambda identity: events[identity].run)
    ]
