"""Which tests reach a definition, and which are to be run after a change."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.answers.uses.affected_tests import find_affected
from birthmark.app.answers.uses.reaching_tests import find_tests
from birthmark.app.workspace.session import Session
from birthmark.documents.uses import AffectedDocument, TestsDocument, affected_document, tests_document
from birthmark.questions.parameters import Ref
from birthmark.questions.question import PagedQuestion


class ReachingTests(PagedQuestion, frozen=True, kw_only=True):
    """List the tests that reach a definition."""

    arguments: ClassVar = ("ref",)

    ref: Ref

    def answer(self, session: Session) -> TestsDocument:
        return self.cut_lists(tests_document(find_tests(session, self.ref), session.freshness), "results")


class AffectedTests(PagedQuestion, frozen=True, kw_only=True):
    """List the tests to run after a change."""

    since: Annotated[str, Meta(description="The revision before the change.")] = "HEAD"
    until: Annotated[str | None, Meta(description="The revision after the change; the worktree if left out.")] = None

    def answer(self, session: Session) -> AffectedDocument:
        found = find_affected(session, self.since, self.until)
        return self.cut_lists(affected_document(found, session.freshness), "results")
