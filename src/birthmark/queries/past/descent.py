"""The origins and the present places of the code of identities, also of deleted ones.

Takes Lives, many at once; gives a Descent of each that has one. From what was deleted, derivations are followed in the
order in which they happened: what left a derivative before the code came into it is something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from birthmark.comparison.derivations import DerivationEnd
from birthmark.model import Location
from birthmark.queries.past.life import Life, read_lives
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.store.model import REPLAY, LedgerDerivation, Run
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_LEAST_CARRIED = 0.05  # of the code of what was deleted; of several steps the product counts
_MOST_STEPS = 20
_SURENESS = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


class Carrier(NamedTuple):
    """Something present that has code of something deleted, and the derivations that led there, the first one first."""

    steps: tuple[DerivationEnd, ...]

    @property
    def end(self) -> DerivationEnd:
        return self.steps[-1]

    @property
    def source_share(self) -> float:
        """How much of the deleted one's code came there, if every step took of all parts alike."""
        return round(prod(step.source_share for step in self.steps), 3)

    @property
    def confidence(self) -> Confidence:
        return min((step.confidence for step in self.steps), key=_SURENESS.index)


class Descent(NamedTuple):
    """The other ends of an identity's derivations; carriers only if it is deleted. Most of the code comes first."""

    derived_from: tuple[DerivationEnd, ...] = ()
    derivatives: tuple[DerivationEnd, ...] = ()
    carriers: tuple[Carrier, ...] = ()


NO_DESCENT = Descent()


def read_descents(view: SnapshotView, lives: Iterable[Life]) -> dict[int, Descent]:
    """In a handful of queries, however many there are."""
    asked = {life.identity.identity: life for life in lives}
    found = view.store.derivations_of(asked)
    if not found:
        return {}
    gone = [number for number, life in asked.items() if life.shown is None]
    links = {*found, *_followed(view, found, gone)}
    reader = _DescentReader(view, asked, sorted(links, key=lambda row: (row.run, *row)))
    return {number: reader.descent(number) for number in asked}


def _followed(view: SnapshotView, found: list[LedgerDerivation], gone: Collection[int]) -> Iterator[LedgerDerivation]:
    """All that comes after what is deleted."""
    seen, rows = set(gone), found
    for _ in range(_MOST_STEPS):
        reached = {row.derivative for row in rows if row.source in seen} - seen
        if not reached:
            return
        seen |= reached
        rows = view.store.derivations_of(reached)
        yield from rows


class _DescentReader:
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
        """Each once, by the shortest way; of several derivations in one step the last is what counts."""
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
