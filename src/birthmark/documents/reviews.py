"""The document of a review, with its summary in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from birthmark.documents.document import Document, PagedDocument, ProblemDocument, doc, words
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import LocationDocument
from birthmark.documents.scans import DocLinkDocument, TriggerDocument
from birthmark.documents.sentences import PLAIN
from birthmark.documents.uses import ReachingTestDocument
from birthmark.documents.wording import state_name
from birthmark.vocabulary import (
    DIFF_CHANGES,
    Aspect,
    Change,
    CollapsedWord,
    EdgeKind,
    FileRole,
    HistoryChange,
    Resolution,
    ReviewBasis,
    Risk,
)
from birthmark.words import count

MOST_USERS = 100  # of an interface
TOP_LEVEL = "file"  # instead of a kind, of what is outside of definitions


class RiskFactsDocument(Document, frozen=True):
    """The facts behind the risk rating of a change. Tests are not counted as users."""

    lines: Annotated[int, doc("that were added or removed")]
    users: int
    user_files: int
    unchanged_users: Annotated[int, doc("of an interface that changed: those that did not change with it")]
    possible_users: Annotated[int, doc("that have its name, which may mean others, too")]
    possible_tests: Annotated[int, doc("likewise")]
    tests: Annotated[int | None, doc("that reach it by its uses; null where that does not apply")]
    steps: Annotated[int | None, doc("from the nearest test")]
    changes: Annotated[int | None, doc("that it had before, null unless the history was replayed")]
    commits: Annotated[int | None, doc("to its file in the year before the base, if `changes` is null")]
    interface: Annotated[bool, doc("whether its interface changed")]


class ReviewedChangeDocument(Document, frozen=True):
    """A change that is to be read."""

    risk: Risk
    points: Annotated[dict[str, int], doc("by factor, see [review a change](../how-to/review-a-change.md)")]
    reasons: Annotated[list[str], doc("in words")]
    change: Annotated[Change, words(DIFF_CHANGES, "as in `diff`")]
    kind: Annotated[str, doc("`file` for what is outside of definitions, and for a whole file that was deleted")]
    mark: str | None
    before: LocationDocument | None
    after: LocationDocument | None
    aspects: tuple[Aspect, ...]
    members: Annotated[int, doc("how many were added or deleted with it")]
    together: Annotated[tuple[str, ...], doc("names of several of one scope that are listed together")]
    facts: RiskFactsDocument


class CollapsedChangeDocument(Document, frozen=True):
    """Definitions of a file that moved, were renamed or look otherwise; a whole file, if there are no names."""

    word: CollapsedWord
    old_path: str
    path: str
    names: tuple[str, ...]
    old_names: Annotated[tuple[str, ...], doc("if they were others")]
    definitions: Annotated[int, doc("how many")]


class ReviewUserDocument(Document, frozen=True):
    """A user of an interface that changed."""

    path: str
    qualified_name: Annotated[str, doc("empty for the top level of a file")]
    line: int
    mark: str | None
    edge: EdgeKind
    resolution: Resolution
    changed: Annotated[bool, doc("whether it changed, too")]
    test: Annotated[bool, doc("whether it is code of tests")]


class ReviewedInterfaceDocument(Document, frozen=True):
    """A definition whose head changed, or that is gone from where it was."""

    change: Annotated[Change, words(DIFF_CHANGES, "as in `diff`")]
    kind: str
    mark: str | None
    before: LocationDocument | None
    after: LocationDocument | None
    head: Annotated[tuple[HistoryChange, ...], doc("what changed in its head")]
    gone: Annotated[bool, doc("whether its old name no longer leads to it")]
    concerns_users: Annotated[bool, doc("false if only types or annotations changed, which compilers check")]
    old_signature: Annotated[str | None, doc("null if it is the new one, as is the new one")]
    new_signature: str | None
    n_users: int
    n_changed_users: Annotated[int, doc("those that changed with it, too")]
    n_unchanged_users: Annotated[int, doc("those that did not change with it, without tests")]
    n_unchanged_tests: Annotated[int, doc("tests that use it and did not change with it")]
    users: Annotated[list[ReviewUserDocument], doc(f"at most {MOST_USERS}; those that did not change first")]


class OtherFileDocument(Document, frozen=True):
    """A file of tests, of documentation, or a generated one."""

    path: str
    role: FileRole
    counts: Annotated[dict[str, int], doc("of changes")]


class ReviewDocument(PagedDocument, frozen=True):
    """A change as a reviewer wants it."""

    base: Annotated[str, doc("a commit id")]
    target: Annotated[str, doc("a commit id, or `the worktree`")]
    basis: Annotated[ReviewBasis, doc("why that is the base")]
    branch: Annotated[str | None, doc("the one with which it is the merge base")]
    summary: str
    notes: Annotated[list[str], doc("how far it can be relied on")]
    commits: Annotated[int, doc("how many")]
    files: Annotated[int, doc("how many source files differ")]
    changes: Annotated[
        list[ReviewedChangeDocument], doc("the riskiest first, deletions whose users went with them last")
    ]
    collapsed: list[CollapsedChangeDocument]
    interfaces: Annotated[list[ReviewedInterfaceDocument], doc("those with most users that did not change first")]
    triggers: list[TriggerDocument]
    docs: Annotated[list[DocLinkDocument], doc("links in documents to what changed")]
    tests: Annotated[
        list[ReachingTestDocument], doc("that reach a change by its uses in at most 3 steps, nearest first")
    ]
    affected: Annotated[list[ReachingTestDocument] | None, doc("all that may be affected; null with `--no-affected`")]
    all_tests: Annotated[int, doc("how many tests the index has")]
    other_files: list[OtherFileDocument]
    indexed: Annotated[bool, doc("whether users and tests are those of the target, not of the worktree")]
    problems: list[ProblemDocument]
    freshness: FreshnessDocument


# In words


def summarize_review(review: ReviewDocument) -> str:
    """Return the line that sums up the review."""
    if not review.files:
        return f"{_span(review)}: no source file differs; name a range like HEAD~1..HEAD"
    parts = [count(review.files, "file"), _risks([one.risk for one in review.changes])]
    parts += [f"{len(review.collapsed):,} moved or merely looking otherwise"] if review.collapsed else []
    n_broken = sum(one.n_unchanged_users > 0 and one.concerns_users for one in review.interfaces)
    parts += [f"{count(n_broken, 'interface')} with users that did not change"] if n_broken else []
    parts += [_n_tests(review)]
    parts += [f"{count(len(review.triggers), 'subscription')} triggered"] if review.triggers else []
    parts += [f"{count(len(review.docs), 'link')} in documents to be checked"] if review.docs else []
    return f"{_span(review)}: {', '.join(parts)}"


def _n_tests(review: ReviewDocument) -> str:
    """Return how many tests are listed."""
    if review.affected is None:
        return f"{count(len(review.tests), 'test')} near"
    return f"{count(len(review.affected), 'test')} may be affected"


def _risks(risks: Sequence[Risk]) -> str:
    """Return `9 changes to read (2 high risk, 7 low)`."""
    known = [f"{risks.count(risk):,} {risk}" for risk in Risk if risk in risks]
    known = [f"{known[0]} risk", *known[1:]] if known else []
    return f"{count(len(risks), 'change')} to read" + (f" ({', '.join(known)})" if known else "")


def _span(review: ReviewDocument) -> str:
    """Describe the two states that are compared, and the choice of the base."""
    base, target = map(state_name, (review.base, review.target))
    commits = f", {count(review.commits, 'commit')}" if review.commits else ""
    if review.basis is ReviewBasis.MERGE_BASE:
        return f"{base} to {target} (since the merge base with {PLAIN.text(review.branch or '')}{commits})"
    why = "what is not committed" if review.basis is ReviewBasis.HEAD else commits.removeprefix(", ")
    return f"{base} to {target}" + (f" ({why})" if why else "")
