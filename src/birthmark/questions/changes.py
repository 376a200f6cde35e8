"""Compare two states of the repository, as a list of changes and as a review."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.changes.diff_arguments import read_arguments, read_filter
from birthmark.app.changes.diffing import diff_states
from birthmark.app.changes.review import review
from birthmark.app.workspace.session import Session
from birthmark.documents.changes import (
    DiffDocument,
    diff_document,
)
from birthmark.documents.index import freshness_document
from birthmark.documents.reviews import ReviewDocument, review_document
from birthmark.questions.parameters import Kinds, Languages, Patch, Paths
from birthmark.questions.question import PagedQuestion
from birthmark.vocabulary import Change

_REVIEW_LISTS = ("changes", "collapsed", "interfaces", "triggers", "docs", "tests", "affected", "other_files")


class Diff(PagedQuestion, frozen=True, kw_only=True):
    """Compare two states of the repository, entity by entity."""

    base: Annotated[
        str | None,
        Meta(
            title="revision or A..B; default HEAD",
            description="A revision, a date, or a range like A..B; HEAD if left out.",
        ),
    ] = None
    target: Annotated[str | None, Meta(title="", description="A revision; the worktree if left out.")] = None
    path: Paths = ()
    kind: Kinds = ()
    language: Languages = ()
    change: Annotated[tuple[str, ...], Meta(description="Only these changes.")] = ()
    patch: Patch = False

    def answer(self, session: Session) -> DiffDocument:
        asked = read_arguments(session.repository, revision_words(self.base, self.target), self.path)
        chosen = read_filter(asked.paths, self.kind, self.language, self.change)
        states, past = (asked.base, asked.target), session.repository
        diff = diff_states(past, *states, chosen, with_patches=self.patch, first=self.offset, most=self.limit)
        document = diff_document(*diff)
        start = self.next_after(sum(document.counts.values()) - document.counts[Change.UNCHANGED])
        return replace(document, truncated=start is not None, next=start)

    @property
    def is_about_worktree(self) -> bool:
        """Without a revision it may be about what has changed since the index was made."""
        return self.target is None and ".." not in (self.base or "..")


def revision_words(base: str | None, target: str | None) -> list[str]:
    """Return what is to be compared, as the command line has it: none, `BASE`, `BASE TARGET` or `A..B`."""
    return [base or "HEAD", target] if target else [base] if base else []


class Review(PagedQuestion, frozen=True, kw_only=True):
    """Show a change as a reviewer wants it: what is risky first, what merely moved in one line, who is affected.

    Without a RANGE, what the branch and the worktree have of their own: since the merge base with the default branch,
    or since HEAD where all commits are in it.

    Examples:
      birthmark review                            this branch, with what is not committed
      birthmark review HEAD~3                     since a revision, up to the worktree
      birthmark review main...feature --markdown  what a branch did
      birthmark review v1.0..v1.1 --json
    """

    base: Annotated[
        str | None, Meta(description="A revision, a date, or a range like A..B; else as `birthmark review` chooses it.")
    ] = None
    target: Annotated[str | None, Meta(description="A revision; the worktree if left out.")] = None
    affected: Annotated[bool, Meta(description="Look for all tests that may be affected.")] = True

    def answer(self, session: Session) -> ReviewDocument:
        found = review(session, revision_words(self.base, self.target), with_affected=self.affected)
        return self.cut_lists(review_document(found, freshness_document(session.freshness)), *_REVIEW_LISTS)
