"""Documents of commits."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Annotated

from birthmark.sources.log import Commit
from birthmark.surfaces.wire.document import Document, doc


class CommitDocument(Document, frozen=True):
    """A commit."""

    commit: str
    subject: str
    author: str
    email: str
    date: Annotated[str, doc("the author's, as in `2026-11-15T12:00:00+01:00`")]
    commit_date: Annotated[str, doc("the committer's, by which `--since` and `--until` select")]


def commit_document(commit: Commit) -> CommitDocument:
    dates = write_date(commit.at, commit.zone), write_date(commit.committed_at, commit.committed_zone)
    return CommitDocument(commit.id, commit.subject, commit.author, commit.email, *dates)


def write_date(at: int, zone: str) -> str:
    """Empty where git holds a time that no calendar has."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
