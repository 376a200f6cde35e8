"""What a reviewer has to read, apart from what one line says.

Takes the changes of a comparison as `list_changes` gives them; gives real changes of sources, collapsed ones, and the
files that are no sources. Code that merely moved, got another name or another layout is collapsed, and so is
documentation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from birthmark.comparison.diff_listing import FileChanges, ListedChange
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.extraction.model import OutlinedFile
from birthmark.matching.line_hunks import hunks_between, lines_of
from birthmark.vocabulary import Aspect, Change, CollapsedWord, FileRole

_ELSEWHERE = {Change.RELOCATED: CollapsedWord.MOVED, Change.RENAMED: CollapsedWord.RENAMED}
_LAYOUT = frozenset({Aspect.FORMATTING})
_READ_ONLY = frozenset({Aspect.FORMATTING, Aspect.DOCUMENTATION})


class CollapsedChange(NamedTuple):
    """One line: definitions of a file that went elsewhere or look otherwise; a whole file, if it has no names.

    Names are those of after; `old_names` are there if they were others.
    """

    word: CollapsedWord
    old_path: str
    path: str
    names: tuple[str, ...] = ()
    old_names: tuple[str, ...] = ()
    n_definitions: int = 0


class ReviewParts(NamedTuple):
    """`other_files` are tests, documentation and generated files, of which changes are counted only."""

    real: list[ListedChange]
    collapsed: list[CollapsedChange]
    other_files: list[FileChanges]


def split_changes(files: Iterable[FileChanges], top_levels: Iterable[str]) -> ReviewParts:
    """`top_levels` are the files that changed outside of their definitions."""
    real: list[ListedChange] = []
    collapsed: list[CollapsedChange] = []
    others: list[FileChanges] = []
    for file in files:
        if file.role is not FileRole.SOURCE:
            others.append(file)
            continue
        words = [(collapsed_word(listed), listed) for listed in file.listed]
        real += [listed for word, listed in words if word is None]
        collapsed += _file_line(file)
        collapsed += _lines(file.path, [(word, listed) for word, listed in words if word is not None])
    known = {file.path for file in others}
    roles = {path: role_of(path) for path in top_levels if path not in known}
    others += [
        FileChanges(path, None, None, role, [], {}, {}) for path, role in roles.items() if role is not FileRole.SOURCE
    ]
    others.sort(key=lambda file: (READING_ORDER.index(file.role), file.path))
    return ReviewParts(real, sorted(collapsed, key=_order), others)


def collapsed_word(listed: ListedChange) -> CollapsedWord | None:
    """Why one line is enough for a change; None for one that is to be read."""
    aspects = {*listed.aspects}
    if listed.word in _ELSEWHERE and aspects <= _LAYOUT:
        return _ELSEWHERE[listed.word]
    if listed.word is not Change.MODIFIED or not aspects or not aspects <= _READ_ONLY:
        return None
    return CollapsedWord.REFORMATTED if aspects <= _LAYOUT else CollapsedWord.DOCUMENTED


def _file_line(file: FileChanges) -> Iterator[CollapsedChange]:
    if file.old_path is not None:
        n_moved = file.counts.get(Change.RELOCATED, 0)
        yield CollapsedChange(CollapsedWord.MOVED, file.old_path, file.path, n_definitions=n_moved)


def _lines(path: str, listed: Sequence[tuple[CollapsedWord, ListedChange]]) -> Iterator[CollapsedChange]:
    """One for all that looks otherwise in a file, and for all that came from one file to another; renames apart."""
    groups: defaultdict[tuple[CollapsedWord, str, str], list[ListedChange]] = defaultdict(list)
    for word, one in listed:
        before = one.change.before
        assert before is not None
        own = before.qualified_name if word is CollapsedWord.RENAMED else ""
        groups[word, before.path, own].append(one)
    for (word, old_path, _), group in groups.items():
        pairs = [pair for one in group for pair in _names(one)]
        new_names, old_names = tuple(new for _, new in pairs), tuple(old for old, _ in pairs)
        is_same = new_names == old_names
        yield CollapsedChange(word, old_path, path, new_names, () if is_same else old_names, len(pairs))


def _names(listed: ListedChange) -> Iterator[tuple[str, str]]:
    """The old and the new name of each that is listed together; of several, the old ones are not known."""
    before, after = listed.change.before, listed.change.after
    assert before is not None
    assert after is not None
    if listed.together:
        scope = after.qualified_name.rpartition(".")[0]
        yield from ((name, name) for name in (f"{scope}.{one}" if scope else one for one in listed.together))
    else:
        yield before.qualified_name, after.qualified_name


def _order(one: CollapsedChange) -> tuple[int, bool, str, str, tuple[str, ...]]:
    return [*CollapsedWord].index(one.word), bool(one.names), one.path, one.old_path, one.names


def top_level_lines(old: OutlinedFile | None, new: OutlinedFile) -> int:
    """How many lines differ outside of the definitions of a file."""
    before, after = lines_of(old.source()) if old is not None else [], lines_of(new.source())
    inside = _lines_inside(old) if old is not None else set(), _lines_inside(new)
    n_lines = 0
    for hunk in hunks_between(before, after):
        removed = range(hunk.old_start, hunk.old_start + hunk.old_count)
        added = range(hunk.new_start, hunk.new_start + hunk.new_count)
        n_lines += sum(line not in inside[0] and bool(before[line - 1].strip()) for line in removed)
        n_lines += sum(line not in inside[1] and bool(after[line - 1].strip()) for line in added)
    return n_lines


def _lines_inside(file: OutlinedFile) -> set[int]:
    """With the comments right above definitions."""
    source = file.source()
    outer = [(source.count(b"\n", 0, one.lead_start) + 1, one) for one in file.outline.entities if one.container < 0]
    return {line for first, one in outer for line in range(min(first, one.start_line), one.end_line + 1)}
