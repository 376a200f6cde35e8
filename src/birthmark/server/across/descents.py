"""Where code went that left for other repositories of a database, and where code came from that others had before.

Takes answers of `resolve`; gives them with the derivations that lead from one repository to another. What has the same
heavy body, or the same name and kind and most of its tokens, has the code. Which came from which is known by the
commits that introduced them, where history was replayed; what has the code of something deleted is known without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from birthmark.app.across import Visible
from birthmark.app.answers.clones import Code
from birthmark.app.answers.former_versions import first_content, last_known
from birthmark.app.answers.resolving import ResolvedAt, resolve_all
from birthmark.app.workspace.session import Session
from birthmark.comparison.derivations import DerivationEnd
from birthmark.matching.clones import shared_parts
from birthmark.model import Location
from birthmark.queries.life import Carrier, Descent, Life, read_lives
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.server.across.copies import PossibleCopy, births_of, code_of, find_possible_copies, is_heavy
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.store.model import Run
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_LEAST_SHARE, _SURE_SHARE = 0.7, 0.8
_MOST = 500  # deletions that are looked at
_WHOLE = 1.0, 1.0


class _Counterpart(NamedTuple):
    """What in another repository has, or had, the code of what is asked about."""

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


def resolve_everywhere(session: Session, refs: Iterable[str], at: str | None, visible: Visible) -> Iterator[ResolvedAt]:
    """In their order."""
    return join_descents(OtherRepositories(session, visible), resolve_all(session, refs, at))


def join_descents(others: OtherRepositories, answers: Iterable[ResolvedAt]) -> Iterator[ResolvedAt]:
    for answer in answers:
        yield answer._replace(resolved=_join(others, answer.resolved))


def _join(others: OtherRepositories, resolved: ResolvedRef) -> ResolvedRef:
    life = resolved.life
    known = resolved.indexed or (life and last_known(others.session, life))
    if life is None or known is None:
        return resolved
    birth = births_of(others.session.store, [known.identity]).get(known.identity)
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
    code = code_of(others.session.view, known)
    for copy in find_possible_copies(others, known):
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
    """What was whole when it was deleted: as this is now, or was at first."""
    if is_heavy(others.session.view, known):
        first = first_content(others.session, life)
        contents = {known.fingerprint.content, first or known.fingerprint.content}
        for other, identities in others.each_with(others.directory.deleted(contents, _MOST)):
            yield from _gone(other, identities)


def _gone(other: OtherRepository, identities: list[int]) -> Iterator[_Counterpart]:
    births = births_of(other.store, identities)
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
