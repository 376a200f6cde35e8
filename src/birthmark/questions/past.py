"""What happened to code: differences, histories, blame, reviews and commits."""

from __future__ import annotations

from itertools import chain
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.changes.diff_arguments import read_arguments, read_filter
from birthmark.app.changes.diffing import DiffOptions, diff_states
from birthmark.app.changes.review import review
from birthmark.app.histories.blames import read_blames
from birthmark.app.histories.filters import HistoryFilter, read_commit_message, read_revisions, select_events
from birthmark.app.histories.histories import find_subject, read_derived_history, with_patches
from birthmark.app.histories.user_histories import read_user_history
from birthmark.app.workspace.session import Session
from birthmark.documents.changes import (
    BlamePage,
    CommitMessageDocument,
    DiffDocument,
    HistoryDocument,
    RevisionsDocument,
    UserHistoryDocument,
    blame_documents,
    commit_message_document,
    diff_document,
    history_document,
    revisions_document,
    user_history_document,
)
from birthmark.documents.index import freshness_document
from birthmark.documents.reviews import ReviewDocument, review_document
from birthmark.questions.parameters import At, Author, Kinds, Languages, Patch, Paths, Ref, Since, Until
from birthmark.questions.question import PagedQuestion, Question
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
        options = DiffOptions(chosen, self.patch, self.offset, self.limit)
        document = diff_document(*diff_states(session.repository, asked.base, asked.target, options))
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
    """Show a change as a reviewer wants it: what is risky first."""

    base: Annotated[
        str | None, Meta(description="A revision, a date, or a range like A..B; else as `birthmark review` chooses it.")
    ] = None
    target: Annotated[str | None, Meta(description="A revision; the worktree if left out.")] = None
    affected: Annotated[
        bool, Meta(description="Do not look for all tests that may be affected.", extra={"negated": True})
    ] = True

    def answer(self, session: Session) -> ReviewDocument:
        found = review(session, revision_words(self.base, self.target), with_affected=self.affected)
        return self.cut_lists(review_document(found, freshness_document(session.freshness)), *_REVIEW_LISTS)


class History(PagedQuestion, frozen=True, kw_only=True):
    """List what each commit did to a definition, across renames and moves, newest first."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    at: At = None
    since: Since = None
    until: Until = None
    author: Author = None
    patch: Patch = False
    derivation: Annotated[bool, Meta(description="Go on into what its code came from.")] = False
    users: Annotated[bool, Meta(description="List when users came and went, instead of what happened to it.")] = False

    def answer(self, session: Session) -> HistoryDocument | UserHistoryDocument:
        past = session.repository
        subject, wanted = find_subject(past, self.ref, self.at), HistoryFilter(self.since, self.until, self.author)
        if self.users:
            found_users = read_user_history(past, subject, self.at)
            found_users = found_users._replace(events=select_events(past, found_users.events, wanted))
            return self.cut_lists(user_history_document(found_users), "events")
        found = read_derived_history(past, subject, self.derivation)
        events = select_events(past, found.events, wanted)
        if self.patch:
            events[self.offset : self.end] = with_patches(past, events[self.offset : self.end])
        return self.cut_lists(history_document(found._replace(events=events)), "events")


class Blame(PagedQuestion, frozen=True, kw_only=True):
    """Show who last changed each entity of a file or folder."""

    arguments: ClassVar = ("path",)
    refreshes: ClassVar = False

    path: Annotated[str, Meta(min_length=1, description="A file or folder, relative to the root of the repository.")]
    at: At = None

    def answer(self, session: Session) -> BlamePage:
        blames = read_blames(session.repository, self.path, self.at or "HEAD")
        items, start = self.cut(chain.from_iterable(map(blame_documents, blames)))
        return BlamePage(items, truncated=start is not None, next=start)


class CommitMessage(Question, frozen=True, kw_only=True):
    """Show what a commit says of itself."""

    refreshes: ClassVar = False

    revision: Annotated[str, Meta(description="A revision.")] = "HEAD"

    def answer(self, session: Session) -> CommitMessageDocument:
        return commit_message_document(read_commit_message(session.repository, self.revision))


class Revisions(Question, frozen=True, kw_only=True):
    """List commits, branches and tags."""

    refreshes: ClassVar = False

    limit: Annotated[int, Meta(ge=1, le=10_000, description="List at most N commits.")] = 10

    def answer(self, session: Session) -> RevisionsDocument:
        return revisions_document(read_revisions(session.repository, self.limit))
