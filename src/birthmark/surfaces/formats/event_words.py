"""Plain words for events of an entity, and of the code of a note; for terminals and editors alike."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from birthmark.documents.wording import plain
from birthmark.model import Location
from birthmark.vocabulary import Change, Evidence, HistoryChange
from birthmark.words import lines_of, visible

if TYPE_CHECKING:  # What is described was read by others.
    from birthmark.documents.answers import LedgerEventDocument, NoteDocument
    from birthmark.documents.changes import HistoryEventDocument
    from birthmark.documents.parts import LocationDocument
    from birthmark.history.lineage import Step

ENDS_HERE = "history ends here (shallow clone)"
Place: TypeAlias = "Location | LocationDocument"


def write_day(at: int) -> str:
    return write_time(at, "%Y-%m-%d")


def write_time(at: int, form: str) -> str:
    try:
        return time.strftime(form, time.localtime(at))
    except (ValueError, OverflowError, OSError):
        return "no date"


def describe_event(event: LedgerEventDocument) -> str:
    """Return what happened, as `history` says it; of what a run of the index found, how it was recognised."""
    if event.changes:
        return "; ".join(describe_step(event, is_boundary=event.is_boundary))
    before, after = event.before, event.after
    if before is None or after is None:
        place = after or before
        if place is None or event.change == Change.DELETED:
            return _WORDS[Change.DELETED]
        how = "introduced" if event.by_commit else "first indexed"
        how = ENDS_HERE if event.is_boundary else how
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


_EVIDENCE_WORDS: dict[str, str] = {
    Evidence.SAME_IDENTITY: "",
    Evidence.SAME_CONTENT: "",
    Evidence.SAME_NAME: "",
    Evidence.SAME_INTERFACE: "",
    Evidence.SAME_PARAMETERS: "",
    Evidence.SIMILAR_NAMESAKE: "its name and similar code",
    Evidence.SAME_POSITION: "its name and position",
    Evidence.SAME_CONTENT_ELSEWHERE: "",
    Evidence.SAME_NAME_ELSEWHERE: "",
    Evidence.SAME_NAME_FOLLOWING: "its name, beside others that moved along",
    Evidence.SAME_MEMBERS: "its members",
    Evidence.SAME_BODY: "its body",
    Evidence.SAME_DECLARATION: "its declaration",
    Evidence.SAME_USES: "where it is used",
    Evidence.SIMILAR: "similar code",
    Evidence.LIKELY: "name, code and place taken together",
}
_SAYING = frozenset({Change.RENAMED, Change.RELOCATED, Change.REVIVED})


def recognised_by(change: str, evidence: str | None) -> str:
    """`recognised by its body`, where something was renamed, moved or came back; else nothing."""
    word = _EVIDENCE_WORDS.get(evidence or "", "")
    return f"recognised by {word}" if word and change in _SAYING else ""


def describe_note_change(note: NoteDocument) -> str | None:
    """Return what has changed about the code of a note since it was written; None where nothing has."""
    if note.stale:
        return "code changed since: " + (_what_changed(note) or "its former code is not known")
    return f"only {_what_changed(note)} changed since" if note.aspects else None


def _what_changed(note: NoteDocument) -> str:
    counts = f" (+{note.patch.added} -{note.patch.removed})" if note.patch is not None else ""
    return " and ".join(note.aspects) + counts if note.aspects else ""


# Steps of a history

_CHANGED = {
    HistoryChange.BODY: "body",
    HistoryChange.PARAMETER: "parameters",
    HistoryChange.RETURN_TYPE: "return type",
    HistoryChange.TYPE: "type",
    HistoryChange.TYPE_PARAMETER: "type parameters",
    HistoryChange.MODIFIER: "modifiers",
    HistoryChange.ACCESS_MODIFIER: "access",
    HistoryChange.ANNOTATION: "annotations",
    HistoryChange.EXCEPTION: "exceptions",
    HistoryChange.INHERITANCE: "inheritance",
    HistoryChange.INITIALIZER: "value",
    HistoryChange.EXPRESSION: "condition",
    HistoryChange.CATCH: "catch block",
    HistoryChange.FINALLY: "finally block",
    HistoryChange.DOCUMENTATION: "documentation",
    HistoryChange.FORMAT: "formatting",
}
_DONE = {
    HistoryChange.INITIALIZER_ADDED: "value added",
    HistoryChange.INITIALIZER_REMOVED: "value removed",
    HistoryChange.CATCH_ADDED: "catch block added",
    HistoryChange.CATCH_REMOVED: "catch block removed",
    HistoryChange.FINALLY_ADDED: "finally block added",
    HistoryChange.FINALLY_REMOVED: "finally block removed",
    HistoryChange.ELSE_ADDED: "else block added",
    HistoryChange.ELSE_REMOVED: "else block removed",
    HistoryChange.SPLIT: "block split",
}
_TOP = "the top level"


def describe_step(step: Step | HistoryEventDocument | LedgerEventDocument, *, is_boundary: bool = False) -> list[str]:
    """Return all that a commit did, clause by clause; at the boundary of a shallow clone, that nothing is known."""
    return [visible(clause) for clause in _clauses(step.changes, step.before, step.after, is_boundary)]


def list_changes(changes: Sequence[HistoryChange]) -> str:
    """Return what changed, without the former place: `introduced`, `body and parameters changed`."""
    plain = {HistoryChange.INTRODUCED: "introduced", HistoryChange.RENAME: "renamed", HistoryChange.MOVED: "moved"}
    plain |= {HistoryChange.CONTAINER: "moved", HistoryChange.DELETED: "deleted", HistoryChange.RETURNED: "came back"}
    words = list(dict.fromkeys(plain[change] for change in changes if change in plain))
    return ", ".join([*words, *_altered(changes)])


def _clauses(
    changes: Sequence[HistoryChange], before: Place | None, after: Place | None, is_boundary: bool
) -> Iterator[str]:
    if after is None or HistoryChange.DELETED in changes:
        yield "deleted"
    elif before is None:
        word = "came back" if HistoryChange.RETURNED in changes else ENDS_HERE if is_boundary else "introduced"
        yield f"{word} at {after.path}:{lines_of(after.start_line, after.end_line)}"
    else:
        yield from _relocations(changes, before, after)
    yield from _altered(changes)


def _relocations(changes: Sequence[HistoryChange], before: Place, after: Place) -> Iterator[str]:
    if HistoryChange.RENAME in changes:
        yield f"renamed from {_name(before) if _container(before) == _container(after) else before.qualified_name}"
    if HistoryChange.MOVED in changes:
        yield f"moved from {_old_place(before, after)}"
    if HistoryChange.CONTAINER in changes:
        yield _surroundings(before, after)


def _old_place(before: Place, after: Place) -> str:
    """Return the file, the class or both, as far as they differ."""
    container = _container(before)
    if before.path == after.path:
        return container or _TOP
    return f"{before.path}::{container}" if container and container != _container(after) else _old_file(before, after)


def _old_file(before: Place, after: Place) -> str:
    """Return the folder alone, if the file has kept its name."""
    folder, _, name = before.path.rpartition("/")
    return f"{folder}/" if folder and name == after.path.rpartition("/")[2] else before.path


def _surroundings(before: Place, after: Place) -> str:
    """Say that it went along with its container or file."""
    container = _container(after)
    if before.path != after.path:
        return f"moved with {container or 'its file'} from {_old_file(before, after)}"
    if _container(before) != container:
        return f"moved with {container or 'its file'}, which was {_container(before) or _TOP}"
    return "package changed"


def _altered(changes: Sequence[HistoryChange]) -> Iterator[str]:
    changed = [_CHANGED[change] for change in changes if change in _CHANGED]
    if changed:
        yield f"{_enumerate(changed)} changed"
    yield from (_DONE[change] for change in changes if change in _DONE)


def _enumerate(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _container(location: Place) -> str:
    return location.qualified_name.rpartition(".")[0]


def _name(location: Place) -> str:
    return location.qualified_name.rpartition(".")[2]


def describe_former(before: Place, after: Place) -> tuple[str, str]:
    """Return the name that was asked for, and what became of it."""
    old = visible(f"{before.path}::{before.qualified_name}")
    if before.qualified_name == after.qualified_name:
        return old, f"was moved to {visible(after.path)}"
    done = "renamed" if _name(before) != _name(after) else "moved"
    new = after.qualified_name if before.path == after.path else f"{after.path}::{after.qualified_name}"
    return old, f"was {done} to {visible(new)}"
