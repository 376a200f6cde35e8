"""Copies of what a REF names in other repositories of a database: vendored, copied or moved there, and perhaps edited.

What has the same body is found, whatever its name, and what has the same name and kind and nearly the same tokens.
Which came first is known by the commits that introduced them, in repositories whose history was replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from birthmark.app.across import Visible
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
from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.clones import find_clones_of
from birthmark.model import Problem
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.store.model import REPLAY, Run
from birthmark.store.port import Store

_MOST = 500  # candidates that are compared


class CopiesEverywhere(NamedTuple):
    """The clones at home, and those elsewhere in the same group."""

    similar: SimilarEntities
    problems: Sequence[Problem] = ()


class PossibleCopy(NamedTuple):
    """What in another repository may have the code of an entity."""

    repository: str
    indexed: IndexedEntity
    code: Code | None  # None for what says too little, or is known by its members
    is_heavy: bool  # whether its body is proof enough by itself
    birth: Run | None  # of the commit that introduced it; None where that is not known


def find_copies_everywhere(session: Session, query: ClonesQuery, visible: Visible) -> CopiesEverywhere:
    """Of one entity, which the query names."""
    others = OtherRepositories(session, visible)
    own = find_similar(session, query)
    assert own.subject is not None, "the query names one"
    code = code_of(session.view, own.subject)
    candidates = find_possible_copies(others, own.subject) if code is not None else []
    coded = [(one, one.code.tokens) for one in candidates if one.code is not None]
    found = find_clones_of([code.tokens, *(tokens for _, tokens in coded)], 0, query.least_share) if code else []
    clones = [(coded[number - 1][0], share) for number, share in found if number]
    copies = [SimilarEntity(one.indexed, share, one.repository, one.birth and one.birth.at) for one, share in clones]
    groups = own.groups
    if copies:
        birth = births_of(session.store, [own.subject.identity]).get(own.subject.identity)
        alone = SimilarGroup([SimilarEntity(own.subject, 1.0)], len(code.tokens) if code is not None else 0)
        first, *rest = groups[0].entities if groups else alone.entities
        groups = [
            (groups[0] if groups else alone)._replace(
                entities=[first._replace(born=birth and birth.at), *rest, *copies]
            )
        ]
    searched = own._replace(groups=groups, n_searched=own.n_searched + len(coded))
    return CopiesEverywhere(searched, others.problems)


def find_possible_copies(others: OtherRepositories, subject: IndexedEntity) -> list[PossibleCopy]:
    """What has the same body, then what has the same name and kind."""
    entity = subject.entity
    alike = others.directory.alike(subject.fingerprint, entity.name, entity.kind, _MOST)
    return [one for other, identities in others.each_with(alike) for one in _in_repository(other, identities)]


def _in_repository(other: OtherRepository, identities: Iterable[int]) -> list[PossibleCopy]:
    held = other.hold(identities)
    births = births_of(other.store, held)
    return [
        PossibleCopy(other.name, one, code_of(other.view, one), is_heavy(other.view, one), births.get(identity))
        for identity, one in held.items()
    ]


def code_of(view: SnapshotView, indexed: IndexedEntity) -> Code | None:
    """None for what says too little, or is known by its members."""
    file = view.at_version(indexed.version)
    found = codes_of(view, file) if file is not None else []
    return next((code for code in found if code.identity == indexed.identity), None)


def is_heavy(view: SnapshotView, indexed: IndexedEntity) -> bool:
    file = view.at_version(indexed.version)
    return file is not None and file.outline.weights[indexed.ordinal] >= HEAVY


def births_of(store: Store, identities: Iterable[int]) -> dict[int, Run]:
    """By the commits that introduced them; a birth in a worktree is only when it was indexed."""
    known = store.identities(list(identities))
    runs = store.runs({one.run for one in known})
    return {one.identity: runs[one.run] for one in known if runs[one.run].worktree == REPLAY}
