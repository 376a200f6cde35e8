"""Read the past of identities in the ledger: events from birth on, and their places.

Takes many identities at once; gives a Life of each. `find_in` locates an identity at a commit, `deleted_from` lists the
entities that were deleted from a file.

`read_descents` gives the origins and the present places of code, also of deleted code. Derivations are followed in the
order in which they happened: code that left a derivative before it was derived is other code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from birthmark.identity.keys import parse_key
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.model import REPLAY, Event, Identity, Run, SnapshotEntity
from birthmark.vocabulary import COSMETIC, Change, HistoryChange

if TYPE_CHECKING:
    from birthmark.ledger.replay_commit import ReplayState
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from birthmark.model import DerivationEnd, Location
from birthmark.store.model import LedgerDerivation
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_LEAST_CARRIED = 0.05  # of the deleted code; of several steps the product counts
_MOST_STEPS = 20
_SURENESS = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


class LedgerEvent(NamedTuple):
    """An event with its run, and the event before it."""

    event: Event
    run: Run
    before: Event | None
    changes: tuple[HistoryChange, ...] = ()  # in detail, of a step of a history
    is_boundary: bool = False  # whether a shallow clone begins at this commit

    @property
    def is_cosmetic(self) -> bool:
        """Return True if it changed only comments or formatting."""
        return bool(self.changes) and set(self.changes) <= COSMETIC

    @property
    def is_replayed(self) -> bool:
        """Return True if the run's commit made the change; else the run found it."""
        return self.run.worktree == REPLAY


class Life(NamedTuple):
    """An identity, its events from birth on, and the entity that has it now."""

    identity: Identity
    events: tuple[LedgerEvent, ...]
    shown: SnapshotEntity | None
    became: tuple[Identity, ...] = ()  # possible successors, if ambiguous
    was: tuple[Identity, ...] = ()  # possible predecessors

    @property
    def last(self) -> LedgerEvent:
        return self.events[-1]

    @property
    def deletion(self) -> LedgerEvent | None:
        """The last deletion, if the identity is gone; a branch that was merged later may have changed it since."""
        deletions = [one for one in self.events if one.event.change == Change.DELETED]
        return deletions[-1] if deletions and self.shown is None else None


def read_lives(view: SnapshotView, identities: Iterable[int]) -> dict[int, Life]:
    """Return lives by identity; the number of queries does not depend on that of identities."""
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
    """Return a birth event made from the identity: a birth is recorded only if there were candidates."""
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
    """An identity that was deleted from a file, and its entity if it came back."""

    identity: Identity
    deletion: LedgerEvent
    indexed: IndexedEntity | None


def find_in(view: SnapshotView, identity: int, state: ReplayState) -> Entity | None:
    """Return the entity that has an identity in the state of a commit."""
    version = next((found for found in state.files.values() if identity in found.identities), None)
    file = view.at_version(version.version) if version is not None else None
    if version is None or file is None:
        return None
    return file.outline.entities[version.identities.index(identity)]


def deleted_from(view: SnapshotView, path: str) -> list[DeletedIdentity]:
    """Return everything that was ever deleted from a file, in the order of the last deletions."""
    events = {event.identity: event for event in view.store.deletions_from(path)}
    runs = view.store.runs({event.run for event in events.values()})
    known = {found.identity: found for found in view.store.identities(list(events))}
    deletions = {event.identity: LedgerEvent(event, runs[event.run], event) for event in events.values()}
    return [
        DeletedIdentity(known[identity], deletions[identity], view.entity(identity))
        for identity in sorted(events, key=lambda identity: events[identity].run)
    ]


class Carrier(NamedTuple):
    """A present entity that has code of a deleted one, with the derivations that led there, the first one first."""

    steps: tuple[DerivationEnd, ...]

    @property
    def end(self) -> DerivationEnd:
        return self.steps[-1]

    @property
    def source_share(self) -> float:
        """The share of the deleted entity's code that came there, if every step took of all parts alike."""
        return round(prod(step.source_share for step in self.steps), 3)

    @property
    def confidence(self) -> Confidence:
        return min((step.confidence for step in self.steps), key=_SURENESS.index)


class Descent(NamedTuple):
    """The other ends of an identity's derivations, and carriers if it is deleted; those with most code first."""

    derived_from: tuple[DerivationEnd, ...] = ()
    derivatives: tuple[DerivationEnd, ...] = ()
    carriers: tuple[Carrier, ...] = ()


NO_DESCENT = Descent()


