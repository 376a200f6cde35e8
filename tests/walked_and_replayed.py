"""The walked history of an entity beside the events that a replayed ledger has of it.

Takes an opened past and a session over an index that was made from history; gives the differences, if any. Both are
brought to one form first: by commit, a word and where the entity is after it. Not compared are events at commits that
git's own walk leaves out, because a merge took another side there; changes of what is in a container; and steps of a
history in which nothing but the layout of comments above an entity differs, of which the ledger has no fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.comparison.changes import CONTAINERS
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.follow import follow
from birthmark.history.lineage import EntityAtCommit, Step, entity_at_commit
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import COSMETIC, Change, HistoryChange

_PLACE = {HistoryChange.CONTAINER, HistoryChange.MOVED}
_COMES = {Change.BORN, Change.REVIVED}
INTRODUCED = "introduced"


class Event(NamedTuple):
    """What happened to an entity, and where it was afterwards."""

    word: str
    path: str
    name: str
    lines: tuple[int, int]


class Difference(NamedTuple):
    """A commit about which the two disagree."""

    commit: str
    walked: Event | None
    replayed: Event | None


def compare(
    past: OpenRepository, session: Session, commit: str, held: IndexedEntity, pairings: CommitPairings
) -> list[Difference]:
    visited: dict[str, None] = {}
    steps = list(follow(past, _at(past, commit, held), pairings, lambda here, _: visited.setdefault(here.commit)))
    walked = {step.commit: event for step in steps if (event := _of_step(step)) is not None}
    events = read_lives(session.view, [held.identity])[held.identity].events
    replayed = dict(_of_events(events, held.entity.kind in CONTAINERS, walked))
    cosmetic = {step.commit for step in steps if set(step.changes) <= COSMETIC} - replayed.keys()
    return [
        Difference(commit, walked.get(commit), replayed.get(commit))
        for commit in visited
        if walked.get(commit) != replayed.get(commit) and commit not in cosmetic
    ]


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


def _of_step(step: Step) -> Event | None:
    word = _word(step)
    after = step.after
    lines = after.start_line, after.end_line
    return Event(word, after.path, after.qualified_name, lines) if word is not None else None


def _word(step: Step) -> str | None:
    if step.before is None:
        return INTRODUCED
    if step.before.path != step.after.path and set(step.changes) & _PLACE:
        return Change.RELOCATED
    if HistoryChange.RENAME in step.changes:
        return Change.RENAMED
    return Change.MODIFIED if set(step.changes) - _PLACE else None


def _of_events(
    events: Sequence[LedgerEvent], is_container: bool, walked: dict[str, Event]
) -> Iterator[tuple[str, Event]]:
    for happening in events:
        event, commit = happening.event, happening.run.revision
        word = INTRODUCED if event.change in _COMES else event.change
        if commit is None or event.change == Change.DELETED:
            continue
        if is_container and event.change == Change.MODIFIED and commit not in walked:
            continue
        yield commit, Event(word, event.path, event.qualified_name, (event.start_line, event.end_line))
