"""Find from git alone what a REF names in a commit, or what was renamed, moved or deleted.

Takes a REF with a path, and a commit in which it names nothing. The commits that touched the path show the last one
that had it; the pairing of that one with the next shows what it became, which may have become something else since.
`find_unindexed` takes a name without a path; git says which files have the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import is_source_path, os_path
from birthmark.history.lineage import EntityAtCommit, F, Lineage, entity_at_commit
from birthmark.model import Entity, Location
from birthmark.queries.missing import Choice, ambiguous, describe_choice
from birthmark.queries.names import lookup_in, pick_exact, pick_named, read_name
from birthmark.queries.ref import locate_all, locate_nearest
from birthmark.queries.ref_forms import LinesRef, NamedRef
from birthmark.sources.git.log import Commit, commits_touching, commits_with_other_words, paths_with_word

_MOST_COMMITS = 100  # in which something is looked for
_MOST_NAMES = 50  # that something had one after the other


class HistorySubject(NamedTuple):
    """An entity at a commit, the blob of its file, and the line at which a REF named it.

    What was deleted is there as it last was, with the commit that deleted it; `was` is where a REF found what has
    another name or path now.
    """

    commit: str
    blob: str
    outlined: OutlinedEntity
    line: int | None = None
    deletion: Commit | None = None
    was: Location | None = None

    @property
    def path(self) -> str:
        return self.outlined.file.path

    @property
    def entity(self) -> Entity:
        return self.outlined.entity

    def asked_as(self, asked: Location | None) -> HistorySubject:
        """Return the subject with the location that the REF names, if it differs."""
        where = self.outlined.location
        if asked is None or (where.path, where.qualified_name) == (asked.path, asked.qualified_name):
            return self
        return self._replace(was=asked)


def subject_of(commit: CommitState, entity: OutlinedEntity, line: int | None = None) -> HistorySubject:
    return HistorySubject(commit.commit, commit.content_id(entity.file.path) or "", entity, line)


def subject_at_commit(repository: OpenRepository, target: HistorySubject) -> EntityAtCommit:
    file, ordinal = target.outlined
    return entity_at_commit(repository, target.commit, file.path, target.blob, file.outline, ordinal)


def start_of(lineage: Lineage[F], target: HistorySubject) -> F:
    file, ordinal = target.outlined
    return lineage.start(target.commit, file.path, target.blob, file.outline, ordinal)


class LastSeen(NamedTuple):
    """An entity in the last commit that has it, and the next commit, which has not."""

    entity: OutlinedEntity
    before: CommitState
    after: CommitState


def find_in_past(repository: OpenRepository, commit: CommitState, ref: LinesRef | NamedRef) -> HistorySubject | None:
    """Return the successor in the commit, or the last state before deletion; None if nothing ever had the name."""
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
        present = find_first(commit, ref)
        if present is not None:
            return subject_of(commit, present).asked_as(asked)
    return None


def deleted_by(repository: OpenRepository, commit: str, ref: NamedRef, line: int) -> HistorySubject | None:
    """Return an entity that a commit deleted, as it was in the parent that had it."""
    after = repository.commit_state(commit)
    for before in (repository.commit_state(parent) for parent in repository.parents(commit)):
        entity = find_named(before, ref, line)
        if entity is not None:
            return _deleted(repository, LastSeen(entity, before, after))
    return None


def find_named(state: CommitState, ref: NamedRef, line: int) -> OutlinedEntity | None:
    """Return the entity with the name that is nearest to a line."""
    try:
        return locate_nearest(state, ref, line)
    except NotFoundError:
        return None


def _deleted(repository: OpenRepository, last: LastSeen, line: int | None = None) -> HistorySubject:
    return subject_of(last.before, last.entity, line)._replace(deletion=repository.commit(last.after.commit))


def _last_seen(repository: OpenRepository, commit: CommitState, ref: LinesRef | NamedRef) -> LastSeen | None:
    """Return the entity before it vanished; if its file is gone, at the deletion of the file or earlier."""
    if commit.entry(ref.path) is not None:
        return _last_in_file(repository, commit, ref) if isinstance(ref, NamedRef) else None
    commits = commits_touching(repository.git, commit.commit, os_path(ref.path), _MOST_COMMITS, "--diff-filter=D")
    for before, after in _steps(repository, commits, lambda state: state.entry(ref.path) is not None):
        entity = find_first(before, ref)
        return LastSeen(entity, before, after) if entity is not None else _last_seen(repository, before, ref)
    return None


def _last_in_file(repository: OpenRepository, commit: CommitState, ref: NamedRef) -> LastSeen | None:
    """A commit that removes a definition changes how often there is its name, or that of its class."""
    *containers, name = re.findall(r"\w+", ref.qualified_name) or [""]
    for words in filter(any, ([name], containers)):
        commits = commits_with_other_words(repository.git, commit.commit, os_path(ref.path), words, _MOST_COMMITS)
        for before, after in _steps(repository, commits, lambda state: _has(state, ref)):
            entity = find_first(before, ref)
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
    return word in (state.content(ref.path) or b"") and find_first(state, ref) is not None


def find_first(state: CommitState, ref: LinesRef | NamedRef) -> OutlinedEntity | None:
    """Return the first entity of a REF in a state."""
    try:
        return locate_all(state, ref)[0]
    except NotFoundError:
        return None


def find_unindexed(repository: OpenRepository, commit: CommitState, name: str) -> OutlinedEntity | None:
    """Return None if nothing has the name, as it is or as it may be written."""
    words = re.findall(r"\w+", read_name(name).last)
    if not words:
        return None
    paths = paths_with_word(repository.git, commit.commit, words[-1])
    files = commit.load(path for path in paths if is_source_path(path))
    entities = [one for file in files for one in file.outlined]
    known = [msgspec.structs.replace(one.entity, path=one.file.path) for one in entities]
    lookup, outlined = lookup_in(known), {id(entity): one for entity, one in zip(known, entities, strict=True)}
    named = [outlined[id(entity)] for entity in pick_exact(name, lookup) or pick_named(name, lookup)]
    if len(named) > 1:
        raise ambiguous(
            name, [Choice(one.label, None, describe_choice(one.file.outline.entities, one.ordinal)) for one in named]
        )
    return named[0] if named else None
