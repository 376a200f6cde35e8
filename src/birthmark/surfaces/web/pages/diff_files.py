"""The changes of a page by file, each with as much of its patch as is shown; what is quiet is counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.app.changes.diffing import ChangesPage, path_after
from birthmark.comparison.entity_changes import EntityChange
from birthmark.documents.changes import DiffDocument, EntityChangeDocument
from birthmark.documents.parts import HunkDocument, PatchDocument
from birthmark.vocabulary import Aspect, Change

_MOST_LINES = 300  # of a patch that are shown
_LONGEST_LINE = 500  # characters; what is longer was written by a program
_OPEN_LINES = 40  # of a patch that is not folded
_MOST_QUIET = 12  # of a file that are named


class ShownChange(NamedTuple):
    """A change with as much of its patch as is shown, and how many lines that leaves out."""

    change: EntityChangeDocument
    patch: PatchDocument
    n_cut: int

    @property
    def is_open(self) -> bool:
        """Formatting and long patches are folded."""
        n_lines = sum(len(hunk.lines) for hunk in self.patch.hunks)
        return n_lines <= _OPEN_LINES and self.change.aspects != (Aspect.FORMATTING,) and not self.n_cut


class ChangedFilePart(NamedTuple):
    """A file, what became of itself, and its changes on this page."""

    path: str
    old_path: str | None
    change: Change | None
    changes: list[ShownChange]
    quiet: list[EntityChange]  # the first ones
    n_quiet: int


class QuietFile(NamedTuple):
    """A file of which nothing is listed."""

    path: str
    old_path: str | None
    n_quiet: int


def group_by_file(found: ChangesPage, document: DiffDocument) -> list[ChangedFilePart]:
    """The changes of a page, whose order stays."""
    renamed, former = document.renamed, {new: old for old, new in document.renamed.items()}
    listed: defaultdict[str, list[ShownChange]] = defaultdict(list)
    for change, shown in zip(found.described.changes, document.changes, strict=True):
        listed[path_after(change, renamed)].append(_shown(shown))
    quiet: defaultdict[str, list[EntityChange]] = defaultdict(list)
    for change in found.quiet:
        quiet[path_after(change, renamed)].append(change)
    old, new = ({file.path for file in files} for files in found.compared.files)
    return [
        ChangedFilePart(
            path,
            former.get(path),
            None if path in former else _change_of(path, old, new),
            changes,
            quiet[path][:_MOST_QUIET],
            len(quiet[path]),
        )
        for path, changes in listed.items()
    ]


def quiet_files(found: ChangesPage, renamed: Mapping[str, str]) -> list[QuietFile]:
    """Files that have no place in the list, by path; those that were renamed among them."""
    former = {new: old for old, new in renamed.items()}
    named = {path_after(change, renamed) for change in found.listed}
    counts = Counter(path_after(change, renamed) for change in found.quiet)
    counts.update(dict.fromkeys(former, 0))
    return [QuietFile(path, former.get(path), n) for path, n in sorted(counts.items()) if path not in named]


def _change_of(path: str, old: set[str], new: set[str]) -> Change | None:
    if (path in old) == (path in new):
        return None
    return Change.ADDED if path in new else Change.DELETED


def _shown(change: EntityChangeDocument) -> ShownChange:
    patch = change.patch
    assert isinstance(patch, PatchDocument)
    hunks = _cut(patch.hunks)
    n_cut = sum(len(hunk.lines) for hunk in patch.hunks) - sum(len(hunk.lines) for hunk in hunks)
    return ShownChange(change, msgspec.structs.replace(patch, hunks=hunks), n_cut)


def _cut(hunks: Sequence[HunkDocument]) -> list[HunkDocument]:
    room, shown = _MOST_LINES, []
    for hunk in hunks:
        if room > 0:
            shown.append(msgspec.structs.replace(hunk, lines=[_cut_line(line) for line in hunk.lines[:room]]))
        room -= len(hunk.lines)
    return shown


def _cut_line(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
