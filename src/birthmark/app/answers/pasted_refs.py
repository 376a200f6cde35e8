"""Find the lines that a pasted place means: of a file of a state, or of a commit, from which they are followed.

Nothing but the repository is read: the address in a permalink is not asked.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from contextlib import suppress

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.extraction.state import RepositoryState
from birthmark.queries.missing import MOST_CHOICES
from birthmark.queries.pasted_places import Place
from birthmark.queries.ref import locate_all
from birthmark.queries.ref_forms import LinesRef, MarkRef, NameRef, Ref, path_from


def settle_place(
    repository: OpenRepository, state: RepositoryState, place: Place, folder: str, roots: Sequence[str]
) -> Ref | None:
    """Return the REF of a place; None if the state has no such path."""
    if place.revisions:
        return _settle_permalink(repository, state, place)
    path = _find_path(state, place, folder, roots)
    return _at(path, place) if path is not None else None


def unsettled(place: Place, folder: str, roots: Sequence[str]) -> Ref:
    """Return the REF of a place that the state does not have, to explain that, or to find it in the past."""
    return _at(path_from(folder, place.path, roots), place)


def _at(path: str, place: Place) -> Ref:
    if place.lines is None:
        return NameRef(f":/{path}")  # It is refused as the name of a file.
    return LinesRef(path, *place.lines)


def _find_path(state: RepositoryState, place: Place, folder: str, roots: Sequence[str]) -> str | None:
    with suppress(BirthmarkError):  # It may be outside, as on the machine that a traceback is from.
        path = path_from(folder, place.path, roots)
        if state.entry(path) is not None:
            return path
    return _find_below(state, place) if place.may_be_below else None


def _find_below(state: RepositoryState, place: Place) -> str | None:
    """Return the only path with the longest end of that of the place; its name alone counts if it is short."""
    name = posixpath.basename(place.path)
    named = [path for path in state.paths() if posixpath.basename(path) == name]
    n_least = 1 if place.path.strip("/.").count("/") < 2 else 2
    for ending in place.endings() if named else ():
        found = [path for path in named if path == ending or path.endswith(f"/{ending}")]
        if len(found) > 1 and ending.count("/") + 1 >= n_least:
            choices = [str(_at(path, place)) for path in sorted(found)[:MOST_CHOICES]]
            raise AmbiguousError(f"{place.path}: {len(found):,} files end so; name one", choices)
        if found and ending.count("/") + 1 >= n_least:
            return found[0]
    return None


def _settle_permalink(repository: OpenRepository, state: RepositoryState, place: Place) -> Ref:
    """Return what the lines of a commit are now."""
    commit, path = _commit_of(repository, place)
    ref = _at(path, place)
    if not isinstance(ref, LinesRef) or (state.revision == commit.revision and state.revision is not None):
        return ref
    outlined = locate_all(commit, ref)[0]
    if repository.store is not None:
        from birthmark.app.answers.revision_lookup import RevisionLookup
        from birthmark.app.workspace.session import Session

        identity = RevisionLookup(Session(repository), commit.commit).identity_of(outlined)
        marks = [one.mark for one in repository.store.identities([identity])] if identity is not None else []
        if marks:
            return MarkRef(marks[0])
    from birthmark.comparison.state_comparison import StateComparison

    successor = StateComparison(commit, state, repository.family_of).successor(outlined)
    if successor is None:
        gone = f"{outlined.entity.qualified_name} of {path} is deleted since {commit.commit[:12]}"
        raise NotFoundError(f"{gone}; `birthmark history {ref} --at {commit.commit[:12]}` shows its past")
    return LinesRef(successor.file.path, successor.entity.start_line, successor.entity.end_line)


def _commit_of(repository: OpenRepository, place: Place) -> tuple[CommitState, str]:
    """Return the commit of a permalink that this clone has, and the path in it."""
    for revision, path in place.revisions[1:]:
        commit = repository.git.find(revision)
        if commit is not None and repository.commit_state(commit).entry(path) is not None:
            return repository.commit_state(commit), path
    revision, path = place.revisions[0]
    return repository.revision(revision), path
