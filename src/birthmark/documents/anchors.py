"""Documents of anchors, and of what became of what they name."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import KEPT, Document, doc
from birthmark.documents.parts import DeletionDocument, LocationDocument
from birthmark.identity.anchors import Anchor
from birthmark.vocabulary import AnchorVerdict, AnchorWay, Aspect, Confidence


class MadeAnchorDocument(Document, frozen=True):
    """The anchor of what a REF names."""

    ref: Annotated[str, doc("as asked")]
    anchor: Annotated[Anchor, doc("to be stored anywhere; `docs/reference/anchors.md` specifies it")]
    line: Annotated[str, doc("the same anchor as one line of text", brief=KEPT)]


class MadeAnchorsDocument(Document, frozen=True):
    """The anchors of some REFs."""

    results: Annotated[list[MadeAnchorDocument], doc("in the order of the REFs", brief=KEPT)]


class AnchorFateDocument(Document, frozen=True):
    """The fate of what an anchor names."""

    verdict: Annotated[AnchorVerdict, doc("the boldest word that fits", brief=KEPT)]
    way: Annotated[AnchorWay | None, doc("how it was found; null if it is unknown", brief=KEPT)]
    confidence: Annotated[Confidence | None, doc("null unless it has one answer", brief=KEPT)]
    place: Annotated[LocationDocument | None, doc("where the definition is now", brief=KEPT)]
    path: Annotated[str | None, doc("the file in which it is now")]
    lines: Annotated[tuple[int, int] | None, doc("where the lines are that the anchor is about", brief=KEPT)]
    aspects: Annotated[tuple[Aspect, ...], doc("of the definition that changed", brief=KEPT)]
    deletion: Annotated[DeletionDocument | None, doc("where git alone tells; else `deletion` of the answer")]
    candidates: Annotated[list[LocationDocument], doc("what it may be, if that is ambiguous", brief=KEPT)]
    problem: Annotated[str | None, doc("why it has no place", brief=KEPT)]
    refreshed: Annotated[Anchor | None, doc("to be stored instead; null unless it has a place")]
    line: Annotated[str | None, doc("`refreshed` as one line of text", brief=KEPT)]
