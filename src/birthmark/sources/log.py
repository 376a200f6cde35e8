"""The commits that touched a path, as git's own walk over the graph finds them.

A merge that equals one of its parents changed nothing, and only that parent is followed; any other commit is told with
its nearest ancestors that touched the path.
"""

from __future__ import annotations

from typing import NamedTuple

from birthmark.sources.git import Repository


class Touch(NamedTuple):
    """A commit that touched a path, and those before it that did."""

    commit: str
    earlier: tuple[str, ...]


class Commit(NamedTuple):
    """Who made a commit and when; texts are decoded as far as they can be."""

    id: str
    parents: tuple[str, ...]
    author: str
    email: str
    at: int
    zone: str
    subject: str


def log_path(repository: Repository, revision: str, path: bytes) -> list[Touch]:
    """Newest first, as a graph of commits that touched the path."""
    output = repository.run("rev-list", "--parents", revision, "--", b":(top,literal)" + path)
    return [Touch(ids[0], tuple(ids[1:])) for ids in (line.split() for line in output.decode().splitlines())]


def read_commit(repository: Repository, commit: str) -> Commit:
    head, _, message = repository.read(commit).partition(b"\n\n")
    lines = [line.partition(b" ")[::2] for line in head.split(b"\n")]
    parents = tuple(value.decode() for key, value in lines if key == b"parent")
    author = next((value for key, value in lines if key == b"author"), b"")
    encoding = next((value for key, value in lines if key == b"encoding"), b"utf-8")
    who, _, when = author.rpartition(b"> ")
    name, _, email = who.partition(b" <")
    seconds, _, zone = when.partition(b" ")
    subject = message.split(b"\n", 1)[0]
    texts = [_decode(text, encoding) for text in (name, email, subject)]
    at = int(seconds) if seconds.lstrip(b"-").isdigit() else 0
    return Commit(commit, parents, texts[0], texts[1], at, zone.decode("ascii", "replace") or "+0000", texts[2])


def _decode(text: bytes, encoding: bytes) -> str:
    try:
        return text.decode(encoding.decode("ascii", "replace"), "strict")
    except (LookupError, UnicodeDecodeError):
        return text.decode("utf-8", "replace")
