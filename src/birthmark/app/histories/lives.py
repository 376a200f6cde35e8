"""Tell the lives of identities: one story, the same as their histories.

Takes Lives as the ledger recorded them; gives them with the events to be told. After a replay these are the steps of
the history up to HEAD, so that `resolve` and `history` name the same commits. Without one they are what runs of the
index found. What is only in the worktree is one event at the end, which belongs to no commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from birthmark.app.histories.lineages import open_recorded
from birthmark.app.workspace.session import Session
from birthmark.comparison.changes import find_changes
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import content_id_of
from birthmark.history.follow import follow_lineage
from birthmark.history.lineage import EntityAtCommit, NotRecordedError, Step, find_ordinal
from birthmark.history.recorded_lineage import AnyEntity, RecordedLineage
from birthmark.model import Location
from birthmark.queries.life import LedgerEvent, Life
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.store.model import REPLAY, Event, Run
from birthmark.vocabulary import Change, HistoryChange

_NO_RUN = 0
_PLACES = frozenset({HistoryChange.CONTAINER, HistoryChange.MOVED})
_WORDS = {
    HistoryChange.INTRODUCED: Change.BORN,
    HistoryChange.DELETED: Change.DELETED,
    HistoryChange.RETURNED: Change.REVIVED,
    HistoryChange.RENAME: Change.RENAMED,
}


def tell_lives(session: Session, lives: Iterable[Life]) -> dict[int, Life]:
    """Return lives by identity, each with the events of its history."""
    lives = sorted(lives, key=_place)  # Those of one file together, whose states are read once.
    commit = session.view.snapshot.revision
    recorded = open_recorded(session.repository, commit) if commit is not None and session.workspace.has_git else None
    if recorded is None or commit is None:
        observer = _Observer(session)
        border = session.repository.git.shallow() if session.workspace.has_git else frozenset[str]()
        return {life.identity.identity: _told(life, observer.events(life), border) for life in lives}
    teller = _Teller(session, recorded, commit)
    return {life.identity.identity: life._replace(events=teller.events(life)) for life in lives}


def _told(life: Life, events: tuple[LedgerEvent, ...], border: frozenset[str]) -> Life:
    """Return a life with its events; of a birth in the first commit of a shallow clone, say that."""
    first, *later = events
    is_boundary = first.is_replayed and first.event.change == Change.BORN and first.run.revision in border
    return life._replace(events=(first._replace(is_boundary=is_boundary), *later))


def tell_life(session: Session, life: Life) -> Life:
    return tell_lives(session, [life])[life.identity.identity]


def _place(life: Life) -> tuple[str, int]:
    path = life.shown.path if life.shown is not None else life.last.event.path
    return path, life.identity.identity


class _Teller:
    """Lives from the records of a replay, up to a commit; what they lack is walked through git, as in histories."""

    def __init__(self, session: Session, recorded: RecordedLineage, commit: str) -> None:
        self.session, self.view, self.recorded, self.commit = session, session.view, recorded, commit
        self.observer = _Observer(session)

    def events(self, life: Life) -> tuple[LedgerEvent, ...]:
        with suppress(NotRecordedError):
            start = self._committed(life)
            last = start or self._before_new_commits(life)
            told = [self._event(life, step) for step in reversed(self._steps(life, last))]
            if start is None and last is not None:  # Commits that were not replayed took it away.
                return (*told, *self.observer.later(life, told[-1]))
            if told or not _replayed(life):
                return (*told, *self._uncommitted(life, start))
        found = (self._in_commit(life, path) for path in self._paths(life))
        entity = next((one for one in found if one is not None), None)
        if entity is None:
            return self.observer.events(life)
        steps = follow_lineage(self.recorded.walked, entity)
        return (*(self._event(life, step) for step in reversed(steps)), *self._uncommitted(life, entity))

    def _committed(self, life: Life) -> AnyEntity | None:
        """Return the entity in the commit, which may be elsewhere in the worktree."""
        for path in self._paths(life):
            if self.commit in self.recorded.graph.new:
                found: AnyEntity | None = self._in_commit(life, path)
            else:
                found = self.recorded.find(life.identity.identity, path, self.commit)
            if found is not None:
                return found
        return None

    def _before_new_commits(self, life: Life) -> AnyEntity | None:
        """Return the entity in the last commit that was replayed."""
        commit, new = self.commit, self.recorded.graph.new
        while commit in new and (parents := new[commit][0]):
            commit = parents[0]
        if commit == self.commit or commit in new:
            return None
        found = (self.recorded.find(life.identity.identity, path, commit) for path in self._paths(life))
        return next((one for one in found if one is not None), None)

    def _paths(self, life: Life) -> Iterator[str]:
        """Yield the paths at which it may be in the commit."""
        seen = [life.shown.path] if life.shown is not None else []
        last = next((one.event.path for one in reversed(_replayed(life))), None)
        yield from dict.fromkeys([*seen, *([last] if last is not None else [])])

    def _in_commit(self, life: Life, path: str) -> EntityAtCommit | None:
        """Look in the commit itself, which has the file as it is in the worktree or before."""
        repository, shown = self.session.repository, life.shown
        blob = repository.blob(self.commit, path)
        outline = repository.outlines([(blob, path)])[0] if blob is not None else None
        if blob is None or outline is None or shown is None:
            return None
        names = [entity.qualified_name for entity in outline.entities]
        is_same = shown.path == path and self._content_id(shown.version) == blob
        if not is_same and names.count(shown.qualified_name) != 1:
            return None
        ordinal = shown.ordinal if is_same else names.index(shown.qualified_name)
        return self.recorded.walked.start(self.commit, path, blob, outline, ordinal)

    def _content_id(self, version: int) -> str | None:
        file = self.view.at_version(version)
        source = self.view.source(file.version) if file is not None else None
        return content_id_of(source).hex() if source is not None else None

    def _steps(self, life: Life, start: AnyEntity | None) -> list[Step]:
        if start is not None:
            return follow_lineage(self.recorded, start)
        deletion = next((one for one in reversed(_replayed(life)) if one.event.change == Change.DELETED), None)
        gap = self.recorded.gap_after(deletion.event) if deletion is not None else None
        if gap is None:
            return []
        place = self.recorded.location(gap.entity)
        step = Step(gap.deletion, gap.entity.commit, (HistoryChange.DELETED,), place, place)
        return [step, *follow_lineage(self.recorded, gap.entity)]

    def _event(self, life: Life, step: Step) -> LedgerEvent:
        after = _event(life, _NO_RUN, _word(step), step.after, step.evidence, step.confidence)
        before = None if step.before is None else _event(life, _NO_RUN, Change.UNCHANGED, step.before)
        run = Run(_NO_RUN, REPLAY, None, step.commit, self.session.repository.commit(step.commit).at)
        return LedgerEvent(after, run, before, step.changes)

    def _uncommitted(self, life: Life, start: AnyEntity | None) -> Iterator[LedgerEvent]:
        """Yield what the worktree changed since the commit, if it did."""
        if self.session.workspace.has_worktree and not self._is_unchanged(life, start):
            yield from _uncommitted(self.view, life, self._state(start) if start is not None else None)

    def _is_unchanged(self, life: Life, start: AnyEntity | None) -> bool:
        if start is None or life.shown is None:
            return start is None and life.shown is None
        if start.path != life.shown.path:
            return False
        if isinstance(start, EntityAtCommit):
            return self._content_id(life.shown.version) == start.blob
        return self.view.extraction_of(start.version) == self.view.extraction_of(life.shown.version)

    def _state(self, start: AnyEntity) -> OutlinedEntity:
        if isinstance(start, EntityAtCommit):
            outline = self.session.repository.outlines([(start.blob, start.path)])[0]
            ordinal = find_ordinal(outline, start) if outline is not None else None
        else:
            file = self.view.at_version(start.version)
            outline = file.outline if file is not None else None
            ordinal = file.version.identities.index(start.identity) if file is not None else None
        if outline is None or ordinal is None:
            raise NotRecordedError
        return OutlinedEntity(OutlinedFile(start.path, outline, bytes), ordinal)


def _uncommitted(view: SnapshotView, life: Life, old: OutlinedEntity | None) -> Iterator[LedgerEvent]:
    run, shown = life.last.run._replace(revision=None), life.shown
    before = None if old is None else _event(life, run.run, Change.UNCHANGED, old.location)
    if shown is None:
        if before is not None:
            yield LedgerEvent(before._replace(change=Change.DELETED), run, before, (HistoryChange.DELETED,))
        return
    place = Location(shown.path, shown.qualified_name, shown.start_line, shown.end_line)
    if old is None:
        yield LedgerEvent(_event(life, run.run, Change.BORN, place), run, None, (HistoryChange.INTRODUCED,))
        return
    file = view.at_version(shown.version)
    if file is None:
        return
    new = OutlinedEntity(OutlinedFile(shown.path, file.outline, bytes), shown.ordinal)
    changes = (*_place_changes(old.location, place), *find_changes(old, new))
    if changes:
        step = Step("", None, changes, old.location, place)
        yield LedgerEvent(_event(life, run.run, _word(step), place), run, before, changes)


def _place_changes(old: Location, new: Location) -> Iterator[HistoryChange]:
    (old_parent, _, old_name), (parent, _, name) = (one.qualified_name.rpartition(".") for one in (old, new))
    if old_name != name:
        yield HistoryChange.RENAME
    if (old.path, old_parent) != (new.path, parent):
        yield HistoryChange.MOVED


def _replayed(life: Life) -> tuple[LedgerEvent, ...]:
    return tuple(one for one in life.events if one.is_replayed)


def _word(step: Step) -> Change:
    """Return the boldest word for a step."""
    changes = set(step.changes)
    if step.before is not None and step.before.path != step.after.path and changes & _PLACES:
        return Change.RELOCATED
    named = next((word for change, word in _WORDS.items() if change in changes), None)
    return named or (Change.RELOCATED if changes & _PLACES else Change.MODIFIED)


def _event(
    life: Life, run: int, change: Change, place: Location, evidence: str | None = None, confidence: str | None = None
) -> Event:
    where = place.path, place.qualified_name, place.start_line, place.end_line
    return Event(life.identity.identity, run, change, *where, "", evidence, confidence)


class _Observer:
    """Lives from what runs of the index found, of which a part was never committed."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def events(self, life: Life) -> tuple[LedgerEvent, ...]:
        """Return the birth or what was replayed, then what a commit has, and the difference to the worktree."""
        if len(life.events) == 1 or not self.session.workspace.has_git:
            return life.events
        first, replayed = life.events[0], _replayed(life)
        told = replayed or (first._replace(event=first.event._replace(content=self._content(first.event))),)
        return (*told, *self.later(life, told[-1]))

    def later(self, life: Life, last_told: LedgerEvent) -> list[LedgerEvent]:
        """Return what runs of the index found after the last event of a replay, or after the first event."""
        known = max((number for number, one in enumerate(life.events) if one.is_replayed), default=0)
        told = [last_told]
        later = life.events[known + 1 :]
        for one in later:
            if _differs(one, told[-1]) and self._is_committed(one, told[-1]):
                told.append(one._replace(before=told[-1].event))
        last = later[-1] if later else None
        if last is not None and _differs(last, told[-1]) and not self._is_committed(last, told[-1]):
            told.append(last._replace(run=last.run._replace(revision=None), before=told[-1].event))
        return told[1:]

    def _content(self, event: Event) -> str:
        """Return the content at an event; a birth is not recorded with it."""
        view, versions = self.session.view, self.session.store.versions_of(event.path) if not event.content else ()
        for version in versions:
            if version.run == event.run and event.identity in version.identities:
                file = view.at_version(version.version)
                ordinal = version.identities.index(event.identity)
                return file.outline.fingerprints[ordinal].content if file is not None else ""
        return event.content

    def _is_committed(self, happening: LedgerEvent, before: LedgerEvent) -> bool:
        """Return whether the revision of the run has what the run found, or lacks what it found deleted."""
        event, revision = happening.event, happening.run.revision
        if revision is None:
            return False
        if event.change == Change.DELETED:
            return not any(self._contents(revision, place) for place in (event, before.event))
        return event.content in self._contents(revision, event)

    def _contents(self, revision: str, place: Event) -> list[str]:
        """Return the contents of what a commit has at a place."""
        with suppress(BirthmarkError):
            blob = self.session.repository.blob(revision, place.path)
            outline = self.session.repository.outlines([(blob, place.path)])[0] if blob is not None else None
            if outline is not None:
                pairs = zip(outline.entities, outline.fingerprints, strict=True)
                return [one.content for entity, one in pairs if entity.qualified_name == place.qualified_name]
        return []


def _differs(one: LedgerEvent, before: LedgerEvent) -> bool:
    events = one.event, before.event
    states = [(event.content, event.path, event.qualified_name, event.change == Change.DELETED) for event in events]
    return states[0] != states[1]
