"""The life of an entity in plain words: its place, its former names, and its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from birthmark.documents.answers import CandidateDocument, LedgerEventDocument
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.parts import DeletionDocument, LocationDocument
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.tables import Cell
from birthmark.surfaces.formats.event_words import describe_event, write_time
from birthmark.vocabulary import COSMETIC, RefStatus
from birthmark.words import lines_of, short

_TO_THE_MINUTE = "%Y-%m-%d %H:%M"


class _Placed(Protocol):
    """A document with a path and lines."""

    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


def place_of(where: _Placed) -> str:
    return f"{plain(where.path)}:{lines_of(where.start_line, where.end_line)}"


def life_rows(events: Sequence[LedgerEventDocument]) -> Iterator[tuple[Cell | str, ...]]:
    """Yield the date, the commit and the change of each event, under the commit's subject if a commit made it.

    A run of the index finds what was done by any commit before it, or by none yet, so that no subject belongs to it.
    """
    label = "not committed" if any(event.revision for event in events) else "no commit"
    for event in events:
        if event.revision is None:
            yield write_time(event.at, _TO_THE_MINUTE), Cell(label, "yellow"), describe_event(event)
        elif event.subject is None or not event.by_commit:
            when = write_time(event.at, "%Y-%m-%d" if event.by_commit else _TO_THE_MINUTE)
            yield when, Cell(short(event.revision), "yellow"), describe_event(event)
        else:
            when = event.date[:10] if event.date is not None else write_time(event.at, "%Y-%m-%d")
            yield when, Cell(short(event.revision), "yellow"), Cell(plain(event.subject), "dim")
            yield "", "", describe_event(event)


def is_cosmetic(event: LedgerEventDocument) -> bool:
    """Return whether it changed only comments or formatting."""
    return bool(event.changes) and set(event.changes) <= COSMETIC


def describe_former(was: LocationDocument, now: EntityDocument) -> str:
    """`alpha was renamed to beta and moved to lib/b.py`."""
    renamed = [f"renamed to {plain(now.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved to {plain(now.path)}"] if was.path != now.path else []
    done = " and ".join([*renamed, *moved]) or "found again"
    return f"{plain(was.qualified_name)} was {done}"


def describe_origin(was: LocationDocument, now: EntityDocument) -> str:
    """The same, from where it is now: `was renamed from alpha and moved from a.py`."""
    renamed = [f"renamed from {plain(was.qualified_name)}"] if was.qualified_name != now.qualified_name else []
    moved = [f"moved from {plain(was.path)}"] if was.path != now.path else []
    return f"was {' and '.join([*renamed, *moved]) or 'here before'}"


def describe_deletion(deletion: DeletionDocument) -> str:
    """`deleted in 3f2a1b9c0d1e (Remove the old parser)`."""
    if deletion.commit is None:
        return "deleted, not committed"
    subject = f" ({plain(deletion.subject)})" if deletion.subject is not None else ""
    return f"{'deleted in' if deletion.by_commit else 'found deleted at'} {short(deletion.commit)}{subject}"


def describe_former_owners(ref: str, owners: Sequence[CandidateDocument]) -> str | None:
    """One remark about what else had the name once."""
    if not owners:
        return None
    first, *rest = owners
    now = f"now {place_of(first)}" if first.status is RefStatus.PRESENT else "deleted since"
    more = f", and {len(rest):,} more" if rest else ""
    return f"{plain(ref)} was also the name of {first.mark} ({now}){more}"
