"""Answers of tools about definitions: questions are asked, and their documents made brief."""

from __future__ import annotations

from birthmark.app.answers.contexts import find_further_context
from birthmark.documents import brief_documents as brief
from birthmark.documents.answers import LedgerEventDocument, context_document
from birthmark.documents.brief import (
    BriefPiece,
    ContextAnswer,
    DiffAnswer,
    HistoryAnswer,
    ResolveAnswer,
    SearchAnswer,
    ShowAnswer,
)
from birthmark.documents.changes import HistoryDocument
from birthmark.questions.definitions import Resolve, Search, Show
from birthmark.questions.past import Diff, History
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.mcp.answer_heads import from_cursor, head_of, page_asked, read_freshness
from birthmark.surfaces.mcp.budget import UncutAnswer, parts_of, text_parts
from birthmark.vocabulary import Change

_CONTEXT_SHARE = 0.75  # of a budget; the rest is for what JSON adds to a text


def search(query: HttpQuery) -> UncutAnswer:
    text, kind, path = query.values["text"], tuple(query.listed("kind")), tuple(query.listed("path"))
    question = Search(text=text, kind=kind, path=path, everywhere=query.is_everywhere, **page_asked(query))
    found = question.answer(query.session)
    parts = parts_of("results", map(brief.brief_hit, found.results))
    head = head_of(SearchAnswer, found.freshness, unasked=brief.brief_unasked(found.unasked))
    return UncutAnswer(head, parts, found.truncated)


def show(query: HttpQuery) -> UncutAnswer:
    found = Show(ref=query.ref).answer(query.session)
    head = head_of(
        ShowAnswer,
        found.freshness,
        entity=brief.brief_entity(found),
        status=str(found.status),
        was=brief.former_place(found.was),
        deletion=brief.brief_deletion(found.deletion),
        derived_from=brief.brief_links(found.derived_from),
        carried_by=brief.brief_links(found.carried_by),
    )
    source = " " * found.indent + found.source
    parts = [*parts_of("notes", map(brief.brief_note, found.notes)), *text_parts("source", source)]
    return UncutAnswer(head, from_cursor(query, parts))


def resolve(query: HttpQuery) -> UncutAnswer:
    found = Resolve(ref=query.ref, at=query.get("at")).answer(query.session)
    at = getattr(found.at, "place", None)
    head = head_of(
        ResolveAnswer,
        found.freshness,
        ref=found.ref,
        status=str(found.status),
        entity=brief.brief_entity(found.entity) if found.entity is not None else None,
        was=brief.former_place(found.was),
        then=brief.place_of(at.path, at.start_line, at.end_line) if at is not None else "",
        problem=found.problem or "",
        deletion=brief.brief_deletion(found.deletion),
        carried_by=brief.brief_links(found.carried_by),
    )
    candidates = [*found.candidates, *found.former_owners]
    parts = [
        *parts_of("candidates", map(brief.brief_candidate, candidates)),
        *parts_of("events", map(brief.brief_ledger_event, filter(_is_of_life, reversed(found.events)))),
    ]
    return UncutAnswer(head, from_cursor(query, parts))


def _is_of_life(event: LedgerEventDocument) -> bool:
    """Whether it came, went or got another name or place; edits are in its history."""
    return event.change is not Change.MODIFIED or brief.former_place(event.before) != brief.former_place(event.after)


def show_history(query: HttpQuery) -> UncutAnswer:
    """A history is read from git, so that the mark is that of the index."""
    at, since, patch = query.get("at"), query.get("since"), query.get("patch") == "true"
    found = History(ref=query.ref, at=at, since=since, patch=patch, **page_asked(query)).answer(query.session)
    assert isinstance(found, HistoryDocument)
    known, entity = Resolve(ref=query.ref, at=at).answer(query.session), found.entity
    head = head_of(
        HistoryAnswer,
        known.freshness,
        name=entity.qualified_name,
        place=brief.place_of(entity.path, entity.start_line, entity.end_line),
        mark=known.entity.mark if known.entity is not None else "",
        was=brief.former_place(found.was),
        deletion=brief.brief_deletion(found.deletion),
    )
    return UncutAnswer(head, parts_of("events", map(brief.brief_event, found.events)), found.truncated)


def diff(query: HttpQuery) -> UncutAnswer:
    base, target, patch = query.get("base"), query.get("target"), query.get("patch") == "true"
    question = Diff(base=base, target=target, path=tuple(query.listed("path")), patch=patch, **page_asked(query))
    found = question.answer(query.session)
    counts = {str(change): number for change, number in found.counts.items() if number}
    freshness = read_freshness(query)
    head = head_of(DiffAnswer, freshness, base=found.base[:12], target=found.target[:12], counts=counts)
    return UncutAnswer(head, parts_of("changes", map(brief.brief_change, found.changes)), found.truncated)


def give_context(query: HttpQuery) -> UncutAnswer:
    """Pieces are chosen anew from the cursor on: each in the fullest form that fits."""
    cursor, budget = query.values["cursor"], int(query.values["tokens"] * _CONTEXT_SHARE)
    session = query.session
    found = context_document(find_further_context(session, query.ref, budget, cursor), session.freshness)
    head = head_of(ContextAnswer, found.freshness, entity=brief.brief_entity(found.entity))
    pieces = (BriefPiece(str(piece.part), piece.text) for piece in found.pieces)
    return UncutAnswer(head, parts_of("pieces", pieces), bool(found.left_out))
