"""The document of a review, with its summary, its notes and the reasons of each risk in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from birthmark.documents.document import Document, PagedDocument, ProblemDocument, doc, make, words
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import LocationDocument, location_or_null
from birthmark.documents.scans import DocLinkDocument, TriggerDocument, report_document
from birthmark.documents.sentences import PLAIN
from birthmark.documents.uses import ReachingTestDocument, test_document
from birthmark.documents.wording import state_name
from birthmark.queries.hotspots import FILE_CHURN
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

if TYPE_CHECKING:
    from birthmark.app.changes.review import Review, ReviewedChange, ReviewedInterface

MOST_USERS = 100  # of an interface
_MOST_SKIPPED = 5  # that are named


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


def review_document(review: Review, freshness: FreshnessDocument) -> ReviewDocument:
    affected = review.affected
    document = make(
        ReviewDocument,
        review,
        base=review.names[0],
        target=review.names[1],
        basis=review.range.basis,
        branch=review.range.branch,
        summary="",
        notes=[*_notes(review)],
        commits=review.n_commits,
        files=review.n_files,
        changes=[_change(one) for one in review.changes],
        collapsed=[make(CollapsedChangeDocument, one, definitions=one.n_definitions) for one in review.collapsed],
        interfaces=[_interface(one) for one in review.interfaces],
        triggers=report_document(review.report).triggers,
        docs=review.stale_docs,
        tests=[test_document(test) for test in review.tests.near],
        affected=None if affected is None else [test_document(test) for test in affected.tests],
        all_tests=review.tests.n_all,
        other_files=[make(OtherFileDocument, one) for one in review.other_files],
        indexed=review.is_indexed,
        freshness=freshness,
    )
    return replace(document, summary=_summary(document))


def _notes(review: Review) -> Iterator[str]:
    """Yield the limits of the review that its readers should know."""
    if not review.is_indexed:
        yield "Users and tests are those of the worktree, which is not the state that is reviewed."
    if review.skipped:
        names = ", ".join(map(PLAIN.text, review.skipped[:_MOST_SKIPPED]))
        yield f"Users of {names} were not looked for, because too many files have that name."


def _change(one: ReviewedChange) -> ReviewedChangeDocument:
    numbers = {name.removeprefix("n_").removeprefix("is_"): value for name, value in one.facts._asdict().items()}
    known = RiskFactsDocument(**numbers)
    return make(
        ReviewedChangeDocument,
        one,
        risk=one.score.risk,
        points={str(factor): number for factor, number in one.score.points.items()},
        reasons=_reasons(known),
        before=location_or_null(one.before),
        after=location_or_null(one.after),
        members=one.n_members,
        facts=known,
    )


def _interface(one: ReviewedInterface) -> ReviewedInterfaceDocument:
    interface, change = one.interface, one.interface.change
    users = [
        make(ReviewUserDocument, user, changed=user.is_changed, test=user.is_test) for user in one.users[:MOST_USERS]
    ]
    return ReviewedInterfaceDocument(
        change.change,
        change.kind,
        one.mark,
        location_or_null(change.before),
        location_or_null(change.after),
        interface.head,
        interface.is_gone,
        interface.concerns_users,
        interface.old_signature,
        interface.new_signature,
        len(one.users),
        sum(user.is_changed for user in one.users),
        len(one.unchanged),
        sum(user.is_test and not user.is_changed for user in one.users),
        users,
    )


# In words


def _summary(review: ReviewDocument) -> str:
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


def _reasons(facts: RiskFactsDocument) -> list[str]:
    """Return `14 users in 6 files`, `no test is known to reach it`, `changed 9 times before`."""
    found = []
    if facts.users:
        left = f", {facts.unchanged_users:,} of them not changed" if facts.unchanged_users else ""
        found.append(f"{count(facts.users, 'user')} in {count(facts.user_files, 'file')}{left}")
    if facts.possible_users:
        found.append(f"{count(facts.possible_users, 'possible user')} by name")
    found += _tests(facts)
    if facts.changes:
        times = "once" if facts.changes == 1 else f"{facts.changes:,} times"
        found.append(f"changed {times} before")
    if facts.commits is not None and facts.commits >= FILE_CHURN[0]:
        found.append(f"its file in {count(facts.commits, 'commit')} of the year before")
    return found


def _tests(facts: RiskFactsDocument) -> list[str]:
    if facts.tests is None:
        return []
    if facts.tests:
        near = "itself one" if facts.steps == 0 else f"the nearest {count(facts.steps or 0, 'step')} away"
        return [f"{count(facts.tests, 'test')} {'reaches' if facts.tests == 1 else 'reach'} it, {near}"]
    if facts.possible_tests:
        return [f"{count(facts.possible_tests, 'test')} may reach it by name"]
    return ["no test is known to reach it"]
