"""Compare two states of the repository, as a list of changes and as a review."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.changes.diff_arguments import DiffArguments, read_arguments, read_filter
from birthmark.app.changes.diffing import diff_states, list_diff
from birthmark.app.changes.review import review
from birthmark.app.workspace.session import Session
from birthmark.comparison.diff_listing import ListingOptions
from birthmark.comparison.entity_changes import ChangeFilter
from birthmark.documents.changes import DiffDocument, DiffListingDocument, diff_listing_document
from birthmark.documents.reviews import ReviewDocument
from birthmark.questions.parameters import Kinds, Languages, Patch, Paths
from birthmark.questions.question import PagedQuestion
from birthmark.vocabulary import DIFF_CHANGES, Change

_REVIEW_LISTS = ("changes", "collapsed", "interfaces", "triggers", "docs", "tests", "affected", "other_files")


class TwoStates(PagedQuestion, frozen=True, kw_only=True):
    """Two states of the repository, and a filter of the changes between them."""

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
    change: Annotated[
        tuple[str, ...],
        Meta(
            description="Only these changes: added, deleted, …",
            extra={"metavar": "CHANGE", "words": tuple(map(str, DIFF_CHANGES))},
        ),
    ] = ()
    patch: Patch = False
    index: Annotated[bool, Meta(description="Compare the index with the worktree.")] = False

    def read(self, session: Session) -> tuple[DiffArguments, ChangeFilter]:
        words = revision_words(self.base, self.target)
        asked = read_arguments(session.repository, words, self.path, with_index=self.index)
        return asked, read_filter(asked.paths, self.kind, self.language, self.change)

    @property
    def is_about_worktree(self) -> bool:
        """Return False without a revision: the question may be what has changed since the index was made."""
        return self.target is None and ".." not in (self.base or "..")


class Diff(TwoStates, frozen=True, kw_only=True):
    """Compare two states of the repository, entity by entity."""

    def answer(self, session: Session) -> DiffDocument:
        asked, chosen = self.read(session)
        states, past = (asked.base, asked.target), session.repository
        document = diff_states(past, *states, chosen, with_patches=self.patch, first=self.offset, most=self.limit)
        start = self.next_after(sum(document.counts.values()) - document.counts[Change.UNCHANGED])
        return replace(document, truncated=start is not None, next=start)


class DiffListing(TwoStates, frozen=True, kw_only=True):
    """Compare entity by entity: added, deleted, modified, moved, renamed, relocated.

    Without arguments, compare HEAD with the worktree; with BASE alone, that revision with the worktree. A..B compares
    two revisions, A...B compares B with the merge base of both. A revision is anything that git takes for one, or a
    date: it means the last commit before it.

    Changes are listed by file, sources first, tests and generated files last. A class that was added or deleted is
    one line, with all its members; a class is listed as modified only if its own code changed, apart from its
    members. What merely moved is counted, not listed. JSON has all of them.

    Examples:
      birthmark diff                            what you have not committed
      birthmark diff HEAD~3 -p                  with the lines that differ
      birthmark diff main...feature --stat      what a branch did, file by file
      birthmark diff --since '2 weeks ago' src  since a date, in a folder
      birthmark diff v1.0..v2.0 --kind fn,method --change deleted,renamed
      birthmark diff v1.0 v2.0 --path '!tests' --json
    """

    stat: Annotated[bool, Meta(description="Count changes and lines of each file, and list no entities.")] = False
    moved: Annotated[bool, Meta(description="Also list definitions that only moved.")] = False
    members: Annotated[bool, Meta(description="Also list members that the line of a class includes.")] = False

    def answer(self, session: Session) -> DiffListingDocument:
        asked, chosen = self.read(session)
        options = ListingOptions(self.moved, self.members, self.patch, self.stat)
        listing = list_diff(session.repository, asked.base, asked.target, chosen, options)
        return diff_listing_document(*listing, session.repository.problems)


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
        return self.cut_lists(found, *_REVIEW_LISTS)
