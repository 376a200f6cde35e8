"""Copies of a definition in other repositories of a database, and what came from or went to them.

What has the same heavy body is found, whatever its name, and what has the same name and kind and most of its tokens:
it was vendored, copied or moved, and perhaps edited. Which came first is known by the commits that introduced them,
where history was replayed; what has the code of something deleted is known without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.clones import Code, codes_of
from birthmark.app.answers.resolving import ResolvedAt
from birthmark.app.answers.showing import first_content, last_known
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.listings import CloneDocument, CloneGroupDocument, ClonesDocument
from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.clones import find_clones_of, shared_parts
from birthmark.model import DerivationEnd, Location
from birthmark.queries.life import Carrier, Descent, Life, read_lives
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.store.model import REPLAY, Run
from birthmark.store.port import Store
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_LEAST_SHARE, _SURE_SHARE = 0.7, 0.8
_MOST = 500  # candidates that are compared, and deletions that are looked at
_WHOLE = 1.0, 1.0


class PossibleCopy(NamedTuple):
    """An entity of another repository that may have the same code."""

    repository: str
    indexed: IndexedEntity
    code: Code | None  # None for what says too little, or is known by its members
    is_heavy: bool  # whether its body is proof enough by itself
    birth: Run | None  # of the commit that introduced it; None where that is not known


def add_copies(others: OtherRepositories, own: ClonesDocument, subject: IndexedEntity, share: float) -> ClonesDocument:
    """Add copies of the entity to its group."""
    session = others.session
    code = _code_of(session.view, subject)
    candidates = _find_possible_copies(others, subject) if code is not None else []
    coded = [(one, one.code.tokens) for one in candidates if one.code is not None]
    found = find_clones_of([code.tokens, *(tokens for _, tokens in coded)], 0, share) if code else []
    clones = [(coded[number - 1][0], share) for number, share in found if number]
    copies = [
        CloneDocument(indexed_entity_document(one.indexed), share, one.repository, one.birth and one.birth.at)
        for one, share in clones
    ]
    groups = own.groups
    if copies:
        birth = _births_of(session.store, [subject.identity]).get(subject.identity)
        alone = CloneDocument(indexed_entity_document(subject), 1.0)
        first, *rest = groups[0].clones if groups else [alone]
        n_tokens = groups[0].tokens if groups else len(code.tokens) if code is not None else 0
        groups = [CloneGroupDocument([replace(first, born=birth and birth.at), *rest, *copies], n_tokens)]
    return replace(own, groups=groups, searched_entities=own.searched_entities + len(coded))


def _find_possible_copies(others: OtherRepositories, subject: IndexedEntity) -> list[PossibleCopy]:
    """Return the entities with the same body, then those with the same name and kind."""
    entity = subject.entity
    alike = others.directory.alike(subject.fingerprint, entity.name, entity.kind, _MOST)
    return [one for other, identities in others.each_with(alike) for one in _in_repository(other, identities)]


def _in_repository(other: OtherRepository, identities: Iterable[int]) -> list[PossibleCopy]:
    held = other.hold(identities)
    births = _births_of(other.store, held)
    return [
        PossibleCopy(other.name, one, _code_of(other.view, one), _is_heavy(other.view, one), births.get(identity))
        for identity, one in held.items()
    ]


def _code_of(view: SnapshotView, indexed: IndexedEntity) -> Code | None:
    """None for what says too little, or is known by its members."""
    file = view.at_version(indexed.version)
    found = codes_of(view, file) if file is not None else []
    return next((code for code in found if code.identity == indexed.identity), None)


def _is_heavy(view: SnapshotView, indexed: IndexedEntity) -> bool:
    file = view.at_version(indexed.version)
    return file is not None and file.outline.weights[indexed.ordinal] >= HEAVY


def _births_of(store: Store, identities: Iterable[int]) -> dict[int, Run]:
    """By the commits that introduced them; a birth in a worktree is only when it was indexed."""
    known = store.identities(list(identities))
    runs = store.runs({one.run for one in known})
    return {one.identity: runs[one.run] for one in known if runs[one.run].worktree == REPLAY}


# Derivations


class _Counterpart(NamedTuple):
    """A present or former entity of another repository with code of the subject."""

    repository: str
    place: Location
    mark: str
    key: str
    birth: Run | None
    is_present: bool
    shares: tuple[float, float] = _WHOLE  # of what is asked about, and of its own
    evidence: DerivationEvidence = DerivationEvidence.SAME_BODY

    @property
    def confidence(self) -> Confidence:
        return Confidence.HIGH if min(self.shares) >= _SURE_SHARE else Confidence.MEDIUM


def add_descents(others: OtherRepositories, answers: Iterable[ResolvedAt]) -> Iterator[ResolvedAt]:
    """Add the derivations that lead to and from other repositories."""
    for answer in answers:
        yield answer._replace(resolved=_join(others, answer.resolved))


def _join(others: OtherRepositories, resolved: ResolvedRef) -> ResolvedRef:
    life = resolved.life
    known = resolved.indexed or (life and last_known(others.session, life))
    if life is None or known is None:
        return resolved
    birth = _births_of(others.session.store, [known.identity]).get(known.identity)
    found = [*_present(others, known), *_deleted(others, life, known)]
    found.sort(key=lambda one: (-min(one.shares), one.repository, one.place.path, one.place.start_line))
    before = [one for one in found if _is_before(one.birth, birth)]
    here = [one for one in found if one.is_present]
    if resolved.indexed is not None:
        after = [_derivative(one, DerivationKind.COPIED) for one in here if _is_before(birth, one.birth)]
        return _add(resolved, [_source(one, birth) for one in before], after)
    after = [_derivative(one, DerivationKind.MOVED) for one in here if one not in before]
    still = [_derivative(one, DerivationKind.COPIED) for one in here if one in before]
    return _add(resolved, [_source(one, birth) for one in before], after, [*after, *still])


def _add(
    resolved: ResolvedRef,
    sources: list[DerivationEnd],
    derivatives: list[DerivationEnd],
    carriers: Iterable[DerivationEnd] = (),
) -> ResolvedRef:
    """To what is known of the own repository, which comes first."""
    own = resolved.descent
    descent = Descent(
        (*own.derived_from, *sources),
        (*own.derivatives, *derivatives),
        (*own.carriers, *(Carrier((end,)) for end in carriers)),
    )
    return resolved._replace(descent=descent)


def _present(others: OtherRepositories, known: IndexedEntity) -> Iterator[_Counterpart]:
    code = _code_of(others.session.view, known)
    for copy in _find_possible_copies(others, known):
        has_same_body = copy.is_heavy and copy.indexed.fingerprint.body == known.fingerprint.body
        shares = _WHOLE if has_same_body else _shares(code, copy)
        if min(shares) >= _LEAST_SHARE:
            entity = copy.indexed.entity
            place = Location(entity.path, entity.qualified_name, entity.start_line, entity.end_line)
            names = place, copy.indexed.mark, copy.indexed.key
            evidence = DerivationEvidence.SAME_BODY if has_same_body else DerivationEvidence.SHARED_CODE
            yield _Counterpart(copy.repository, *names, copy.birth, True, shares, evidence)


def _shares(code: Code | None, copy: PossibleCopy) -> tuple[float, float]:
    return (0.0, 0.0) if code is None or copy.code is None else shared_parts(code.tokens, copy.code.tokens)


def _deleted(others: OtherRepositories, life: Life, known: IndexedEntity) -> Iterator[_Counterpart]:
    """Yield entities that were deleted with the current or the first content of the subject."""
    if _is_heavy(others.session.view, known):
        first = first_content(others.session, life)
        contents = {known.fingerprint.content, first or known.fingerprint.content}
        for other, identities in others.each_with(others.directory.deleted(contents, _MOST)):
            yield from _gone(other, identities)


def _gone(other: OtherRepository, identities: list[int]) -> Iterator[_Counterpart]:
    births = _births_of(other.store, identities)
    for number, life in read_lives(other.view, identities).items():
        if life.deletion is not None:
            event = life.deletion.event
            place = Location(event.path, event.qualified_name, event.start_line, event.end_line)
            yield _Counterpart(other.name, place, life.identity.mark, life.identity.key, births.get(number), False)


def _is_before(one: Run | None, other: Run | None) -> bool:
    return one is not None and other is not None and one.at < other.at


def _source(one: _Counterpart, birth: Run | None) -> DerivationEnd:
    return _end(one, DerivationKind.COPIED if one.is_present else DerivationKind.MOVED, one.shares, birth)


def _derivative(one: _Counterpart, kind: DerivationKind) -> DerivationEnd:
    return _end(one, kind, (one.shares[1], one.shares[0]), one.birth)


def _end(one: _Counterpart, kind: DerivationKind, shares: tuple[float, float], birth: Run | None) -> DerivationEnd:
    """`birth` is that of the derivative."""
    return DerivationEnd(
        one.place,
        kind,
        *shares,
        one.evidence,
        one.confidence,
        mark=one.mark,
        key=one.key,
        commit=birth and birth.revision,
        by_commit=birth is not None,
        is_present=one.is_present,
        repository=one.repository,
    )
