"""What became of an entity, in plain words: where it is, how it was called before, and what happened to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from birthmark.documents.wording import plain
from birthmark.model import Entity
from birthmark.queries.life import LedgerEvent
from birthmark.queries.resolve import ResolvedRef
from birthmark.sources.git.log import Commit
from birthmark.store.model import Event
from birthmark.surfaces.cli.terminal.tables import Cell
from birthmark.surfaces.formats.event_words import describe_event, write_time
from birthmark.vocabulary import Change
from birthmark.words import lines_of, short

Commits = Mapping[str, Commit]


class _Placed(Protocol):
    """What has a path and lines."""

    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


def place_of(where: _Placed) -> str:
    return f"{plain(where.path)}:{lines_of(where.start_line, where.end_line)}"


def life_rows(events: tuple[LedgerEvent, ...], commits: Commits) -> Iterator[tuple[Cell | str, ...]]:
    """Of each event its date, its commit and what happened; where a commit did it, under the commit's subject.

    A run of the index finds what was done by any commit before it, or by none yet, so that no subject belongs to it.
    """
    for event, before in zip(events, (None, *events[:-1]), strict=True):
        commit = commits.get(event.run.revision or "") if event.is_replayed else None
        when = write_time(event.run.at, "%Y-%m-%d" if event.is_replayed else "%Y-%m-%d %H:%M")
        head = when, Cell(short(event.run.revision), "yellow")
        if commit is None:
            yield *head, _what(event, before)
        else:
            yield *head, Cell(plain(commit.subject), "dim")
            yield "", "", _what(event, before)


def _what(event: LedgerEvent, before: LedgerEvent | None) -> str:
    """What a branch did before it was merged may follow a deletion."""
    is_elsewhere = before is not None and before.event.change == Change.DELETED != event.event.change
    other = " on another branch" if is_elsewhere and event.event.change != Change.REVIVED else ""
    return describe_event(event) + other


def describe_former(was: Event, now: Entity) -> str:
    """`alpha was renamed to beta and moved to lib/b.py`."""
    renamed = [f"renamed to {plain(now.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved to {plain(now.path)}"] if was.path != now.path else []
    done = " and ".join([*renamed, *moved]) or "found again"
    return f"{plain(was.qualified_name)} was {done}"


def describe_origin(was: Event, now: Entity) -> str:
    """The same, from where it is now: `was renamed from alpha and moved from a.py`."""
    renamed = [f"renamed from {plain(was.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved from {plain(was.path)}"] if was.path != now.path else []
    return f"was {' and '.join([*renamed, *moved]) or 'here before'}"


def describe_deletion(deletion: LedgerEvent, commits: Commits) -> str:
    """`deleted in 3f2a1b9c0d1e (Remove the old parser)`."""
    revision = deletion.run.revision
    commit = commits.get(revision or "")
    subject = f" ({plain(commit.subject)})" if commit is not None else ""
    return f"{'deleted in' if deletion.is_replayed else 'found deleted at'} {short(revision)}{subject}"


def describe_former_owners(resolved: ResolvedRef) -> str | None:
    """One remark about what else had the name once."""
    if not resolved.former_owners:
        return None
    first, *rest = resolved.former_owners
    now = f"now {place_of(first.shown)}" if first.shown is not None else "deleted since"
    more = f", and {len(rest):,} more" if rest else ""
    return f"{plain(resolved.ref)} was also the name of {first.identity.mark} ({now}){more}"
