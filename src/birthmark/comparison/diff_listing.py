"""The changes of a comparison as a reader wants them: by file, without what other lines say already.

Takes a comparison and the files that were compared; gives a FileChanges for each file, sources first. Not listed by
themselves are the members of what was added or deleted, a container that changed in its members only, what merely
moved, within its file or along with its file or container, and what is in generated files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.entities import EntityChange, EntityComparison
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.comparison.own_code import own_code_of
from birthmark.comparison.patch import Patch, code_of, make_patch
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.model import Location
from birthmark.vocabulary import Aspect, Change, FileRole

Files = Sequence[OutlinedFile]

Passes = Callable[[EntityChange], bool]

_MANY = 4  # that are alike are listed together
_VALUES = ("const", "var", "field", "member")
_COME_OR_GONE = (Change.ADDED, Change.DELETED)


class ListedChange(NamedTuple):
    """A change with the word and the aspects that are its own, and how many members it includes.

    What is in another file only because its file was renamed, or what is around it was relocated, is not `relocated`.
    Or the first of several that are listed together, with the names of all.
    """

    change: EntityChange
    word: Change
    aspects: tuple[Aspect, ...]
    n_members: int = 0
    patch: Patch | None = None
    together: tuple[str, ...] = ()


class FileChanges(NamedTuple):
    """What is listed of a file, and how much changed in it.

    `change` is what became of the file itself; `old_path` is where it was, if it was renamed; `gone_to` counts what
    went to other files.
    """

    path: str
    old_path: str | None
    change: Change | None
    role: FileRole
    listed: list[ListedChange]
    counts: dict[str, int]
    gone_to: dict[str, int]
    n_added: int = 0
    n_removed: int = 0

    @property
    def is_worth_listing(self) -> bool:
        return bool(self.listed or self.gone_to or self.old_path or self.is_summed_up)

    @property
    def is_summed_up(self) -> bool:
        """Of a generated file changes are counted, not listed."""
        return self.role is FileRole.GENERATED and not self.listed and bool(self.counts)


class ListingOptions(NamedTuple):
    """What is wanted besides: what merely moved, members by themselves, patches, counts of lines."""

    with_moved: bool = False
    with_members: bool = False
    with_patches: bool = False
    with_lines: bool = False


def list_changes(
    comparison: EntityComparison, passes: Passes, old: Files, new: Files, options: ListingOptions
) -> list[FileChanges]:
    """In reading order: sources, documentation, tests, generated files, each by path; only changes that pass."""
    listing = ChangeListing(comparison, passes, old, new, options)
    by_path: defaultdict[str, list[EntityChange]] = defaultdict(list)
    for change in listing.changes:
        by_path[listing.path_of(change)].append(change)
        if change.before and change.change is Change.RELOCATED:
            by_path[listing.new_path(change.before.path)]  # What went elsewhere is counted where it was.
    files = [listing.file(path, changes) for path, changes in by_path.items()]
    shown = [file for file in files if file.is_worth_listing or (options.with_lines and file.counts)]
    return sorted(shown, key=lambda file: (READING_ORDER.index(file.role), file.path))


class ChangeListing:
    """A comparison, and what can be looked up in it."""

    def __init__(
        self, comparison: EntityComparison, passes: Passes, old: Files, new: Files, options: ListingOptions
    ) -> None:
        self.changes = [change for change in comparison.changes if passes(change)]
        self.old, self.new, self.options, self.renamed = old, new, options, comparison.renamed
        self.old_paths, self.new_paths = ({file.path for file in files} for files in (old, new))
        self.former = {after: before for before, after in comparison.renamed.items()}
        everything = (*comparison.changes, *comparison.unchanged)
        self.successors = {one.old: one.new for one in everything if one.old is not None}
        self.added = {one.new for one in self.changes if one.change is Change.ADDED}
        self.deleted = {one.old for one in self.changes if one.change is Change.DELETED}
        self.gone = Counter(
            (self.new_path(one.before.path), one.after.path)
            for one in self.changes
            if one.before and one.after and self.new_path(one.before.path) != one.after.path
        )
        self.patches: dict[tuple[EntityRef | None, EntityRef | None], Patch] = {}
        worth = [change for change in self.changes if self._is_worth_a_line(change)]
        self.inside = {ref for change in worth for ref in self._around(change)}

    def new_path(self, path: str) -> str:
        return self.renamed.get(path, path)

    def path_of(self, change: EntityChange) -> str:
        if change.after is not None:
            return change.after.path
        assert change.before is not None
        return self.new_path(change.before.path)

    def file(self, path: str, changes: list[EntityChange]) -> FileChanges:
        is_summed_up = role_of(path) is FileRole.GENERATED and not self.options.with_members
        listed = [] if is_summed_up else self._lines([change for change in changes if self._is_listed(change)])
        old_path = self.former.get(path)
        is_new = path in self.new_paths and path not in self.old_paths and old_path is None
        is_gone = path in self.old_paths and path not in self.new_paths
        n_added, n_removed = self._count_lines(changes) if self.options.with_lines else (0, 0)
        return FileChanges(
            path,
            old_path,
            Change.ADDED if is_new else Change.DELETED if is_gone else None,
            role_of(path),
            listed,
            Counter(str(one.change) for one in changes if self.options.with_moved or one.change is not Change.MOVED),
            {target: n for (source, target), n in self.gone.items() if source == path},
            n_added,
            n_removed,
        )

    # What is listed

    def _is_worth_a_line(self, change: EntityChange) -> bool:
        """Before containers are looked at, of which it depends on what is listed in them."""
        if not self.options.with_moved and self._is_merely_moved(change):
            return False
        return self.options.with_members or not (change.change in _COME_OR_GONE and self._is_in_same(change))

    def _is_listed(self, change: EntityChange) -> bool:
        if not self._is_worth_a_line(change):
            return False
        is_container = change.new in self.inside and self._is_in_place(change)
        return self.options.with_members or not is_container or bool(self._own_aspects(change))

    def _is_merely_moved(self, change: EntityChange) -> bool:
        return not change.aspects and self._is_in_place(change)

    def _is_in_place(self, change: EntityChange) -> bool:
        """Whether it has its name, and is in what its file or container has become."""
        if change.old is None or change.new is None or not self._has_same_scope(change.old, change.new):
            return False
        before, after = (
            files[ref[0]].outline.entities[ref[1]] for files, ref in ((self.old, change.old), (self.new, change.new))
        )
        return before.name == after.name

    def _has_same_scope(self, old: EntityRef, new: EntityRef) -> bool:
        before, after = self.old[old[0]].outline.entities[old[1]], self.new[new[0]].outline.entities[new[1]]
        if before.container >= 0 and after.container >= 0:
            return self.successors.get((old[0], before.container)) == (new[0], after.container)
        is_outside = before.container < 0 and after.container < 0 and before.parent == after.parent
        return is_outside and self.new_path(self.old[old[0]].path) == self.new[new[0]].path

    def _is_in_same(self, change: EntityChange) -> bool:
        """Whether what is around it was added or deleted, too."""
        files, ref = (self.new, change.new) if change.new is not None else (self.old, change.old)
        assert ref is not None
        return self._came_or_went_with(change, (ref[0], files[ref[0]].outline.entities[ref[1]].container))

    def _around(self, change: EntityChange) -> Iterable[EntityRef]:
        """The new containers around it; of one that was deleted, those that its old ones have become."""
        is_deleted = change.new is None
        ref = change.old if is_deleted else change.new
        files = self.old if is_deleted else self.new
        assert ref is not None
        entities, at = files[ref[0]].outline.entities, ref[1]
        while (at := entities[at].container) >= 0:
            around = self.successors.get((ref[0], at)) if is_deleted else (ref[0], at)
            if around is not None:
                yield around

    # How it is listed

    def _lines(self, changes: list[EntityChange]) -> list[ListedChange]:
        groups: defaultdict[Hashable, list[EntityChange]] = defaultdict(list)
        for change in changes:
            groups[self._journey(change)].append(change)
        many = [group for group in groups.values() if len(group) >= _MANY]
        lines = {_key(group[0]): self._joined(group) for group in many}
        joined = {_key(change) for group in many for change in group[1:]}
        return [
            lines[_key(change)] if _key(change) in lines else self._line(change)
            for change in changes
            if _key(change) not in joined
        ]

    def _journey(self, change: EntityChange) -> Hashable:
        """What is the same of those that are listed together: constants and fields that came or went in one scope,
        and what came unchanged from one scope to another. All else is like nothing else.
        """
        before, after = change.before, change.after
        if not (self.options.with_members or self.options.with_patches):
            if change.change in _COME_OR_GONE and change.kind in _VALUES and not self._count_members(change):
                return change.change, change.kind, _scope(_location(change))
            if change.change is Change.RELOCATED and not change.aspects and before and after:
                return before.path, _scope(before), after.path, _scope(after), _name(before) == _name(after)
        return change.old, change.new

    def _joined(self, group: list[EntityChange]) -> ListedChange:
        names = tuple(_name(_location(one)) for one in group)
        return ListedChange(group[0], group[0].change, (), together=names)

    def _line(self, change: EntityChange) -> ListedChange:
        n_members = 0 if self.options.with_members else self._count_members(change)
        return ListedChange(
            change, self._word(change), self._own_aspects(change), n_members, self._shown_patch(change, n_members)
        )

    def _shown_patch(self, change: EntityChange, n_members: int) -> Patch | None:
        if not self.options.with_patches:
            return None
        return patch_of(change, self.old, self.new, is_whole=True) if n_members else self._patch(change)

    def _word(self, change: EntityChange) -> Change:
        if change.old is None or change.new is None or not self._has_same_scope(change.old, change.new):
            return change.change
        if change.change is not Change.RELOCATED:
            return change.change
        return (Change.MODIFIED if change.aspects else Change.MOVED) if self._is_in_place(change) else Change.RENAMED

    def _own_aspects(self, change: EntityChange) -> tuple[Aspect, ...]:
        """Of a container with changes in it that are listed, only those that its own code shows."""
        if change.new not in self.inside or Aspect.BODY not in change.aspects or self._patch(change).hunks:
            return change.aspects
        return tuple(aspect for aspect in change.aspects if aspect is not Aspect.BODY)

    def _count_members(self, change: EntityChange) -> int:
        if change.change not in _COME_OR_GONE:
            return 0
        files, ref = (self.new, change.new) if change.new is not None else (self.old, change.old)
        assert ref is not None
        entities = files[ref[0]].outline.entities
        ordinals = {ref[1]}
        for ordinal, entity in enumerate(entities):
            if entity.container in ordinals and self._came_or_went_with(change, (ref[0], ordinal)):
                ordinals.add(ordinal)
        return len(ordinals) - 1

    def _came_or_went_with(self, change: EntityChange, ref: EntityRef) -> bool:
        return ref in (self.deleted if change.new is None else self.added)

    def _patch(self, change: EntityChange) -> Patch:
        key = _key(change)
        if key not in self.patches:
            self.patches[key] = patch_of(change, self.old, self.new)
        return self.patches[key]

    def _count_lines(self, changes: list[EntityChange]) -> tuple[int, int]:
        patches = [self._patch(change) for change in changes if change.change is not Change.MOVED]
        return sum(patch.n_added for patch in patches), sum(patch.n_removed for patch in patches)


def _key(change: EntityChange) -> tuple[EntityRef | None, EntityRef | None]:
    return change.old, change.new


def _location(change: EntityChange) -> Location:
    location = change.after or change.before
    assert location is not None
    return location


def _scope(location: Location) -> str:
    return location.qualified_name.rpartition(".")[0]


def _name(location: Location) -> str:
    return location.qualified_name.rpartition(".")[2]


def patch_of(change: EntityChange, old: Files, new: Files, *, is_whole: bool = False) -> Patch:
    """The lines of an entity that differ; those of its members only if it is to be whole."""
    cut = code_of if is_whole else own_code_of
    before = None if change.old is None else cut(OutlinedEntity(old[change.old[0]], change.old[1]))
    after = None if change.new is None else cut(OutlinedEntity(new[change.new[0]], change.new[1]))
    return make_patch(before, after)
