"""Anchors, which other tools store: making them. `resolve` and every other question take them as REFs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.workspace.session import Session
from birthmark.documents.anchors import MadeAnchorDocument, MadeAnchorsDocument
from birthmark.identity.anchors import is_anchor
from birthmark.questions.parameters import Text
from birthmark.questions.question import Question

_MOST = 10_000


class MakeAnchors(Question, frozen=True, kw_only=True):
    """Make anchors of definitions or lines, to be stored in another tool's data."""

    route: ClassVar = "POST /anchors"
    body: ClassVar = "AnchorsRequest"

    refs: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=4096)], ...], Meta(max_length=_MOST, description="REFs.")
    ]
    at: Annotated[Text | None, Meta(description="A revision at which paths, lines and names are looked up.")] = None

    def answer(self, session: Session) -> MadeAnchorsDocument:
        return MadeAnchorsDocument([*make_anchors(session, self.refs, self.at)])


def make_anchors(session: Session, refs: Iterable[str], at: str | None) -> Iterator[MadeAnchorDocument]:
    """Yield anchors in the order of the REFs."""
    from birthmark.app.answers.anchors import AnchorFinder  # It loads what pairs commits.

    finder = AnchorFinder(session.repository, session.repository.named(at))
    for ref in refs:
        anchor = finder.refresh(ref) if is_anchor(ref) else finder.maker.of_ref(ref)
        yield MadeAnchorDocument(ref, anchor, str(anchor))
