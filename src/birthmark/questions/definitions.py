"""One definition: where it is, what became of it, and what to read for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.answers.clones import ClonesQuery, find_similar
from birthmark.app.answers.contexts import find_context
from birthmark.app.answers.resolving import resolve_all
from birthmark.app.answers.searching.searching import DEFAULT_RESULTS, MOST_RESULTS, SearchQuery, find_page
from birthmark.app.answers.showing import show_ref
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import (
    ContextDocument,
    ResolvedDocument,
    ResolvedListDocument,
    ShownDocument,
    context_document,
    resolved_document,
    shown_document,
)
from birthmark.documents.listings import ClonesDocument, SearchDocument, clones_document, search_document
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import AllFiles, At, Everywhere, Kinds, Languages, Paths, Ref
from birthmark.questions.question import PagedQuestion, Question


class Search(PagedQuestion, frozen=True, kw_only=True):
    """Find definitions by name, part of a name, former name, or words from docs or code."""

    arguments: ClassVar = ("text",)

    text: Annotated[str, Meta(min_length=1, title="", description="A name, a part of it, or words from docs or code.")]
    kind: Kinds = ()
    language: Languages = ()
    path: Paths = ()
    everywhere: Everywhere = False
    limit: Annotated[int, Meta(ge=1, le=MOST_RESULTS, description="List at most N results.")] = DEFAULT_RESULTS

    def answer(self, session: Session) -> SearchDocument:
        asked = SearchQuery(self.text, self.kind, self.language, self.path, self.limit, self.offset)
        others = session.others(self.everywhere)
        return search_document(others.find_page(partial(find_page, session), asked), session.freshness, others.problems)


class Show(Question, frozen=True, kw_only=True):
    """Show one entity, with its source."""

    arguments: ClassVar = ("ref",)

    ref: Ref

    def answer(self, session: Session) -> ShownDocument:
        return shown_document(show_ref(session, self.ref), session.freshness)


class Resolve(Question, frozen=True, kw_only=True):
    """Show where any id is now, or what became of it."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    at: At = None
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ResolvedDocument:
        return next(resolve_refs(session, [self.ref], self.at, everywhere=self.everywhere))


class ResolveMany(Question, frozen=True, kw_only=True):
    """Resolve many REFs at once."""

    refs: Annotated[tuple[str, ...], Meta(max_length=10_000, description="REFs.")]
    at: At = None
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ResolvedListDocument:
        return ResolvedListDocument([*resolve_refs(session, self.refs, self.at, everywhere=self.everywhere)])


def resolve_refs(
    session: Session, refs: Iterable[str], at: str | None, *, everywhere: bool = False
) -> Iterator[ResolvedDocument]:
    """Yield answers in the order of the REFs, as they are found."""
    found = session.others(everywhere).add_descents(resolve_all(session, refs, at))
    return (resolved_document(one, session.freshness) for one in found)


class Context(Question, frozen=True, kw_only=True):
    """Show what to read before changing a definition, within a budget."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    tokens: Annotated[int, Meta(ge=1, le=10**7, description="Maximum number of tokens.")] = 4000
    since: Annotated[str | None, Meta(description="Only what changed since this revision.")] = None

    def answer(self, session: Session) -> ContextDocument:
        return context_document(find_context(session, self.ref, self.tokens, self.since), session.freshness)


class Clones(PagedQuestion, frozen=True, kw_only=True):
    """List definitions that are nearly the same."""

    ref: Annotated[str | None, Meta(description="Only those that are like this REF.")] = None
    path: Annotated[
        tuple[str, ...],
        Meta(description="Only in these files or folders; else in all but tests and generated files."),
    ] = ()
    share: Annotated[int, Meta(ge=50, le=100, description="Tokens that two must share, in percent.")] = 70
    all: AllFiles = False
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ClonesDocument:
        if self.everywhere and self.ref is None:
            raise BirthmarkError("ref: is missing; with `everywhere`, it is what is copied")
        asked, others = ClonesQuery(self.ref, self.path, self.share / 100, self.all), session.others(self.everywhere)
        found = others.add_copies(find_similar(session, asked), asked)
        return self.cut_lists(clones_document(found, session.freshness, others.problems), "groups")
