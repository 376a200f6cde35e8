"""Anchors among REFs: each is found, and passed on as a REF of the index."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.documents.anchors import AnchorFateDocument
from birthmark.documents.answers import ResolvedDocument, given_text
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import deletion_document, location_or_null
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.identity.anchors import is_anchor, parse_anchor
from birthmark.vocabulary import AnchorVerdict, AnchorWay, RefStatus

if TYPE_CHECKING:
    from birthmark.app.answers.anchors import AnchorFate, AnchorFinder

_STATUSES = {
    AnchorVerdict.GONE: RefStatus.GONE,
    AnchorVerdict.AMBIGUOUS: RefStatus.AMBIGUOUS,
    AnchorVerdict.UNKNOWN: RefStatus.UNKNOWN,
}


class AskedRef(NamedTuple):
    """A REF as it was given, the one that names the same in the index, and what became of it if it is an anchor."""

    text: str
    ref: str | None
    fate: AnchorFate | None = None
    problem: BirthmarkError | None = None


def read_anchors(session: Session, refs: Iterable[str], at: str | None, asked: deque[AskedRef]) -> Iterator[str]:
    """Yield the REFs that name something in the index; all that were read are put into `asked` in their order."""
    finder: AnchorFinder | None = None
    for text in refs:
        if is_anchor(text) and finder is None:
            from birthmark.app.answers.anchors import AnchorFinder  # Few REFs are anchors.

            finder = AnchorFinder(session.repository, session.repository.named(at))
        one = _find(session, finder, text) if finder is not None and is_anchor(text) else AskedRef(text, text)
        asked.append(one)
        if one.ref is not None:
            yield one.ref


def _find(session: Session, finder: AnchorFinder, text: str) -> AskedRef:
    try:
        anchor = parse_anchor(text)
        assert anchor is not None
        fate = finder.find(anchor)
    except BirthmarkError as error:
        return AskedRef(text, None, problem=error)
    return AskedRef(text, ref_of(fate) if session.repository.store is not None else None, fate)


def read_anchor(repository: OpenRepository, state: RepositoryState, text: str) -> str:
    """Return the REF of the definition that an anchor names; an error if it is not one."""
    from birthmark.app.answers.anchors import AnchorFinder, no_place

    anchor = parse_anchor(text)
    assert anchor is not None
    fate = AnchorFinder(repository, state).find(anchor)
    ref = ref_of(fate)
    if ref is None:
        raise no_place(fate)
    return ref


def ref_of(fate: AnchorFate) -> str | None:
    """Return the REF of the definition; None if it is in no index."""
    if fate.way is AnchorWay.LEDGER:
        return fate.anchor.mark
    if fate.now is None:
        return None
    return f":/{fate.now.file.path}:{fate.now.entity.start_line}-{fate.now.entity.end_line}"


def anchor_fate_document(fate: AnchorFate) -> AnchorFateDocument:
    places = (location_or_null(one.location) for one in fate.rivals)
    return AnchorFateDocument(
        fate.verdict,
        fate.way,
        fate.confidence,
        location_or_null(fate.now.location if fate.now is not None else None),
        fate.path,
        fate.lines,
        fate.aspects,
        deletion_document(fate.deletion) if fate.deletion is not None else None,
        [place for place in places if place is not None],
        fate.problem,
        fate.refreshed,
        str(fate.refreshed) if fate.refreshed is not None else None,
    )


def unindexed_document(asked: AskedRef, freshness: FreshnessDocument) -> ResolvedDocument:
    """Return the answer to an anchor that names no entity of the index."""
    fate, problem = asked.fate, str(asked.problem) if asked.problem is not None else None
    verdict = fate.verdict if fate is not None else AnchorVerdict.UNKNOWN
    return ResolvedDocument(
        given_text(asked.text),
        _STATUSES.get(verdict, RefStatus.PRESENT),
        None,
        [],
        [],
        None,
        None,
        None,
        deletion_document(fate.deletion) if fate is not None and fate.deletion is not None else None,
        [],
        problem if fate is None else fate.problem,
        [],
        [],
        [],
        freshness,
        anchor=anchor_fate_document(fate) if fate is not None else None,
    )
