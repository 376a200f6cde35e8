"""The past of identities in the ledger: events from birth on, and where each was or is.

Takes identities by their numbers, many at once; gives a Life of each. `find_in` locates an identity at a commit,
`deleted_from` lists what was deleted from a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from birthmark.identity.keys import parse_key
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.model import REPLAY, Event, Identity, Run, SnapshotEntity
from birthmark.vocabulary import Change

if TYPE_CHECKING:
    from birthmark.ledger.replay_commit import ReplayState


class LedgerEvent(NamedTuple):
    """An event with when and where it happened, and the event before it."""

    event: Event
    run: Run
    before: Event | None

    @property
    def is_replayed(self) -> bool:
        """Return whether the run's commit did it; else it was found by the time of that run."""
        return self.run.worktree == REPLAY


class Life(NamedTuple):
    """An identity, its events from birth on, and the entity that has it now."""

    identity: Identity
    events: tuple[LedgerEvent, ...]
    shown: SnapshotEntity | None
    became: tuple[Identity, ...] = ()  # what it may have become, where that is ambiguous
    was: tuple[Identity, ...] = ()  # what it may have been

    @property
    def last(self) -> LedgerEvent:
        return self.events[-1]

    @property
    def deletion(self) -> LedgerEvent | None:
        """When it was deleted last, if it is gone; a branch that was merged later may have changed it since."""
        deletions = [one for one in self.events if one.event.change == Change.DELETED]
        return deletions[-1] if deletions and self.shown is None else None


def read_lives(view: SnapshotView, identities: Iterable[int]) -> dict[int, Life]:
    """In a handful of queries, however many there are."""
    numbers = sorted(set(identities))
    pairs = view.store.candidates_of(numbers)
    known = {one.identity: one for one in view.store.identities({*numbers, *(one for pair in pairs for one in pair)})}
    became, was = _by_end(pairs, known), _by_end([(new, old) for old, new in pairs], known)
    shown = {one.identity: one for one in view.store.entities_of(view.number, numbers)}
    events = _events(view, [known[number] for number in numbers])
    return {
        number: Life(
            known[number],
            events[number],
            shown.get(number),
            tuple(became.get(number, ())),
            tuple(was.get(number, ())),
        )
        for number in numbers
    }


def _by_end(pairs: Iterable[tuple[int, int]], known: dict[int, Identity]) -> dict[int, list[Identity]]:
    others: dict[int, list[Identity]] = {}
    for end, other in pairs:
        others.setdefault(end, []).append(known[other])
    return others


def _events(view: SnapshotView, born: Collection[Identity]) -> dict[int, tuple[LedgerEvent, ...]]:
    events: dict[int, list[Event]] = {one.identity: [] for one in born}
    for event in view.store.events_of(events):
        events[event.identity].append(event)
    for one in born:
        if not events[one.identity] or events[one.identity][0].change != Change.BORN:
            events[one.identity].insert(0, _birth(one))
    runs = view.store.runs({event.run for life in events.values() for event in life})
    return {identity: _with_runs(life, runs) for identity, life in events.items()}


def _with_runs(events: list[Event], runs: dict[int, Run]) -> tuple[LedgerEvent, ...]:
    return tuple(
        LedgerEvent(event, runs[event.run], None if event.change == Change.BORN else earlier)
        for event, earlier in zip(events, [None, *events[:-1]], strict=True)
    )


def _birth(born: Identity) -> Event:
    """Made from the identity: a birth is recorded only where there were candidates."""
    parts = parse_key(born.key)
    assert parts is not None
    return Event(
        born.identity,
        born.run,
        Change.BORN,
        born.path,
        parts.qualified_name,
        born.start_line,
        born.end_line,
        "",
        None,
        None,
    )


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
