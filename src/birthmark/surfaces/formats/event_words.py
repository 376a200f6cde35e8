"""Plain words for events of an entity, and of the code of a note; for terminals and editors alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from birthmark.documents.wording import plain
from birthmark.surfaces.evidence import recognised_by
from birthmark.vocabulary import Change

if TYPE_CHECKING:  # What is described was read by others.
    from birthmark.documents.answers import LedgerEventDocument, NoteDocument
    from birthmark.documents.parts import LocationDocument


def write_day(at: int) -> str:
    return write_time(at, "%Y-%m-%d")


def write_time(at: int, form: str) -> str:
    try:
        return time.strftime(form, time.localtime(at))
    except (ValueError, OverflowError, OSError):
        return "no date"


def describe_event(event: LedgerEventDocument) -> str:
    """`renamed from alpha, moved from a.py (recognised by its body)`."""
    before, after = event.before, event.after
    if before is None or after is None:
        place = after or before
        if place is None or event.change == Change.DELETED:
            return _WORDS[Change.DELETED]
        how = "introduced" if event.by_commit else "first indexed"
        return f"{how} as {plain(place.path)}::{plain(place.qualified_name)}"
    done = _WORDS.get(event.change) or ", ".join(_differences(before, after)) or "changed"
    why = recognised_by(event.change, event.evidence)
    return f"{done} ({why})" if why else done


_WORDS: dict[str, str] = {Change.DELETED: "deleted", Change.REVIVED: "came back", Change.MOVED: "moved within its file"}


def _differences(before: LocationDocument, after: LocationDocument) -> list[str]:
    (old_container, _, old), (container, _, new) = (one.qualified_name.rpartition(".") for one in (before, after))
    renamed = [f"renamed from {plain(old if old_container == container else before.qualified_name)}"]
    moved = [f"moved from {plain(before.path)}"]
    out = [f"moved from {plain(old_container) or 'the top level'}"]
    return [
        *(renamed if old != new else []),
        *(moved if before.path != after.path else []),
        *(out if old == new and old_container != container and before.path == after.path else []),
    ]


def describe_note_change(note: NoteDocument) -> str | None:
    """Return what has changed about the code of a note since it was written; None where nothing has."""
    if note.stale:
        return "code changed since: " + (_what_changed(note) or "its former code is not known")
    return f"only {_what_changed(note)} changed since" if note.aspects else None


def _what_changed(note: NoteDocument) -> str:
    counts = f" (+{note.patch.added} -{note.patch.removed})" if note.patch is not None else ""
    return " and ".join(note.aspects) + counts if note.aspects else ""
