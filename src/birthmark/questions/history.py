"""The history of a definition, and the last change of each definition of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.histories.blames import read_blames
from birthmark.app.histories.filters import select_events
from birthmark.app.histories.histories import History as FoundHistory
from birthmark.app.histories.histories import (
    find_subject,
    history_document,
    read_derived_history,
    read_members,
    with_patches,
)
from birthmark.app.histories.subjects import HistorySubject
from birthmark.app.workspace.session import Session
from birthmark.documents.changes import (
    BlameDocument,
    BlamePage,
    CommitMessageDocument,
    HistoryDocument,
    RevisionsDocument,
    UserHistoryDocument,
)
from birthmark.documents.parts import commit_document, extended_commit_document
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import At, Author, Patch, Ref, Since, Until
from birthmark.questions.question import ListQuestion, PagedQuestion, Question
from birthmark.sources.git.log import log_newest, read_message
from birthmark.sources.git.revisions import resolve_revision


class History(PagedQuestion, frozen=True, kw_only=True):
    """Show what each commit did to a definition, across renames and moves.

    REF is path::Qualified.name, path:line or a unique name; with an index also a mark, key or semantic id. What was
    deleted or renamed is found by its former name. Where a definition was introduced, its sources are named, if it was
    extracted, copied or split from other code. With --users, the commits are shown in which users came and went, from
    the history that `birthmark index --from-history` has replayed.

    Examples:
      birthmark history Flask.url_for
      birthmark history src/app.py::Flask.url_for -p --since '1 year ago'
      birthmark history src/app.py:120 --at v2.0
      birthmark history src/app.py::find_price --derivation
      birthmark history src/app.py:120 --block
      birthmark history src/app.py::Flask.url_for --variable endpoint
      birthmark history Flask.url_for --users --since v2.0
      birthmark history bm-7k3q9w2m4x8p --author ada --json
    """

    arguments: ClassVar = ("ref",)

    ref: Ref
    at: At = None
    since: Since = None
    until: Until = None
    author: Author = None
    patch: Patch = False
    stat: Annotated[bool, Meta(description="Count the lines that each commit added and removed.")] = False
    derivation: Annotated[bool, Meta(description="Go on into what its code came from.")] = False
    members: Annotated[bool, Meta(description="Follow its members too.")] = False
    variable: Annotated[
        str | None, Meta(description="Follow this local variable or parameter instead.", extra={"metavar": "NAME"})
    ] = None
    block: Annotated[bool, Meta(description="Follow the block (a loop, a conditional, …) at path:line instead.")] = (
        False
    )
    users: Annotated[bool, Meta(description="List when users came and went, instead of what happened to it.")] = False
    reverse: Annotated[bool, Meta(description="List the oldest first.")] = False
    cosmetic: Annotated[
        bool, Meta(description="List changes of only comments or formatting too.", extra={"unlisted": True})
    ] = True
    limit: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=100_000,
                description="List at most N results.",
                extra={"short": ("-n", "--max-count")},
            ),
        ]
        | None
    ) = None

    def answer(self, session: Session) -> HistoryDocument | UserHistoryDocument:
        followed = [self.variable is not None, self.block, self.members, self.derivation]
        if self.users and (self.patch or self.stat or any(followed)):
            raise BirthmarkError("--users shows users alone; leave out the options for lines, members and blocks")
        if sum(followed) > 1:
            raise BirthmarkError("--variable, --block, --members and --derivation cannot be combined")
        subject = find_subject(session.repository, self.ref, self.at)
        return self._users(session, subject) if self.users else self._events(session, subject)

    def _events(self, session: Session, subject: HistorySubject) -> HistoryDocument:
        past = session.repository
        found = self._read(session, subject)
        events = select_events(past, found.events, self.since, self.until, self.author)
        chosen = [number for number, event in enumerate(events) if self.cosmetic or not event.is_cosmetic]
        page, start = self.cut(chosen)
        # Changes that are left out count up to the last one of the page.
        n_hidden = (page[-1] + 1 if start is not None else len(events)) - len(chosen[: self.end])
        shown = [events[number] for number in page]
        shown = with_patches(past, shown) if self.patch or self.stat else shown
        document = history_document(found._replace(events=shown[::-1] if self.reverse else shown))
        known = len(found.events)
        return replace(document, known=known, left_out=n_hidden, truncated=start is not None, next=start)

    def _read(self, session: Session, subject: HistorySubject) -> FoundHistory:
        past = session.repository
        if self.variable is not None or self.block:
            from birthmark.app.histories.inner_histories import read_inner_history  # It loads what is for bodies alone.

            return read_inner_history(past, subject, self.variable)
        return read_members(past, subject) if self.members else read_derived_history(past, subject, self.derivation)

    def _users(self, session: Session, subject: HistorySubject) -> UserHistoryDocument:
        from birthmark.app.histories.user_histories import (  # It loads the graph.
            read_user_history,
            user_event_documents,
        )

        past = session.repository
        with session.show_progress() as progress:
            document, every = read_user_history(past, subject, self.at, progress)
        events, start = self.cut(select_events(past, every, self.since, self.until, self.author))
        listed = user_event_documents(events[::-1] if self.reverse else events)
        return replace(document, events=listed, truncated=start is not None, next=start)


class Blame(ListQuestion, PagedQuestion, frozen=True, kw_only=True):
    """Show who last changed the code of each definition of a file or folder, and who introduced it.

    Changes of comments, documentation and formatting do not count, nor do moves.

    Examples:
      birthmark blame src/app.py
      birthmark blame src/
      birthmark blame src/app.py --at v2.0 --json
    """

    arguments: ClassVar = ("path",)
    refreshes: ClassVar = False

    path: Annotated[
        str,
        Meta(
            min_length=1,
            description="A file or folder, relative to the root of the repository.",
            extra={"completes": "path"},
        ),
    ]
    at: At = None

    def rows(self, session: Session) -> Iterator[BlameDocument]:
        """Yield the definitions of one file after the other, as they are read."""
        return read_blames(session.repository, self.path, self.at or "HEAD")

    def answer(self, session: Session) -> BlamePage:
        items, start = self.cut(self.rows(session))
        return BlamePage(items, truncated=start is not None, next=start)


class CommitMessage(Question, frozen=True, kw_only=True):
    """Show a commit with its message."""

    refreshes: ClassVar = False

    revision: Annotated[str, Meta(description="A revision.")] = "HEAD"

    def answer(self, session: Session) -> CommitMessageDocument:
        past = session.repository
        commit = resolve_revision(past.git, self.revision)
        message = read_message(past.git, commit)
        about = {"parents": list(past.parents(commit)), "message": message}
        return extended_commit_document(CommitMessageDocument, past.commit(commit), **about)


class Revisions(Question, frozen=True, kw_only=True):
    """List commits, branches and tags."""

    refreshes: ClassVar = False

    limit: Annotated[int, Meta(ge=1, le=10_000, description="List at most N commits.")] = 10

    def answer(self, session: Session) -> RevisionsDocument:
        past, git = session.repository, session.repository.git_or_none
        head = git.head() if git is not None else None
        if git is None or head is None:
            return RevisionsDocument(None, git.branch() if git is not None else None, [], [])
        commits = [commit_document(past.commit(commit)) for commit in log_newest(git, head, self.limit)]
        return RevisionsDocument(head, git.branch(), commits, sorted(set(git.ref_names())))
