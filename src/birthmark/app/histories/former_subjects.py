"""Find what a REF named once: by the ledger, by git alone, or by its name in a commit that is not indexed.

Takes a REF that names nothing in a commit; gives it as it is there by another name, or as it was when it was deleted.
The ledger knows ids of any time, and all names and paths that something had. Without it, the commits that touched the
path show the last one that had it; the pairing of that one with the next shows what it became, which may have become
something else since.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from birthmark.app.answers.refs.indexed_refs import find_former, find_now
from birthmark.app.histories.subject import HistorySubject, subject_of
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import CommitState
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import is_source_path, os_path
from birthmark.model import Location
from birthmark.queries.past.life import LedgerEvent, Life, read_lives
from birthmark.queries.refs.locate import locate_all, locate_nearest
from birthmark.queries.refs.missing import MOST_CHOICES, Choice, ambiguous
from birthmark.queries.refs.ref_forms import LinesRef, NamedRef
from birthmark.queries.resolve import choice_of
from birthmark.sources.git.log import commits_touching, commits_with_other_words, paths_with_word
from birthmark.store.model import Event, SnapshotEntity

_MOST_COMMITS = 100  # in which something is looked for
_MOST_NAMES = 50  # that something had one after the other


class LastSeen(NamedTuple):
    """An entity in the last commit that has it, and the next commit, which has not."""

    entity: OutlinedEntity
    before: CommitState
    after: CommitState


def find_in_past(repository: OpenRepository, commit: CommitState, ref: LinesRef | NamedRef) -> HistorySubject | None:
    """As it is in the commit by another name; else as it was when it was deleted; None if nothing ever had the name."""
    asked: Location | None = None
    seen: set[str] = set()
    while str(ref) not in seen and len(seen) < _MOST_NAMES:
        seen.add(str(ref))
        last = _last_seen(repository, commit, ref)
        if last is None:
            return None
        asked = asked or last.entity.location
        became = StateComparison(last.before, last.after, repository.family_of).successor(last.entity)
        if became is None:
            return _deleted(repository, last, ref.first if isinstance(ref, LinesRef) else None).asked_as(asked)
        ref = NamedRef(became.file.path, became.entity.qualified_name)
        present = _find(commit, ref)
        if present is not None:
            return subject_of(commit, present).asked_as(asked)
    return None


def deleted_by(repository: OpenRepository, commit: str, ref: NamedRef, line: int) -> HistorySubject | None:
    """What a commit deleted, as it was in the parent that had it."""
    after = repository.commit_state(commit)
    for before in (repository.commit_state(parent) for parent in repository.parents(commit)):
        entity = find_named(before, ref, line)
        if entity is not None:
            return _deleted(repository, LastSeen(entity, before, after))
    return None


def find_named(state: CommitState, ref: NamedRef, line: int) -> OutlinedEntity | None:
    """Of those that have the name in a state, the one nearest to a line."""
    try:
        return locate_nearest(state, ref, line)
    except NotFoundError:
        return None


def _deleted(repository: OpenRepository, last: LastSeen, line: int | None = None) -> HistorySubject:
    return subject_of(last.before, last.entity, line)._replace(deletion=repository.commit(last.after.commit))


def _last_seen(repository: OpenRepository, commit: CommitState, ref: LinesRef | NamedRef) -> LastSeen | None:
    """Where the file itself is gone, as it was when that was deleted, or before."""
    if commit.entry(ref.path) is not None:
        return _last_in_file(repository, commit, ref) if isinstance(ref, NamedRef) else None
    commits = commits_touching(repository.git, commit.commit, os_path(ref.path), _MOST_COMMITS, "--diff-filter=D")
    for before, after in _steps(repository, commits, lambda state: state.entry(ref.path) is not None):
        entity = _find(before, ref)
        return LastSeen(entity, before, after) if entity is not None else _last_seen(repository, before, ref)
    return None


def _last_in_file(repository: OpenRepository, commit: CommitState, ref: NamedRef) -> LastSeen | None:
    """A commit that removes a definition changes how often there is its name, or that of its class."""
    *containers, name = re.findall(r"\w+", ref.qualified_name) or [""]
    for words in filter(any, ([name], containers)):
        commits = commits_with_other_words(repository.git, commit.commit, os_path(ref.path), words, _MOST_COMMITS)
        for before, after in _steps(repository, commits, lambda state: _has(state, ref)):
            entity = _find(before, ref)
            assert entity is not None
            return LastSeen(entity, before, after)
    return None


def _steps(
    repository: OpenRepository, commits: Iterable[str], has: Callable[[CommitState], bool]
) -> Iterator[tuple[CommitState, CommitState]]:
    """Commits that do not have something, with a parent that has it; those last that merged a line without it."""
    merges = []
    for commit in commits:
        after = repository.commit_state(commit)
        parents = [repository.commit_state(parent) for parent in repository.parents(commit)]
        having = [parent for parent in parents if has(parent)]
        if not having or has(after):
            continue
        if len(having) == len(parents):
            yield having[0], after
        else:
            merges.append((having[0], after))
    yield from merges


def _has(state: CommitState, ref: NamedRef) -> bool:
    """A file without the word is not extracted."""
    word = ref.qualified_name.rpartition(".")[2].encode("utf-8", "surrogateescape")
    return word in (state.content(ref.path) or b"") and _find(state, ref) is not None


def _find(state: CommitState, ref: LinesRef | NamedRef) -> OutlinedEntity | None:
    """Of several that share the name, the first."""
    try:
        return locate_all(state, ref)[0]
    except NotFoundError:
        return None


class FormerLife(NamedTuple):
    """What happened to an identity, and the event after which it had the name that was asked for, if it was a name."""

    life: Life
    was: LedgerEvent | None


def find_in_ledger(
    repository: OpenRepository, commit: CommitState, text: str, *, is_path: bool
) -> HistorySubject | None:
    """None where the ledger does not know it, or git has to say which of several that were at a path is meant."""
    if repository.store is None or repository.store.snapshot(repository.workspace.worktree) is None:
        return None
    session = Session(repository)
    found = _former_lives(session, text)
    chosen = [one for one in found if one.life.shown is not None] or found
    if len(chosen) > 1 and not is_path:
        choices = [choice_of(session.view, one.life) for one in chosen[:MOST_CHOICES]]
        raise ambiguous(text, choices, len(chosen), were=True)
    return _subject(repository, commit, chosen[0]) if len(chosen) == 1 else None


def _former_lives(session: Session, text: str) -> list[FormerLife]:
    former = [FormerLife(one.life, one.was) for one in find_former(session, text)]
    found = find_now(session, text) if not former else None
    lives = read_lives(session.view, found.identities) if found is not None else {}
    return former or [FormerLife(life, None) for life in lives.values()]


def _subject(repository: OpenRepository, commit: CommitState, found: FormerLife) -> HistorySubject | None:
    places = [(NamedRef(one.path, one.qualified_name), one.start_line) for one in _places(found.life)]
    shown, ref = found.life.shown, places[0][0]
    asked = _location(found.was) if found.was is not None else None
    if shown is not None and asked is not None and NamedRef(asked.path, asked.qualified_name) == ref:
        asked = None  # It is the present name, which no commit has yet.
    present = next((entity for place in places if (entity := find_named(commit, *place)) is not None), None)
    if present is not None:
        subject: HistorySubject | None = subject_of(commit, present)
    elif shown is None:
        subject = _deleted_life(repository, found.life, ref) or find_in_past(repository, commit, ref)
    else:
        subject = find_in_past(repository, commit, ref)
    return subject and subject.asked_as(asked)


def _places(life: Life) -> Iterator[SnapshotEntity | Event]:
    """Where it is, or was last; then where it was before what no commit has done yet, as in an edited worktree."""
    yield life.shown or (life.deletion or life.last).event
    for event in reversed(life.events):
        if event.is_replayed or event.before is None:
            return
        yield event.before


def _deleted_life(repository: OpenRepository, life: Life, ref: NamedRef) -> HistorySubject | None:
    """As it was before the commit that deleted it, where that was replayed."""
    deletion = life.deletion
    if deletion is None or not deletion.is_replayed or deletion.run.revision is None:
        return None
    return deleted_by(repository, deletion.run.revision, ref, deletion.event.start_line)


def _location(event: LedgerEvent) -> Location:
    one = event.event
    return Location(one.path, one.qualified_name, one.start_line, one.end_line)


def find_unindexed(repository: OpenRepository, commit: CommitState, name: str) -> OutlinedEntity | None:
    """None if nothing has the name; those that have it as a whole go before those that have it as the last part."""
    words = re.findall(r"\w+", name)
    if not words:
        return None
    paths = paths_with_word(repository.git, commit.commit, words[-1])
    files = commit.load(path for path in paths if is_source_path(path))
    entities = [OutlinedEntity(file, i) for file in files for i in range(len(file.outline.entities))]
    named = [one for one in entities if one.entity.qualified_name == name]
    named = named or [one for one in entities if one.entity.name == name]
    if len(named) > 1:
        raise ambiguous(name, [Choice(one.label, None, one.entity.signature) for one in named])
    return named[0] if named else None
