"""Resolve REFs, one or ten thousand, for the command line and HTTP.

REFs are resolved in blocks, with one query of the ledger for each. Blocks grow, so that the first answers come at once.
A REF that cannot be resolved is an answer like the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from birthmark.app.answers.indexed_refs import find_former, find_matches, find_now
from birthmark.app.answers.refs import may_be_former, read_ref
from birthmark.app.workspace.session import Session
from birthmark.errors import AmbiguousError, BirthmarkError, StoreError
from birthmark.model import Entity, Location
from birthmark.queries.life import Descent, LedgerEvent, Life, read_descents, read_lives
from birthmark.queries.ref import FormerEntity, RefMatches
from birthmark.queries.resolve import (
    Elsewhere,
    ResolvedRef,
    ResolveTools,
    resolve_former,
    resolve_past,
    resolve_ref,
)
from birthmark.store.model import Snapshot
from birthmark.vocabulary import Change, RefStatus

if TYPE_CHECKING:
    from birthmark.app.answers.revision_lookup import RevisionLookup
    from birthmark.sources.git.log import Commit

_FIRST_BLOCK, _LARGEST_BLOCK, _GROWTH = 10, 10_000, 10
_GIT_SECONDS = 5.0  # after which no more former names are looked for in git
_MOST_SUGGESTIONS = 20  # REFs for which what was meant is searched, which takes a moment each


class ResolvedAt(NamedTuple):
    """A resolved REF, the location of its entity in the given commit, and the commits of its events."""

    resolved: ResolvedRef
    location: tuple[str, Entity | None] | None
    commits: dict[str, Commit]


class FoundRef(NamedTuple):
    """The current or former matches of a REF, or the problem if it has none."""

    ref: str
    matches: RefMatches | None = None
    former: tuple[FormerEntity, ...] = ()
    located: Entity | None = None
    problem: BirthmarkError | None = None

    @property
    def identities(self) -> list[int]:
        return self.matches.identities if self.matches is not None and len(self.matches.identities) == 1 else []


def resolve_at(session: Session, ref: str, revision: str | None, *, tells: bool = True) -> ResolvedAt:
    return next(resolve_all(session, [ref], revision, tells=tells))


def resolve_all(
    session: Session, refs: Iterable[str], revision: str | None = None, *, suggests: bool = True, tells: bool = True
) -> Iterator[ResolvedAt]:
    """Yield the results of REFs in their order; without `tells`, with the events of deleted things only."""
    lookup = _look_up(session, revision) if revision is not None else None
    commit_of = session.repository.commit if session.workspace.has_git else None
    until = time.monotonic() + _GIT_SECONDS
    left, size, rest = _MOST_SUGGESTIONS if suggests else 0, _FIRST_BLOCK, iter(refs)
    while block := list(islice(rest, size)):
        found = [_find(session, ref, lookup) for ref in block]
        lives = read_lives(session.view, {identity for one in found for identity in one.identities})
        held = session.view.hold_all(life.shown for life in lives.values() if life.shown is not None)
        descents = read_descents(session.view, _lives_asked_for(found, lives))
        elsewhere = _read_elsewhere(session, [*lives.values(), *_lives_asked_for(found, {})])
        tools = ResolveTools(session.view, session.read_nodes, session.read_interior, lives, held)
        told = _tell(session, [one for one in _lives_asked_for(found, lives) if tells or one.shown is None])
        for one in found:
            searches_git = left > 0 and time.monotonic() < until
            answer = _resolve(session, tools, one, suggests=left > 0, searches_git=searches_git)
            resolved = _with_fate(answer, descents, elsewhere)
            left -= resolved.status is RefStatus.UNKNOWN
            if resolved.life is not None:
                resolved = resolved._replace(life=told.get(resolved.life.identity.identity, resolved.life))
            yield _locate(resolved, lookup, read_commits(commit_of, resolved.events))
        size = min(size * _GROWTH, _LARGEST_BLOCK)


def _tell(session: Session, lives: Collection[Life]) -> Mapping[int, Life]:
    if not lives:
        return {}
    from birthmark.app.histories.lives import tell_lives  # It loads what histories need.

    return tell_lives(session, lives)


def _lives_asked_for(found: Iterable[FoundRef], lives: Mapping[int, Life]) -> Iterator[Life]:
    yield from lives.values()
    yield from (one.former[0].life for one in found if one.matches is None and len(one.former) == 1)


def _with_fate(
    resolved: ResolvedRef, descents: Mapping[int, Descent], elsewhere: Mapping[int, tuple[Elsewhere, ...]]
) -> ResolvedRef:
    if resolved.identity is None:
        return resolved
    identity = resolved.identity.identity
    return resolved._replace(descent=descents.get(identity, resolved.descent), elsewhere=elsewhere.get(identity, ()))


def _read_elsewhere(session: Session, lives: Sequence[Life]) -> dict[int, tuple[Elsewhere, ...]]:
    """Return where the fate in other worktrees differs: still present where it is gone here, or deleted there."""
    found: dict[int, list[Elsewhere]] = {}
    for snapshot in _other_worktrees(session) if lives else ():
        entities = session.store.entities_of(snapshot.snapshot, [life.identity.identity for life in lives])
        places = {
            row.identity: Location(row.path, row.qualified_name, row.start_line, row.end_line) for row in entities
        }
        for life in lives:
            place = places.get(life.identity.identity)
            if (place is None) != (life.shown is None) and (place is not None or _is_deleted_in(life, snapshot)):
                other = Elsewhere(snapshot.worktree, snapshot.branch, place)
                found.setdefault(life.identity.identity, []).append(other)
    return {identity: tuple(others) for identity, others in found.items()}


def _is_deleted_in(life: Life, snapshot: Snapshot) -> bool:
    changes = [one.event.change for one in life.events if one.run.worktree == snapshot.worktree]
    return bool(changes) and changes[-1] == Change.DELETED


def _other_worktrees(session: Session) -> Iterator[Snapshot]:
    """Yield the newest snapshots of other worktrees that are still there, as far as this machine can tell."""
    own, seen = session.view.snapshot.worktree, set[str]()
    for snapshot in session.store.snapshots():
        if snapshot.worktree not in seen | {own} and session.workspace.may_have_worktree(snapshot.worktree):
            yield snapshot
        seen.add(snapshot.worktree)


def _look_up(session: Session, revision: str) -> RevisionLookup:
    from birthmark.app.answers.revision_lookup import (
        RevisionLookup,  # Most questions do not need it.
    )

    return RevisionLookup(session, revision)


def _locate(resolved: ResolvedRef, lookup: RevisionLookup | None, commits: dict[str, Commit]) -> ResolvedAt:
    try:
        return ResolvedAt(resolved, lookup.location(resolved) if lookup is not None else None, commits)
    except BirthmarkError as error:
        return ResolvedAt(resolved._replace(problem=resolved.problem or error), None, commits)


def _find(session: Session, ref: str, lookup: RevisionLookup | None) -> FoundRef:
    try:
        if lookup is not None and (place := lookup.find(ref)) is not None:
            located, matches_there = place
            return FoundRef(ref, matches_there, located=located)
        matches = find_now(session, ref)
        if matches is not None:
            others = find_former(session, ref, matches.identities) if len(matches.identities) == 1 else []
            return FoundRef(ref, matches, tuple(others))
        return FoundRef(ref, None, tuple(find_former(session, ref)))
    except StoreError:
        raise  # which is about the index, not about the REF
    except BirthmarkError as error:
        return FoundRef(ref, problem=error)


def _resolve(
    session: Session, tools: ResolveTools, found: FoundRef, *, suggests: bool, searches_git: bool
) -> ResolvedRef:
    ref = found.ref
    if found.problem is not None:
        is_ambiguous = isinstance(found.problem, AmbiguousError)
        return ResolvedRef(ref, RefStatus.AMBIGUOUS if is_ambiguous else RefStatus.UNKNOWN, problem=found.problem)
    if found.matches is not None:
        if found.located is not None and not found.matches.matches:
            return ResolvedRef(ref, RefStatus.GONE, located=found.located)
        return resolve_ref(tools, ref, found.matches)._replace(former_owners=found.former, located=found.located)
    if found.former:
        return resolve_former(tools, ref, found.former)
    past = _find_in_git(session, tools, ref) if searches_git else None
    if past is not None:
        return past
    try:
        find_matches(session, ref, suggests=suggests)
    except BirthmarkError as error:
        return ResolvedRef(ref, RefStatus.UNKNOWN, problem=error)
    raise AssertionError("what was not found is not found again")


def _find_in_git(session: Session, tools: ResolveTools, ref: str) -> ResolvedRef | None:
    """Ask git for a former name, if the ledger does not know the history."""
    if not may_be_former(session.repository):
        return None
    from birthmark.app.histories.former_names import find_former_name  # It loads what pairs commits.

    past = find_former_name(session.repository, read_ref(session.repository, session.state, ref))
    if past is None:
        return None
    place = past.successor
    found = find_now(session, f":/{place.path}::{place.qualified_name}") if place is not None else None
    return resolve_past(tools, ref, past, next(iter(found.identities), None) if found is not None else None)


def read_commits(commit_of: Callable[[str], Commit] | None, events: Iterable[LedgerEvent]) -> dict[str, Commit]:
    """The commits at which something happened, where there is git and this clone has them."""
    commits: dict[str, Commit] = {}
    for revision in {one.run.revision for one in events}:
        if revision is not None and commit_of is not None:
            with suppress(BirthmarkError):
                commits[revision] = commit_of(revision)
    return commits
