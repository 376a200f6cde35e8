"""Commits for people: a line for each, what it did in words, and the lines it changed.

`3f2a61b09c44  2024-05-31  Ada Lovelace  Fix rounding`, `renamed from total`, `body and parameters changed`. Names and
subjects come from a repository, and have nothing in them that a terminal would obey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.comparison.patch import Patch
from birthmark.documents.changes import HistoryEventDocument
from birthmark.documents.parts import CommitDocument, HunkDocument, LocationDocument, PatchDocument, patch_document
from birthmark.model import Location
from birthmark.surfaces.cli.terminal.tables import Cell, table_lines
from birthmark.surfaces.text import cells, fit, paint, screen
from birthmark.vocabulary import HistoryChange
from birthmark.words import lines_of, short, visible

if TYPE_CHECKING:
    from birthmark.history.lineage import Step

Place = Location | LocationDocument
_LONGEST_AUTHOR = 20  # columns on a screen
_COLORS = {"+": "green", "-": "red"}
_BAR = 20  # columns of the longest bar


def author_width(commits: Iterable[CommitDocument]) -> int:
    """Return the width of the column of authors."""
    return max((cells(_author(commit)) for commit in commits), default=0)


def commit_line(commit: CommitDocument, width: int, indent: str = "") -> str:
    """Return a line that fits the screen: author and subject are cut."""
    row = Cell(short(commit.commit), "yellow"), day_of(commit), _author(commit), visible(commit.subject)
    return table_lines([row], indent, [12, 10, width])[0]


def day_of(commit: CommitDocument) -> str:
    """Return the day on which it was written, where its author was."""
    return commit.date[:10] or "no date"


def _author(commit: CommitDocument) -> str:
    return fit(visible(commit.author), _LONGEST_AUTHOR if screen().columns is not None else None)


# Patches


def patch_lines(patch: Patch | PatchDocument, indent: str = "") -> Iterator[str]:
    """Yield the hunks of a unified diff, in colour where there is colour. Code is not cut."""
    document = patch if isinstance(patch, PatchDocument) else patch_document(patch)
    for hunk in document.hunks:
        yield indent + paint(_header(hunk), "cyan")
        for line in hunk.lines:
            yield (indent + paint(line[:1] + visible(line[1:]), _COLORS.get(line[:1]))).rstrip()


def _header(hunk: HunkDocument) -> str:
    return f"@@ -{_range(hunk.old_start, hunk.old_count)} +{_range(hunk.new_start, hunk.new_count)} @@"


def _range(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"


def stat(patch: PatchDocument, longest: int = 0) -> str:
    """Return `+3 -1 +++-`: the numbers of added and removed lines, and a bar in proportion."""
    most = max(longest, patch.added + patch.removed, 1)
    scale = min(1.0, _BAR / most)
    bar = paint("+" * _scaled(patch.added, scale), "green") + paint("-" * _scaled(patch.removed, scale), "red")
    return f"+{patch.added} -{patch.removed}  {bar}".rstrip()


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale)) if number else 0


# Words

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


def describe_step(step: Step | HistoryEventDocument) -> list[str]:
    """Return all that a commit did, clause by clause."""
    return [visible(clause) for clause in _clauses(step)]


def list_changes(changes: Sequence[HistoryChange]) -> str:
    """Return what changed, without the former place: `introduced`, `body and parameters changed`."""
    plain = {HistoryChange.INTRODUCED: "introduced", HistoryChange.RENAME: "renamed", HistoryChange.MOVED: "moved"}
    plain[HistoryChange.CONTAINER] = "moved"
    words = list(dict.fromkeys(plain[change] for change in changes if change in plain))
    return ", ".join([*words, *_altered(changes)])


def _clauses(step: Step | HistoryEventDocument) -> Iterator[str]:
    if step.before is None:
        yield f"introduced at {step.after.path}:{lines_of(step.after.start_line, step.after.end_line)}"
    else:
        yield from _relocations(step.changes, step.before, step.after)
    yield from _altered(step.changes)


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
