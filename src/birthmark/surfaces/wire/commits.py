"""Documents of commits, and of what a commit deleted."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Annotated

from birthmark.sources.log import Commit
from birthmark.surfaces.wire.document import Document, doc

ByCommit = Annotated[bool, doc("whether that commit did it; else it was found when that commit was indexed")]


class CommitDocument(Document, frozen=True):
    """A commit."""

    commit: str
    subject: str
    author: str
    email: str
    date: Annotated[str, doc("the author's, as in `2026-11-15T12:00:00+01:00`")]
    commit_date: Annotated[str, doc("the committer's, by which `--since` and `--until` select")]


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


def deletion_document(commit: Commit) -> DeletionDocument:
    """By a commit of git's history."""
    return DeletionDocument(commit.id, commit.subject, commit.author, write_date(commit.at, commit.zone), True)


def write_date(at: int, zone: str) -> str:
    """Empty where git holds a time that no calendar has."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
