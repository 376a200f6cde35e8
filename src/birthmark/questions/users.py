"""Which code uses a definition, which calls it, and which code it calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.uses.neighbours import End, find_callees, find_users, with_ends
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import EdgesDocument, edges_document
from birthmark.questions.parameters import Everywhere, Ref
from birthmark.questions.question import PagedQuestion
from birthmark.server.across.callees import CalleesEverywhere, find_callees_everywhere
from birthmark.server.across.other_repositories import RepositoryEdges
from birthmark.server.across.users import UsersEverywhere, find_users_everywhere

Use = Literal["calls", "references", "subclasses"]


class Users(PagedQuestion, frozen=True, kw_only=True):
    """List what uses a definition, and how sure each use is."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    uses: Annotated[tuple[Use, ...], Meta(description="Only these uses: calls, references, subclasses.")] = ()
    everywhere: Everywhere = False

    def answer(self, session: Session) -> EdgesDocument:
        return _edges(self, session, self._find(session), "source")

    def _find(self, session: Session) -> UsersEverywhere:
        if self.everywhere:
            return find_users_everywhere(session, self.ref, session.visible, self.uses)
        return UsersEverywhere(find_users(session, self.ref, self.uses))


class Callers(Users, frozen=True, kw_only=True):
    """List what calls a definition, and how sure each call is."""

    uses: Annotated[tuple[Use, ...], Meta(description="Only these uses: calls, references, subclasses.")] = ("calls",)


class Callees(PagedQuestion, frozen=True, kw_only=True):
    """List what a definition calls, and how sure each call is."""

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