def read_descents(view: SnapshotView, lives: Iterable[Life]) -> dict[int, Descent]:
    """Return descents by identity; the number of queries does not depend on that of lives."""
    asked = {life.identity.identity: life for life in lives}
    found = view.store.derivations_of(asked)
    if not found:
        return {}
    gone = [number for number, life in asked.items() if life.shown is None]
    links = {*found, *_followed(view, found, gone)}
    reader = _DescentReader(view, asked, sorted(links, key=lambda row: (row.run, *row)))
    return {number: reader.descent(number) for number in asked}


def _followed(view: SnapshotView, found: list[LedgerDerivation], gone: Collection[int]) -> Iterator[LedgerDerivation]:
    """Yield all derivations after those of deleted identities."""
    seen, rows = set(gone), found
    for _ in range(_MOST_STEPS):
        reached = {row.derivative for row in rows if row.source in seen} - seen
        if not reached:
            return
        seen |= reached
        rows = view.store.derivations_of(reached)
        yield from rows


class _DescentReader:
    """Derivations by source and by derivative, and the lives at their ends."""

    def __init__(self, view: SnapshotView, asked: Mapping[int, Life], links: Sequence[LedgerDerivation]) -> None:
        others = {end for row in links for end in (row.source, row.derivative)} - asked.keys()
        self.lives = {**asked, **(read_lives(view, others) if others else {})}
        self.runs: dict[int, Run] = view.store.runs({row.run for row in links})
        self.sources, self.derivatives = defaultdict(list), defaultdict(list)
        for row in links:
            self.sources[row.derivative].append(row)
            self.derivatives[row.source].append(row)

    def descent(self, identity: int) -> Descent:
        sources = [self._end(row, row.source) for row in self.sources[identity]]
        derivatives = [self._end(row, row.derivative) for row in self.derivatives[identity]]
        carriers = self._carriers(identity) if not self._is_present(identity) else []
        return Descent(
            tuple(sorted(sources, key=lambda end: (-end.share, end.place.path, end.place.start_line))),
            tuple(sorted(derivatives, key=lambda end: (-end.source_share, end.place.path, end.place.start_line))),
            tuple(sorted(carriers, key=lambda one: (-one.source_share, one.end.place.path, one.end.place.start_line))),
        )

    def _carriers(self, identity: int) -> list[Carrier]:
        """Return each carrier once, by the shortest way; of several derivations in one step the last counts."""
        reached: dict[int, tuple[LedgerDerivation, ...]] = {identity: ()}
        queue = [identity]
        for at in queue:
            way = reached[at]
            for row in self.derivatives[at] if len(way) < _MOST_STEPS else ():
                is_later = not way or row.run >= way[-1].run
                is_much = prod(step.source_share for step in (*way, row)) >= _LEAST_CARRIED
                if row.derivative not in reached and is_later and is_much:
                    reached[row.derivative] = (*way, row)
                    queue.append(row.derivative)
        last = {row.derivative: (row,) for row in self.derivatives[identity]}
        ways = [last.get(number, way) for number, way in reached.items() if way and self._is_present(number)]
        return [Carrier(tuple(self._end(row, row.derivative) for row in way)) for way in ways]

    def _is_present(self, identity: int) -> bool:
        return self.lives[identity].shown is not None

    def _end(self, row: LedgerDerivation, other: int) -> DerivationEnd:
        life, run = self.lives[other], self.runs[row.run]
        shown = life.shown
        where = shown or (life.deletion or life.last).event
        return DerivationEnd(
            Location(where.path, where.qualified_name, where.start_line, where.end_line),
            DerivationKind(row.kind),
            row.share,
            row.source_share,
            DerivationEvidence(row.evidence),
            Confidence(row.confidence),
            None,
            life.identity.mark,
            shown.key if shown is not None else life.identity.key,
            run.revision,
            run.worktree == REPLAY,
            shown is not None,
        )


# Changes of code

_OTHER_CODE = frozenset({Change.MODIFIED, Change.RENAMED})  # words that say so where the code before is not recorded
_WHOLE = frozenset({Change.BORN, Change.DELETED})  # the beginning and the end of it, not a change


def find_changes(events: Iterable[Event], runs: Collection[int] | None = None) -> dict[int, list[int]]:
    """Return the runs in which the code of each identity changed, in order; of these runs, or of all.

    An event counts as a change if it changed the code, not if it only moved it.
    """
    changes: dict[int, list[int]] = {}
    contents: dict[int, str] = {}
    for event in events:
        before = contents.get(event.identity)
        contents[event.identity] = event.content
        if runs is not None and event.run not in runs:
            continue
        is_other = event.change in _OTHER_CODE if before is None else event.content != before
        known = changes.setdefault(event.identity, [])
        if is_other and event.change not in _WHOLE and event.run not in known[-1:]:
            known.append(event.run)
    return changes
