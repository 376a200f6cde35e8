"""The users, the callers and the callees of a definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.across import Others
from birthmark.app.answers.listing import count_files
from birthmark.app.answers.neighbours import End, Neighbours, find_callees, find_users, with_ends
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.uses import CalleeDocument, EdgeDocument, EdgesDocument, PackageDocument, edges_document
from birthmark.questions.parameters import Everywhere, Ref
from birthmark.questions.question import PagedQuestion

T = TypeVar("T")
Use = Literal["calls", "references", "subclasses"]
_FLAGS = {
    "calls": "List calls only.",
    "references": "List imports, exports, reads, writes, types and decorators only.",
    "subclasses": "List subclasses, implementations and overrides only.",
}
Uses = Annotated[tuple[Use, ...], Meta(description="Only these uses.", extra={"flags": _FLAGS})]


class Users(PagedQuestion, frozen=True, kw_only=True):
    """List the uses of a definition by file, and how sure each is.

    Uses are calls, subclasses and overriding methods, and where its name is imported, exported, read, written, a type
    or a decorator. Uses other than calls are labelled. `birthmark callers` lists calls only.

      certain    it is in the same file, and nothing else can be meant
      by import  the file imports it
      inherited  it is a member of a base of what it is used on
      by name    the name is the same; of several definitions of it, any may be meant

    Examples:
      birthmark users Flask.url_for
      birthmark users Blueprint --subclasses
      birthmark users src/app.py:120 --json
      birthmark users Flask.url_for --everywhere --store postgresql://host/birthmark
    """

    arguments: ClassVar = ("ref",)

    ref: Ref
    uses: Uses = ()
    everywhere: Everywhere = False

    def answer(self, session: Session) -> EdgesDocument:
        others = session.others(self.everywhere)
        found = others.add_users(find_users(session, self.ref, self.uses), self.uses)
        packages = tuple(PackageDocument(str(one.ecosystem), one.name) for one in found.packages)
        return replace(_edges(self, session, found, "source", others), packages=packages, asked=found.n_asked)


class Callers(Users, frozen=True, kw_only=True):
    """List the calls of a definition by file, and how sure each is.

    This is `birthmark users --calls`. A function that calls itself is among its callers.

    Examples:
      birthmark callers Flask.url_for
      birthmark callers src/app.py:120 --json
    """

    uses: Annotated[tuple[Use, ...], Meta(description="Only these uses.", extra={"unlisted": True})] = ("calls",)


class Callees(PagedQuestion, frozen=True, kw_only=True):
    """List what a definition calls, by the file that defines it, and how sure each call is.

    Examples:
      birthmark callees Flask.url_for
      birthmark callees src/app.py:120 --json
      birthmark callees create_app --everywhere --store postgresql://host/birthmark
    """

    arguments: ClassVar = ("ref",)

    ref: Ref
    everywhere: Everywhere = False

    def answer(self, session: Session) -> EdgesDocument:
        others = session.others(self.everywhere)
        return _edges(self, session, others.add_callees(find_callees(session, self.ref)), "target", others)


def _edges(question: PagedQuestion, session: Session, found: Neighbours, end: End, others: Others) -> EdgesDocument:
    """Only of the edges on the page the definitions are read: some have thousands. Those elsewhere come last."""
    n_own = len(found.edges)
    ends = with_ends(session, found.edges[question.offset : question.end], end)
    elsewhere = cut_rows(found.others, question.offset - n_own, question.end and question.end - n_own)
    counted = count_files(session), freshness_document(session.freshness)
    kind = CalleeDocument if end == "target" else EdgeDocument
    document = edges_document(found.indexed, ends, *counted, elsewhere, others.problems, kind)
    start = question.next_after(n_own + len(found.others))
    return replace(document, truncated=start is not None, next=start)


def cut_rows(rows: Sequence[T], start: int, end: int | None) -> Sequence[T]:
    """Return the rows from one number to another; both may be before the first one."""
    return rows[max(start, 0) : None if end is None else max(end, 0)]
