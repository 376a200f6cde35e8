"""Find in git what became of a name that nothing has, where its history was not replayed into the index.

Takes a name in a file, or with its package in front; gives the commit that took the name away, and its successor. Git's
pickaxe names the commits that changed a line with the word, so that few are read, and of each only that file.
The search ends after some time, because a typing error starts it, too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing

from birthmark.app.histories.subjects import LastSeen, find_first, find_in_past
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.comparison.pair_commit import pair_commit
from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import os_path
from birthmark.queries.names import modules_in_front
from birthmark.queries.ref_forms import LinesRef, NamedRef, NameRef, Ref
from birthmark.queries.resolve import FormerName
from birthmark.sources.git.log import commits_with_word

_SECONDS = 2.0
_MOST_COMMITS = 50
_MOST_FILES = 3  # of the package of a name


def find_former_name(repository: OpenRepository, ref: Ref) -> FormerName | None:
    """Return None if git knows nothing of that name, either."""
    if not repository.workspace.has_git or repository.workspace.head is None:
        return None
    commit, deadline = repository.revision("HEAD"), time.monotonic() + _SECONDS
    if isinstance(ref, LinesRef) or (isinstance(ref, NamedRef) and commit.entry(ref.path) is None):
        return _with_file(repository, commit, ref) if commit.entry(ref.path) is None else None
    found = (_in_file(repository, commit, one, deadline) for one in _places_of(commit, ref))
    return next((one for one in found if one is not None), None)


def _places_of(commit: CommitState, ref: Ref) -> Iterator[NamedRef]:
    """Yield the files in which a name may have been."""
    if isinstance(ref, NamedRef):
        yield ref
    elif isinstance(ref, NameRef):
        for path, name in modules_in_front(ref.name, commit.paths())[:_MOST_FILES]:
            yield NamedRef(path, name)


def _with_file(repository: OpenRepository, commit: CommitState, ref: LinesRef | NamedRef) -> FormerName | None:
    """Find what went with its file."""
    if not any(True for _ in commits_with_word(repository.git, commit.commit, os_path(ref.path), None, 1, _SECONDS)):
        return None
    found = find_in_past(repository, commit, ref)
    if found is None:
        return None
    successor = found.outlined if found.deletion is None else None
    return FormerName(found.was or found.outlined.location, found.deletion, successor and successor.location)


def _in_file(repository: OpenRepository, head: CommitState, ref: NamedRef, deadline: float) -> FormerName | None:
    """Read the commits that changed lines with the word, the newest first.

    What was deleted last may have been renamed before, and kept as an alias: that renaming shows the successor.
    """
    losses: list[LastSeen] = []
    for loss in _losses(repository, head, ref, deadline):
        losses.append(loss)
        became = _successor_in_file(repository, loss)
        if became is not None and (present := _present(head, became)) is not None:
            deletion = repository.commit(losses[0].after.commit) if len(losses) > 1 else None
            return FormerName(
                losses[0].entity.location, deletion, present.location, repository.commit(loss.after.commit)
            )
    return _moved_or_deleted(repository, head, losses[0]) if losses else None


def _moved_or_deleted(repository: OpenRepository, head: CommitState, loss: LastSeen) -> FormerName:
    commit = repository.commit(loss.after.commit)
    became = StateComparison(loss.before, loss.after, repository.family_of).successor(loss.entity)
    present = _present(head, became) if became is not None else None
    if present is None:
        return FormerName(loss.entity.location, commit)
    return FormerName(loss.entity.location, None, present.location, commit)


def _losses(repository: OpenRepository, head: CommitState, ref: NamedRef, deadline: float) -> Iterator[LastSeen]:
    words = re.findall(r"\w+", ref.qualified_name)
    if not words:
        return
    path = os_path(ref.path)
    with closing(commits_with_word(repository.git, head.commit, path, words[-1], _MOST_COMMITS, _SECONDS)) as commits:
        for commit in commits:
            after = repository.commit_state(commit)
            for before in (repository.commit_state(parent) for parent in repository.parents(commit)[:1]):
                entity = find_first(before, ref)
                now = find_first(after, ref) if entity is not None else None
                if entity is not None and (now is None or now.entity.kind != entity.entity.kind):
                    yield LastSeen(entity, before, after)
            if time.monotonic() > deadline:
                return


def _successor_in_file(repository: OpenRepository, loss: LastSeen) -> OutlinedEntity | None:
    """Return the entity of another name that it became, by pairing this file alone."""
    entity, file = loss.entity, loss.after.file(loss.entity.file.path)
    if file is None:
        return None
    successors = pair_commit([entity.file], [file], repository.family_of).successors
    found = successors.get((0, entity.ordinal))
    became = OutlinedEntity(file, found[1]) if found is not None else None
    is_other = became is not None and became.entity.qualified_name != entity.entity.qualified_name
    return became if is_other else None


def _present(head: CommitState, became: OutlinedEntity) -> OutlinedEntity | None:
    return find_first(head, NamedRef(became.file.path, became.entity.qualified_name))
