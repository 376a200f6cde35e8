"""Which code uses a definition, which calls it, and which code it calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.uses.neighbours import End, find_callees, find_users, with_ends
from birthmark.app.workspace.session import Session
from birthmark.documents.uses import EdgesDocument, PackageDocument, edges_document
from birthmark.questions.parameters import Everywhere, Ref
from birthmark.questions.question import PagedQuestion
from birthmark.server.across.callees import CalleesEverywhere, find_callees_everywhere
from birthmark.server.across.other_repositories import RepositoryEdges
from birthmark.server.across.users import UsersEverywhere, find_users_everywhere

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
        found = self._find(session)
        packages = tuple(PackageDocument(str(one.ecosystem), one.name) for one in found.packages)
        return replace(_edges(self, session, found, "source"), packages=packages, asked=found.n_asked)

    def _find(self, session: Session) -> UsersEverywhere:
        if self.everywhere:
            return find_users_everywhere(session, self.ref, session.visible, self.uses)
        return UsersEverywhere(find_users(session, self.ref, self.uses))


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
        found = (
            find_callees_everywhere(session, self.ref, session.visible)
            if self.everywhere
            else CalleesEverywhere(find_callees(session, self.ref))
        )
        return _edges(self, session, found, "target")


def _edges(
    question: PagedQuestion, session: Session, found: UsersEverywhere | CalleesEverywhere, end: End
) -> EdgesDocument:
    """Only of the edges on the page the definitions are read: some have thousands. Those elsewhere come last."""
    indexed, edges = found.own
    ends = with_ends(session, edges[question.offset : question.end], end)
    end_elsewhere = None if question.end is None else question.end - len(edges)
    elsewhere = cut_edges(found.others, question.offset - len(edges), end_elsewhere)
    document = edges_document(indexed, ends, count_files(session), session.freshness, elsewhere, found.problems)
    start = question.next_after(len(edges) + sum(len(one.edges) for one in found.others))
    return replace(document, truncated=start is not None, next=start)


def cut_edges(others: Iterable[RepositoryEdges], start: int, end: int | None) -> list[RepositoryEdges]:
    """Return, of the edges in all other repositories, those from one number to another."""
    rows = [(one.repository, edge) for one in others for edge in one.edges]
    return [
        RepositoryEdges(repository, [edge])
        for repository, edge in rows[max(start, 0) : None if end is None else max(end, 0)]
    ]
