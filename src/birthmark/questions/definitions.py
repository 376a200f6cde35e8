"""One definition: where it is, what became of it, and what to read for it.

`show` is asked most: what only other questions need is imported when they are answered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.anchored_refs import AskedRef, anchor_fate_document, read_anchors, unindexed_document
from birthmark.app.answers.resolving import resolve_all
from birthmark.app.answers.showing import show_ref
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import (
    ContextDocument,
    ResolvedDocument,
    ResolvedListDocument,
    ShownDocument,
    resolved_document,
)
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.listings import ClonesDocument, SearchDocument
from birthmark.documents.parts import unasked_documents
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import REVISION, AllFiles, At, Everywhere, Kinds, Languages, Paths, Ref, Text
from birthmark.questions.question import PagedQuestion, Question

MOST_RESULTS, DEFAULT_RESULTS = 1_000, 20  # of a search, on a page


class Search(PagedQuestion, frozen=True, kw_only=True):
    """Find definitions by name, part of a name, former name, or words from docs or code, the best match first.

    TEXT is a name or a part of it, in any case and with typing errors: `url_for`, `urlFor`, `absolute url`,
    `HttpRespose`, `Model.save`. A former name finds the definition that had it. Definitions whose signature, docs or
    code have all words of TEXT come after those with a similar name.

    Examples:
      birthmark search url_for
      birthmark search absolute url --kind method
      birthmark search 'filter(pk=' --path src --path '!src/old'
      birthmark search HttpRespose --lang python --limit 3 --json
      birthmark search url_for --everywhere --store postgresql://host/birthmark
    """

    arguments: ClassVar = ("text",)

    text: Annotated[
        str, Meta(title="", description="A name, a part of it, or words from docs or code.", extra={"joined": True})
    ]
    kind: Kinds = ()
    language: Languages = ()
    path: Paths = ()
    everywhere: Everywhere = False
    limit: Annotated[int, Meta(ge=1, le=MOST_RESULTS, description="List at most N results.")] = DEFAULT_RESULTS

    def answer(self, session: Session) -> SearchDocument:
        from birthmark.app.answers.searching import SearchQuery, find_page

        asked = SearchQuery(self.text, self.kind, self.language, self.path, self.limit, self.offset)
        others = session.others(self.everywhere)
        document = others.find_page(partial(find_page, session), asked)
        return replace(document, unasked=unasked_documents(others.problems))


class Show(Question, frozen=True, kw_only=True):
    """Show one entity: its ids, where it is, and its source.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name;
    `birthmark help refs` lists all forms, as permalinks and lines of stack traces.
    Former names and paths are understood as well. Of what is deleted, the last known source is shown.

    Examples:
      birthmark show Flask.url_for
      birthmark show src/app.py:120
      birthmark show bm-7k3q9w2m4x8p --json
    """

    arguments: ClassVar = ("ref",)

    ref: Ref

    def answer(self, session: Session) -> ShownDocument:
        return show_ref(session, self.ref)


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

    route: ClassVar = "POST /resolve"
    body: ClassVar = "ResolveRequest"
    in_query: ClassVar = ("everywhere",)

    refs: Annotated[tuple[Annotated[str, Meta(max_length=4096)], ...], Meta(max_length=10_000, description="REFs.")]
    at: Annotated[Text | None, Meta(description="A revision at which paths, lines and names are looked up.")] = None
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ResolvedListDocument:
        return ResolvedListDocument([*resolve_refs(session, self.refs, self.at, everywhere=self.everywhere)])


def resolve_refs(
    session: Session, refs: Iterable[str], at: str | None, *, everywhere: bool = False
) -> Iterator[ResolvedDocument]:
    """Yield answers in the order of the REFs, as they are found."""
    others, asked, freshness = session.others(everywhere), deque[AskedRef](), freshness_document(session.freshness)
    for one in others.add_descents(resolve_all(session, read_anchors(session, refs, at, asked), at)):
        yield from _without_entity(asked, freshness)
        ref = asked.popleft()
        document = replace(resolved_document(*one, freshness), unasked=unasked_documents(others.problems))
        yield document if ref.fate is None else replace(document, ref=ref.text, anchor=anchor_fate_document(ref.fate))
    yield from _without_entity(asked, freshness)


def _without_entity(asked: deque[AskedRef], freshness: FreshnessDocument) -> Iterator[ResolvedDocument]:
    """Yield the answers to the next anchors that name no entity of the index."""
    while asked and asked[0].ref is None:
        yield unindexed_document(asked.popleft(), freshness)


class Context(Question, frozen=True, kw_only=True):
    """Show what to read before changing a definition, as Markdown within a budget of tokens.

    In order of priority: its source; the notes on it; what contains it; the signatures of what it uses; the lines that
    use it; tests that reach it; what its code came from; the signatures of its siblings; the sources of what it uses.
    Each piece has its mark, its place and why it is there. Tokens are estimated; the estimate never exceeds the budget.

    Examples:
      birthmark context Flask.url_for
      birthmark context Flask.url_for --tokens 2000
      birthmark context src/app.py:120 --since main --json
    """

    arguments: ClassVar = ("ref",)

    ref: Ref
    tokens: Annotated[int, Meta(ge=1, le=10**7, description="Maximum number of tokens.")] = 4000
    since: Annotated[
        str | None,
        Meta(description="Only what changed since this revision.", extra=REVISION),
    ] = None

    def answer(self, session: Session) -> ContextDocument:
        from birthmark.app.answers.contexts import find_context

        return find_context(session, self.ref, self.tokens, self.since)


class Clones(PagedQuestion, frozen=True, kw_only=True):
    """List definitions that are nearly the same, those with most code first; with REF only those like it.

    They are compared by their tokens, without names, parameters and comments above them. Definitions with fewer than 30
    tokens are left out. Without PATH, a file or a folder, all source files of the index are searched.

    Examples:
      birthmark clones
      birthmark clones src/shop src/web --share 90
      birthmark clones Cart.total
      birthmark clones src/cart.py:120 --all --json
      birthmark clones Cart.total --everywhere --store postgresql://host/birthmark
    """

    ref: Annotated[str | None, Meta(description="Only those that are like this REF.", extra={"unlisted": True})] = None
    path: Annotated[
        tuple[str, ...],
        Meta(
            description="Only in these files or folders; else in all but tests and generated files.",
            extra={"unlisted": True},
        ),
    ] = ()
    share: Annotated[
        int,
        Meta(ge=50, le=100, description="Tokens that two must share, in percent.", extra={"metavar": "PERCENT"}),
    ] = 70
    all: AllFiles = False
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ClonesDocument:
        from birthmark.app.answers.clones import find_similar
        from birthmark.app.answers.indexed_refs import find_indexed

        if self.everywhere and self.ref is None:
            raise BirthmarkError("ref: is missing; with `everywhere`, it is what is copied")
        others, share = session.others(self.everywhere), self.share / 100
        subject = find_indexed(session, self.ref) if self.ref is not None else None
        found = find_similar(session, subject, self.path, share, with_all=self.all)
        if subject is not None:
            found = replace(others.add_copies(found, subject, share), unasked=unasked_documents(others.problems))
        return self.cut_lists(found, "groups")
