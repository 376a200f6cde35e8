"""The history of an entity walked through git, beside the life that is told from a replayed ledger.

Takes an opened past and a session over an index that was made from history; gives the commits about which the two
differ. Both are brought to one form: what a commit did, and where the entity was before and after it. The ledger knows
all deletions, a walk only those that `history/gaps.py` looks for: they are compared down to a return that one of them
does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple

from birthmark.app.histories.lives import tell_life
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import follow
from birthmark.history.lineage import EntityAtCommit, Step, entity_at_commit
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import HistoryChange

Place = tuple[str, str, int, int] | None


class Event(NamedTuple):
    """What happened to an entity, and where it was before and afterwards."""

    words: tuple[str, ...]
    before: Place
    after: Place


Events = dict[str, Event]  # by commit, the newest first
INTRODUCED, RETURNED = str(HistoryChange.INTRODUCED), str(HistoryChange.RETURNED)


class Difference(NamedTuple):
    """A commit about which the two disagree."""

    commit: str
    walked: Event | None
    replayed: Event | None


def compare(
    past: OpenRepository, session: Session, commit: str, held: IndexedEntity, pairings: CommitPairings
) -> list[Difference]:
    steps = {step.commit: event_of_step(step) for step in follow(past, _at(past, commit, held), pairings)}
    life = tell_life(session, read_lives(session.view, [held.identity])[held.identity])
    walked, told = cut_at_unknown_return(steps, dict(reversed([*_of_events(life.events)])))
    commits = dict.fromkeys([*walked, *told])
    return [Difference(one, walked.get(one), told.get(one)) for one in commits if walked.get(one) != told.get(one)]


def cut_at_unknown_return(walked: Events, told: Events) -> tuple[Events, Events]:
    """Return both down to the first return that only one of them knows, or that is one from another deletion."""
    for commit, event in walked.items():
        other = told.get(commit)
        words = {event.words, other.words} if other is not None else set()
        is_other_deletion = words == {(RETURNED,)} and _before(walked, commit) != _before(told, commit)
        if words == {(RETURNED,), (INTRODUCED,)} or is_other_deletion:
            return _newer(walked, commit), _newer(told, commit)
    return walked, told


def _before(events: Events, commit: str) -> tuple[str, Event] | None:
    """Return the event before that of a commit."""
    older = [*events.items()][[*events].index(commit) + 1 :]
    return older[0] if older else None


def _newer(events: Events, commit: str) -> Events:
    return dict(takewhile(lambda one: one[0] != commit, events.items()))


def _at(past: OpenRepository, commit: str, held: IndexedEntity) -> EntityAtCommit:
    path = held.entity.path
    blob = past.blob(commit, path)
    assert blob is not None
    outline = past.outlines([(blob, path)])[0]
    assert outline is not None
    where = held.entity.start_byte, held.entity.end_byte, held.entity.name
    found = [
        i for i, entity in enumerate(outline.entities) if (entity.start_byte, entity.end_byte, entity.name) == where
    ]
    return entity_at_commit(past, commit, path, blob, outline, found[0])


def event_of_step(step: Step) -> Event:
    return Event(tuple(map(str, step.changes)), _place(step.before), _place(step.after))


def _of_events(events: Iterable[LedgerEvent]) -> Iterable[tuple[str, Event]]:
    for one in events:
        yield str(one.run.revision), Event(tuple(map(str, one.changes)), _place(one.before), _place(one.event))


def _place(where: object) -> Place:
    if where is None:
        return None
    path, name, start, end = (getattr(where, field) for field in ("path", "qualified_name", "start_line", "end_line"))
    return path, name, start, end
