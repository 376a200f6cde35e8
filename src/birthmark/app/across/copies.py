"""Copies of what a REF names in other repositories of a database: vendored, copied or moved there, and perhaps edited.

What has the same body is found, whatever its name, and what has the same name and kind and nearly the same tokens.
Which came first is known by the commits that introduced them, in repositories whose history was replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.app.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.app.across.visibility import Visible
from birthmark.app.answers.clones import (
    ClonesQuery,
    Code,
    SimilarEntities,
    SimilarEntity,
    SimilarGroup,
    codes_of,
    find_similar,
)
from birthmark.app.workspace.session import Session
from birthmark.matching.derivation.clones import find_clones_of
from birthmark.model import Problem
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.model import REPLAY
from birthmark.store.port import Store

_MOST = 500  # candidates that are compared


class CopiesEverywhere(NamedTuple):
    """The clones at home, and those elsewhere in the same group."""

    similar: SimilarEntities
    problems: Sequence[Problem] = ()


class _PossibleCopy(NamedTuple):
    repository: str
    indexed: IndexedEntity
    code: Code
    born: int | None


def find_copies_everywhere(session: Session, query: ClonesQuery, visible: Visible) -> CopiesEverywhere:
    """Of one entity, which the query names."""
    others = OtherRepositories(session, visible)
    own = find_similar(session, query)
    assert own.subject is not None, "the query names one"
    code = _code_of(session.view, own.subject)
    candidates = _candidates(others, own.subject) if code is not None else []
    found = (
        find_clones_of([code.tokens, *(one.code.tokens for one in candidates)], 0, query.least_share) if code else None
    )
    clones = [(candidates[one.code - 1], one.share) for one in found.clones if one.code] if found is not None else []
    copies = [SimilarEntity(one.indexed, share, one.repository, one.born) for one, share in clones]
    groups = own.groups
    if copies:
        birth = _births(session.store, [own.subject.identity]).get(own.subject.identity)
        alone = SimilarGroup([SimilarEntity(own.subject, 1.0)], len(code.tokens) if code is not None else 0)
        first, *rest = groups[0].entities if groups else alone.entities
        groups = [(groups[0] if groups else alone)._replace(entities=[first._replace(born=birth), *rest, *copies])]
    searched = own._replace(groups=groups, n_searched=own.n_searched + len(candidates))
    return CopiesEverywhere(searched, others.problems)


def _candidates(others: OtherRepositories, subject: IndexedEntity) -> list[_PossibleCopy]:
    entity, fingerprint = subject.entity, subject.fingerprint
    identities: dict[str, list[int]] = {}
    for repository, identity in others.directory.alike(fingerprint, entity.name, entity.kind, _MOST):
        identities.setdefault(repository, []).append(identity)
    return [one for other in others.each(identities) for one in _in_repository(other, identities[other.name])]


def _in_repository(other: OtherRepository, identities: Iterable[int]) -> list[_PossibleCopy]:
    held = other.hold(identities)
    births = _births(other.store, held)
    codes = {identity: _code_of(other.view, indexed) for identity, indexed in held.items()}
    return [
        _PossibleCopy(other.name, held[identity], code, births.get(identity))
        for identity, code in codes.items()
        if code is not None
    ]


def _code_of(view: SnapshotView, indexed: IndexedEntity) -> Code | None:
    """None for what says too little, or is known by its members."""
    file = view.at_version(indexed.version)
    found = codes_of(view, file) if file is not None else []
    return next((code for code in found if code.identity == indexed.identity), None)


def _births(store: Store, identities: Iterable[int]) -> dict[int, int]:
    """By the commits that introduced them; a birth in a worktree is only when it was indexed."""
    known = store.identities(list(identities))
    runs = store.runs({one.run for one in known})
    return {one.identity: runs[one.run].at for one in known if runs[one.run].worktree == REPLAY}
