"""The impact of a change of a definition, and the path by which one definition uses another."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.graph_nodes import SECONDS
from birthmark.app.answers.impact import DEEPEST, MOST, ImpactQuery, find_impacted, find_path
from birthmark.app.workspace.session import Session
from birthmark.documents.parts import unasked_documents
from birthmark.documents.uses import ImpactDocument, PathDocument
from birthmark.questions.parameters import Everywhere, Ref, Seconds, WithTests
from birthmark.questions.question import PagedQuestion, Question

_MOST_EVERYWHERE = 10_000  # users at home, and as many elsewhere


class Impact(PagedQuestion, frozen=True, kw_only=True):
    """Show what may break when a definition is changed: its users, their users and so on, as a tree.

    Each user is below what it uses, by the shortest way, with the line of the use. The users of a class include those
    of its members. What imports or overrides the definition itself is listed, but not what uses that.

    Examples:
      birthmark impact Flask.url_for
      birthmark impact src/app.py:120 --depth 2 --no-tests
      birthmark impact Flask.url_for --svg impact.svg
      birthmark impact Flask.url_for --everywhere --store postgresql://host/birthmark
    """

    arguments: ClassVar = ("ref",)

    ref: Ref
    depth: Annotated[int, Meta(ge=1, le=1000, title="for impact", description="Maximum depth.")] = DEEPEST
    tests: WithTests = True
    timeout: Seconds = SECONDS
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ImpactDocument:
        """Users are found nearest first, so that those after a page need not be found.

        Everywhere all are found: which repositories come first does not depend on the size of a page.
        """
        others, page = (
            session.others(self.everywhere),
            self if self.everywhere else replace(self, limit=self.limit or MOST),
        )
        most = _MOST_EVERYWHERE if page.end is None or self.everywhere else page.end + 1
        asked = ImpactQuery(self.depth, most, self.tests, self.timeout)
        found = others.add_impact(*find_impacted(session, self.ref, asked), asked)
        document = page.cut_lists(replace(found, unasked=unasked_documents(others.problems)), "results")
        return replace(document, complete=document.complete and not document.truncated)


class UsePath(Question, frozen=True, kw_only=True):
    """Show how one definition comes to use another: a shortest way along uses, with the line of each.

    Examples:
      birthmark path create_app Flask.url_for
      birthmark path src/app.py:120 Cart.total --mermaid
    """

    arguments: ClassVar = ("start", "end")

    start: Ref
    end: Ref
    timeout: Seconds = SECONDS

    def answer(self, session: Session) -> PathDocument:
        return find_path(session, self.start, self.end, self.timeout)
