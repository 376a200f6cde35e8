"""What happened to an entity, and to the code that a note is about, in plain words; for terminals and editors alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from birthmark.documents.wording import plain
from birthmark.surfaces.evidence import recognised_by
from birthmark.vocabulary import Change

if TYPE_CHECKING:  # What is described was read by others.
    from birthmark.app.notes.finding import FoundNote
    from birthmark.queries.life import LedgerEvent
    from birthmark.store.model import Event


def write_day(at: int) -> str:
    return write_time(at, "%Y-%m-%d")


def write_time(at: int, form: str) -> str:
    try:
        return time.strftime(form, time.localtime(at))
    except (ValueError, OverflowError, OSError):
        return "no date"


def describe_event(ledger_event: LedgerEvent) -> str:
    """`renamed from alpha, moved from a.py (recognised by its body)`."""
    event, before = ledger_event.event, ledger_event.before
    if before is None:
        how = "introduced" if ledger_event.is_replayed else "first indexed"
        return f"{how} as {plain(event.path)}::{plain(event.qualified_name)}"
    done = _WORDS.get(event.change) or ", ".join(_differences(before, event)) or "changed"
    why = recognised_by(event.change, event.evidence)
    return f"{done} ({why})" if why else done


_WORDS: dict[str, str] = {Change.DELETED: "deleted", Change.REVIVED: "came back", Change.MOVED: "moved within its file"}


def _differences(before: Event, after: Event) -> list[str]:
    (old_container, _, old), (container, _, new) = (one.qualified_name.rpartition(".") for one in (before, after))
    renamed = [f"renamed from {plain(old if old_container == container else before.qualified_name)}"]
    moved = [f"moved from {plain(before.path)}"]
    out = [f"moved from {plain(old_container) or 'the top level'}"]
    return [
        *(renamed if old != new else []),
        *(moved if before.path != after.path else []),
        *(out if old == new and old_container != container and before.path == after.path else []),
    ]


def describe_note_change(found: FoundNote) -> str | None:
    """What has changed about the code of a note since it was written; None where nothing has."""
    if found.change.is_stale:
        return "code changed since: " + (_what_changed(found) or "its former code is not known")
    return f"only {_what_changed(found)} changed since" if found.change.aspects else None


def _what_changed(found: FoundNote) -> str:
    patch = found.patch
    counts = f" (+{patch.n_added} -{patch.n_removed})" if patch is not None else ""
    return " and ".join(found.change.aspects) + counts if found.change.aspects else ""
