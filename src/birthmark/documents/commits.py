"""Documents of commits, and of what a commit deleted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import asdict, replace

from birthmark.documents.document import Document, doc
from birthmark.queries.life import LedgerEvent
from birthmark.sources.git.log import Commit

if TYPE_CHECKING:  # Most commands need no list of revisions.
    from birthmark.app.histories.filters import CommitMessage, KnownRevisions

_UTC = "+0000"
ByCommit = Annotated[bool, doc("whether that commit did it; else it was found when that commit was indexed")]


class CommitDocument(Document, frozen=True):
    """A commit."""

    commit: str
    subject: str
    author: str
    email: str
    date: Annotated[str, doc("the author's, as in `2026-11-15T12:00:00+01:00`")]
    commit_date: Annotated[str, doc("the committer's, by which `--since` and `--until` select")]


class CommitMessageDocument(CommitDocument, frozen=True):
    """A commit with its parents and its message."""

    parents: Annotated[list[str], doc("the first is the one it is compared with; none of the first commit")]
    message: Annotated[str, doc("what is below the subject")]


class RevisionsDocument(Document, frozen=True):
    """What there is to compare."""

    head: Annotated[str | None, doc("null before the first commit, and outside git")]
    branch: Annotated[str | None, doc("null when HEAD is detached, and outside git")]
    commits: Annotated[list[CommitDocument], doc("the newest of HEAD first")]
    names: Annotated[list[str], doc("branches and tags, as they are written in revisions")]


class DeletionDocument(Document, frozen=True):
    """When something was deleted."""

    commit: Annotated[str | None, doc("null outside git")]
    subject: Annotated[str | None, doc("of the commit, null where the clone does not have it")]
    author: Annotated[str | None, doc("likewise")]
    date: Annotated[str, doc("the commit's, if `by_commit`; else when the index found it")]
    by_commit: ByCommit


def commit_document(commit: Commit) -> CommitDocument:
    dates = write_date(commit.at, commit.zone), write_date(commit.committed_at, commit.committed_zone)
    return CommitDocument(commit.id, commit.subject, commit.author, commit.email, *dates)


def commit_message_document(found: CommitMessage) -> CommitMessageDocument:
    return CommitMessageDocument(
        **asdict(commit_document(found.commit)), parents=list(found.parents), message=found.message
    )


def revisions_document(found: KnownRevisions) -> RevisionsDocument:
    return RevisionsDocument(found.head, found.branch, [commit_document(one) for one in found.commits], found.names)


def deletion_document(commit: Commit) -> DeletionDocument:
    """By a commit of git's history."""
    return DeletionDocument(commit.id, commit.subject, commit.author, write_date(commit.at, commit.zone), True)


def deletion_or_null(deletion: LedgerEvent | None, commits: Mapping[str, Commit]) -> DeletionDocument | None:
    return None if deletion is None else ledger_deletion_document(deletion, commits)


def ledger_deletion_document(deletion: LedgerEvent, commits: Mapping[str, Commit]) -> DeletionDocument:
    """By the ledger."""
    run, commit = deletion.run, commits.get(deletion.run.revision or "")
    if commit is None:
        return DeletionDocument(run.revision, None, None, write_date(run.at, _UTC), deletion.is_replayed)
    known = deletion_document(commit)
    return known if deletion.is_replayed else replace(known, date=write_date(run.at, _UTC), by_commit=False)


def write_date(at: int, zone: str) -> str:
    """Empty where git holds a time that no calendar has."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
