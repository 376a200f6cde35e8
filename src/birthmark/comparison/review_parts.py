"""Split a change into what a reviewer has to read and what one line covers.

Takes the changes of a comparison as `list_changes` gives them; gives real changes of sources, collapsed ones, and other
files. Code that merely moved, was renamed or reformatted is collapsed, and so is documentation.

`code_changes` finds changes that may matter to the behaviour of code: not those of layout and comments, but of
docstrings, and of a container's own code. `find_interface_changes` finds changes that matter to users: a definition is
gone, has another name or place, or another head. Entities inside functions, or that went with their container, have no
users of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.changes import find_changes
from birthmark.comparison.diff_listing import FileChanges, ListedChange
from birthmark.comparison.entity_changes import ChangePlaces, EntityChange, EntityComparison
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.comparison.own_code import own_code_of, spans_of_member
from birthmark.comparison.patch import hunks_between, lines_of, make_patch
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, subtract_spans
from birthmark.vocabulary import Aspect, Change, CollapsedWord, FileRole, HistoryChange

_DOCUMENTED = frozenset({Aspect.DOCUMENTATION})
_WITHIN = frozenset({Aspect.BODY})
_WHOLLY_NEW = (Change.ADDED, Change.DELETED, Change.RENAMED, Change.RELOCATED)
_NO_HEAD = frozenset(
    {
        HistoryChange.BODY,
        HistoryChange.INITIALIZER,
        HistoryChange.INITIALIZER_ADDED,
        HistoryChange.INITIALIZER_REMOVED,
        HistoryChange.DOCUMENTATION,
        HistoryChange.FORMAT,
    }
)

_TYPES = frozenset(
    {HistoryChange.RETURN_TYPE, HistoryChange.TYPE, HistoryChange.TYPE_PARAMETER, HistoryChange.ANNOTATION}
)

_WITH_HEADS = FUNCTION_LIKE | CLASS_LIKE | {"typedef", "macro", "table", "view"}


def code_changes(
    comparison: EntityComparison, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]
) -> list[EntityChange]:
    """Return the changes that may matter to behaviour, in the order of the comparison."""
    changed = [one for one in comparison.changes if _may_matter(one, new)]
    inner = {container for one in changed if (container := _container(one, new)) is not None}
    return [one for one in changed if one.new not in inner or _has_own_change(one, old, new)]


def changed_top_levels(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], renamed: Mapping[str, str]
) -> Iterator[str]:
    """Yield the paths of new files that differ outside of their definitions, and of files that are new."""
    former = {new_path: old_path for old_path, new_path in renamed.items()}
    before = {file.path: _top_level(file) for file in old}
    for file in new:
        if before.get(former.get(file.path, file.path), ()) != _top_level(file):
            yield file.path


def _may_matter(change: EntityChange, new: Sequence[OutlinedFile]) -> bool:
    if change.change in _WHOLLY_NEW:
        return True
    aspects = {*change.aspects} - {Aspect.FORMATTING}
    if aspects == _DOCUMENTED and change.new is not None:
        return _is_docstring(_entity(new, change.new))
    return bool(aspects)


def _is_docstring(entity: Entity) -> bool:
    span = entity.documentation_span
    return span is None or entity.start_byte <= span[0] < entity.end_byte


def _container(change: EntityChange, new: Sequence[OutlinedFile]) -> EntityRef | None:
    """Return the container of an entity in the new state."""
    if change.new is None:
        return None
    container = _entity(new, change.new).container
    return (change.new[0], container) if container >= 0 else None


def _has_own_change(change: EntityChange, old: Sequence[OutlinedFile], new: Sequence[OutlinedFile]) -> bool:
    if change.old is None or change.new is None or not {*change.aspects} <= _WITHIN:
        return True
    before, after = (OutlinedEntity(files[ref[0]], ref[1]) for files, ref in ((old, change.old), (new, change.new)))
    return bool(make_patch(own_code_of(before), own_code_of(after)).hunks)


def _entity(files: Sequence[OutlinedFile], ref: EntityRef) -> Entity:
    return files[ref[0]].outline.entities[ref[1]]


def _top_level(file: OutlinedFile) -> tuple[bytes, ...]:
    """Return the lines of a file outside of definitions and comments; leading spaces may mean something."""
    source = file.source()
    holes = [span for one in file.outline.entities if one.container < 0 for span in spans_of_member(one)]
    left = [source[start:end] for start, end in subtract_spans((0, len(source)), tuple(holes))]
    lines = [line.rstrip() for part in left for line in part.splitlines() if line.strip()]
    comments = load_registry().languages[file.outline.language].line_comments
    starts = tuple(mark.encode() for mark in comments)
    return tuple(line for line in lines if not line.lstrip().startswith(starts))


class InterfaceChange(NamedTuple):
    """A change of a head; `is_gone` if the old name leads nowhere from where it was."""

    change: EntityChange
    head: tuple[HistoryChange, ...]
    is_gone: bool
    old_signature: str | None
    new_signature: str | None

    @property
    def concerns_users(self) -> bool:
        """Return True if users may have to change; compilers check another type or annotation alone."""
        return self.is_gone or not _TYPES.issuperset(self.head)


def find_interface_changes(comparison: EntityComparison, places: ChangePlaces) -> Iterator[InterfaceChange]:
    """Yield interface changes of source files in the order of the comparison."""
    for change in comparison.changes:
        location = change.after or change.before
        assert location is not None
        if change.change is Change.ADDED or role_of(location.path) is not FileRole.SOURCE:
            continue
        before = places.before(change)
        after = places.after(change) if change.new is not None else None
        is_gone = _is_gone(change, places)
        head = _head(change, before, after)
        if (is_gone or head) and not _is_inside_function(before):
            signatures = _signatures(before.entity, after.entity if after is not None else None)
            yield InterfaceChange(change, head, is_gone, *signatures)


def _is_gone(change: EntityChange, places: ChangePlaces) -> bool:
    if change.change is Change.DELETED:
        return not places.is_in_same(change)
    return change.change in (Change.RENAMED, Change.RELOCATED) and not places.is_in_place(change)


def _head(change: EntityChange, before: OutlinedEntity, after: OutlinedEntity | None) -> tuple[HistoryChange, ...]:
    if after is None or Aspect.INTERFACE not in change.aspects or change.kind not in _WITH_HEADS:
        return ()
    return tuple(word for word in find_changes(before, after) if word not in _NO_HEAD)


def _is_inside_function(outlined: OutlinedEntity) -> bool:
    entities, at = outlined.file.outline.entities, outlined.ordinal
    while (at := entities[at].container) >= 0:
        if entities[at].kind in FUNCTION_LIKE:
            return True
    return False


def _signatures(before: Entity, after: Entity | None) -> tuple[str | None, str | None]:
    """Return both signatures if they differ."""
    old, new = before.declaration, after.declaration if after is not None else None
    return (None, None) if old == new or new is None else (old, new)


_ELSEWHERE = {Change.RELOCATED: CollapsedWord.MOVED, Change.RENAMED: CollapsedWord.RENAMED}
_LAYOUT = frozenset({Aspect.FORMATTING})
_READ_ONLY = frozenset({Aspect.FORMATTING, Aspect.DOCUMENTATION})


class CollapsedChange(NamedTuple):
    """Definitions of a file that moved, were renamed or reformatted, as one line; without names, a whole file.

    `names` are the new ones; `old_names` are set if they differ.
    """

    word: CollapsedWord
    old_path: str
    path: str
    names: tuple[str, ...] = ()
    old_names: tuple[str, ...] = ()
    n_definitions: int = 0


class ReviewParts(NamedTuple):
    """The parts of a review. Changes of `other_files` (tests, documentation, generated files) are only counted.

    `deleted_files` are those of sources, of which no definition is among the real changes.
    """

    real: list[ListedChange]
    deleted_files: list[FileChanges]
    collapsed: list[CollapsedChange]
    other_files: list[FileChanges]


def split_changes(files: Iterable[FileChanges], top_levels: Iterable[str]) -> ReviewParts:
    """Split changes into parts; `top_levels` are the files that changed outside of their definitions."""
    real: list[ListedChange] = []
    deleted: list[FileChanges] = []
    collapsed: list[CollapsedChange] = []
    others: list[FileChanges] = []
    for file in files:
        if file.role is not FileRole.SOURCE:
            others.append(file)
            continue
        if file.change is Change.DELETED:
            deleted.append(file)
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
    return ReviewParts(real, deleted, sorted(collapsed, key=_order), others)


def collapsed_word(listed: ListedChange) -> CollapsedWord | None:
    """Return the word for a change that one line covers; None for one that has to be read."""
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
    """Yield a line for all reformatted code of a file and for all that came from one file to another; renames apart."""
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
    """Yield the old and the new name of each entity that is listed together; of several, old names are not known."""
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
    """Count the lines that differ outside of the definitions of a file."""
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
    """Return the lines of definitions with the comments right above them."""
    source = file.source()
    outer = [(source.count(b"\n", 0, one.lead_start) + 1, one) for one in file.outline.entities if one.container < 0]
    return {line for first, one in outer for line in range(min(first, one.start_line), one.end_line + 1)}
