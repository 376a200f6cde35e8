"""What may break when a definition is changed, and how one thing comes to use another."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.uses.graph_nodes import SECONDS, hold_entities
from birthmark.app.answers.uses.impact import DEEPEST, MOST, ImpactQuery, find_impacted
from birthmark.app.answers.uses.use_paths import find_path
from birthmark.app.workspace.session import Session
from birthmark.documents.uses import ImpactDocument, PathDocument, impact_document, path_document
from birthmark.questions.parameters import Everywhere, Ref, Seconds, WithTests
from birthmark.questions.question import PagedQuestion, Question
from birthmark.server.across.impact import ImpactEverywhere, find_impact_everywhere

_MOST_EVERYWHERE = 10_000  # users at home, and as many elsewhere


class Impact(PagedQuestion, frozen=True, kw_only=True):
    """List what may break when a definition is changed: its users, their users and so on."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    depth: Annotated[int, Meta(ge=1, le=1000, title="for impact", description="Maximum depth.")] = DEEPEST
    tests: WithTests = True
    timeout: Seconds = SECONDS
    everywhere: Everywhere = False

    def answer(self, session: Session) -> ImpactDocument:
        return self._everywhere(session) if self.everywhere else self._here(session)

    def _here(self, session: Session) -> ImpactDocument:
        """Users are found nearest first, so that those after a page need not be found."""
        end = self.offset + MOST if self.end is None else self.end
        found = find_impacted(session, self.ref, ImpactQuery(self.depth, end + 1, self.tests, self.timeout))
        shown = found._replace(users=found.users[self.offset : end])
        entities = hold_entities(session, (user.node for user in shown.users))
        start = end if len(found.users) > end else None
        document = impact_document(shown, entities, session.freshness)
        return replace(document, truncated=start is not None, next=start)

    def _everywhere(self, session: Session) -> ImpactDocument:
        """Pages are parts of the same: which repositories come first does not depend on the size of a page."""
        asked = ImpactQuery(self.depth, _MOST_EVERYWHERE, self.tests, self.timeout)
        found: ImpactEverywhere = find_impact_everywhere(session, self.ref, asked, session.visible)
        entities = hold_entities(session, (user.node for user in found.own.users))
        document = impact_document(found.own, entities, session.freshness, found.others, found.problems)
        return self.cut_lists(document, "results")


class UsePath(Question, frozen=True, kw_only=True):
    """Show how one definition comes to use another, by a shortest way."""

    arguments: ClassVar = ("start", "end")

    start: Ref
    end: Ref
    timeout: Seconds = SECONDS

    def answer(self, session: Session) -> PathDocument:
        found = find_path(session, self.start, self.end, self.timeout)
        entities = hold_entities(session, (node for step in found.steps for node in (step.user, step.used)))
        return path_document(found, entities, session.freshness)
