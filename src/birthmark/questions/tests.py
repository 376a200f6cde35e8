"""The tests that reach a definition, and those to run after a change."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from birthmark.app.answers.affected_tests import find_affected
from birthmark.app.answers.reaching_tests import find_tests
from birthmark.app.workspace.session import Session
from birthmark.documents.uses import AffectedDocument, TestsDocument
from birthmark.questions.parameters import REVISION, Ref
from birthmark.questions.question import PagedQuestion


class ReachingTests(PagedQuestion, frozen=True, kw_only=True):
    """List the tests that reach a definition, those with most evidence first, each with its path to REF.

    The score is between 0 and 1. It is high for a short path through what few others use, and for a test whose name,
    file and code have the words of REF. A path goes through calls and other uses, from a method to what uses its class,
    from a fixture to what takes it by name, and from the top level of a file to what imports it.

    Examples:
      birthmark tests Flask.url_for
      pytest $(birthmark tests Flask.url_for --ids)
      birthmark tests src/app.py:120 --json
    """

    arguments: ClassVar = ("ref",)

    ref: Ref

    def answer(self, session: Session) -> TestsDocument:
        return self.cut_lists(find_tests(session, self.ref), "results")


class AffectedTests(PagedQuestion, frozen=True, kw_only=True):
    """List the tests to run after a change, the likeliest first, each with the path from the test to what changed.

    All tests are listed that may reach a definition which was edited, added, renamed or deleted, or the top level of a
    file that changed. Changes of layout and comments do not count. The tests are those of the worktree,
    ranked as by `tests`. With --likely, only a fifth of all tests is listed, those with the highest scores.

    Examples:
      birthmark affected                         uncommitted changes
      birthmark affected --since main            changes of a branch
      pytest $(birthmark affected --since main --ids)
      pytest $(birthmark affected --likely --ids)
      birthmark affected --since v1.0 --until v1.1 --json
    """

    since: Annotated[str, Meta(description="The revision before the change.", extra=REVISION)] = "HEAD"
    until: Annotated[
        str | None, Meta(description="The revision after the change; the worktree if left out.", extra=REVISION)
    ] = None
    likely: Annotated[bool, Meta(description="List only the likely tests: a fifth of all, by score.")] = False

    def answer(self, session: Session) -> AffectedDocument:
        until = None if self.until == "worktree" else self.until
        return self.cut_lists(find_affected(session, self.since, until, likely=self.likely), "results")
