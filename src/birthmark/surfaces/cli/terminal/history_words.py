"""What a commit did to an entity, in plain words: `renamed from total`, `body and parameters changed`.

Takes a Step. The values of JSON are in `vocabulary.HistoryChange`; here they are worded for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from birthmark.history.lineage import Step
from birthmark.model import Location
from birthmark.vocabulary import HistoryChange
from birthmark.words import lines_of, visible

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


def describe_step(step: Step) -> list[str]:
    """All that a commit did, clause by clause."""
    return [visible(clause) for clause in _clauses(step)]


def list_changes(changes: Sequence[HistoryChange]) -> str:
    """What changed, without where it was before: `introduced`, `body and parameters changed`."""
    plain = {HistoryChange.INTRODUCED: "introduced", HistoryChange.RENAME: "renamed", HistoryChange.MOVED: "moved"}
    plain[HistoryChange.CONTAINER] = "moved"
    words = list(dict.fromkeys(plain[change] for change in changes if change in plain))
    return ", ".join([*words, *_altered(changes)])


def _clauses(step: Step) -> Iterator[str]:
    if step.before is None:
        yield f"introduced at {step.after.path}:{lines_of(step.after.start_line, step.after.end_line)}"
    else:
        yield from _relocations(step.changes, step.before, step.after)
    yield from _altered(step.changes)


def _relocations(changes: Sequence[HistoryChange], before: Location, after: Location) -> Iterator[str]:
    if HistoryChange.RENAME in changes:
        yield f"renamed from {_name(before) if _container(before) == _container(after) else before.qualified_name}"
    if HistoryChange.MOVED in changes:
        yield f"moved from {_old_place(before, after)}"
    if HistoryChange.CONTAINER in changes:
        yield _surroundings(before, after)


def _old_place(before: Location, after: Location) -> str:
    """The file, the class, or both, as far as they differ."""
    container = _container(before)
    if before.path == after.path:
        return container or _TOP
    return f"{before.path}::{container}" if container and container != _container(after) else _old_file(before, after)


def _old_file(before: Location, after: Location) -> str:
    """The folder alone, if the file has kept its name."""
    folder, _, name = before.path.rpartition("/")
    return f"{folder}/" if folder and name == after.path.rpartition("/")[2] else before.path


def _surroundings(before: Location, after: Location) -> str:
    """What is around it was renamed or moved, and it went along."""
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


def _container(location: Location) -> str:
    return location.qualified_name.rpartition(".")[0]


def _name(location: Location) -> str:
    return location.qualified_name.rpartition(".")[2]


def describe_former(before: Location, after: Location) -> tuple[str, str]:
    """The name that was asked for, and what became of it."""
    old = visible(f"{before.path}::{before.qualified_name}")
    if before.qualified_name == after.qualified_name:
        return old, f"was moved to {visible(after.path)}"
    done = "renamed" if _name(before) != _name(after) else "moved"
    new = after.qualified_name if before.path == after.path else f"{after.path}::{after.qualified_name}"
    return old, f"was {done} to {visible(new)}"
