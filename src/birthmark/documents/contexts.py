"""The document of a context: what to read for work on an entity."""

from __future__ import annotations

from typing import Annotated

from birthmark.app.answers.contexts import FoundContext
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, doc
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.notes import NotesField, note_document
from birthmark.queries.context import ChosenPiece
from birthmark.vocabulary import ContextPart


class ContextPieceDocument(Document, frozen=True):
    """A piece of a context."""

    part: ContextPart
    mark: Annotated[str | None, doc("null for the top level of a file")]
    qualified_name: str
    path: str
    start_line: int
    end_line: int
    why: str
    shortened: Annotated[bool, doc("whether a fuller form did not fit")]
    text: Annotated[str, doc("as Markdown")]


class ContextDocument(Document, frozen=True):
    """What a language model needs to work on an entity, within a budget."""

    entity: EntityDocument
    since: Annotated[str | None, doc("the commit since which the pieces changed; null if all are asked for")]
    budget: int
    tokens: Annotated[int, doc("of `text`, estimated; never more than the budget")]
    pieces: Annotated[list[ContextPieceDocument], doc("in the order of priority")]
    left_out: Annotated[dict[str, int], doc("pieces that did not fit, by part")]
    text: Annotated[str, doc("all pieces as one Markdown text")]
    notes: NotesField
    freshness: FreshnessDocument


def context_document(found: FoundContext, freshness: Freshness) -> ContextDocument:
    context = found.context
    return ContextDocument(
        indexed_entity_document(found.indexed),
        found.since,
        context.budget,
        context.n_tokens,
        [_piece_document(one) for one in context.chosen],
        {str(part): number for part, number in context.left_out.items()},
        context.text,
        [note_document(one) for one in found.notes],
        freshness_document(freshness),
    )


def _piece_document(one: ChosenPiece) -> ContextPieceDocument:
    piece = one.piece
    place = piece.path, piece.start_line, piece.end_line
    return ContextPieceDocument(piece.part, piece.mark, piece.name, *place, piece.why, one.is_shortened, one.text)
