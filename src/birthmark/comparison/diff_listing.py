"""List the changes of a comparison by file, as a reader wants them.

Takes a comparison and the files that were compared; gives a FileChanges for each file, sources first. Not listed by
themselves are members of added or deleted entities, containers that changed in their members only, entities that merely
moved within their file or along with their file or container, and entities in generated files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from birthmark.comparison.entity_changes import COME_OR_GONE, ChangePlaces, EntityChange, EntityComparison, Files
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.comparison.own_code import own_code_of
from birthmark.comparison.patch import Patch, code_of, make_patch
from birthmark.extraction.model import EntityRef, OutlinedEntity
from birthmark.model import DerivationEnd, Location
from birthmark.vocabulary import Aspect, Change, FileRole

ChangeKey = tuple[EntityRef | None, EntityRef | None]
Passes = Callable[[EntityChange], bool]

_MANY = 4  # that are alike are listed together
_OF_MEMBERS = (Aspect.BODY, Aspect.FORMATTING)  # aspects of a container that may be those of its members
_VALUES = ("const", "var", "field", "member")


class ListedChange(NamedTuple):
    """A change with its own word and aspects, and the number of members that it includes.

    An entity in a renamed file or relocated container is not `relocated` itself. The first of several changes that are
    listed together has the names of all. Derivations are those that no other line has.
    """

    change: EntityChange
    word: Change
    aspects: tuple[Aspect, ...]
    n_members: int = 0
    patch: Patch | None = None
    together: tuple[str, ...] = ()
    derived_from: Sequence[DerivationEnd] = ()
    derivatives: Sequence[DerivationEnd] = ()


class FileChanges(NamedTuple):
    """The listed changes of a file, and the number of changes in it.

    `change` says if the file itself was added or deleted; `old_path` is set if it was renamed; `gone_to` counts the
    entities that went to other files.
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
        """Return True for a generated file, of which changes are counted only."""
        return self.role is FileRole.GENERATED and not self.listed and bool(self.counts)


class ListingOptions(NamedTuple):
    """Further parts of a listing: mere moves, members by themselves, patches, counts of lines."""

    with_moved: bool = False
    with_members: bool = False
    with_patches: bool = False
    with_lines: bool = False


def list_changes(
    comparison: EntityComparison, passes: Passes, old: Files, new: Files, options: ListingOptions
) -> list[FileChanges]:
    """Return the changes that pass by file, in reading order: sources, documentation, tests, generated files."""
    listing = ChangeListing(comparison, passes, old, new, options)
    by_path: defaultdict[str, list[EntityChange]] = defaultdict(list)
    for change in listing.changes:
        by_path[listing.places.path_of(change)].append(change)
        if change.before and change.change is Change.RELOCATED:
            by_path[listing.places.new_path(change.before.path)]  # What went elsewhere is counted where it was.
    files = [listing.file(path, changes) for path, changes in by_path.items()]
    shown = [file for file in files if file.is_worth_listing or (options.with_lines and file.counts)]
    return sorted(shown, key=lambda file: (READING_ORDER.index(file.role), file.path))


class ChangeListing:
    """The changes that pass, and the way each is listed."""

    def __init__(
        self, comparison: EntityComparison, passes: Passes, old: Files, new: Files, options: ListingOptions
    ) -> None:
        self.changes = [change for change in comparison.changes if passes(change)]
        self.places = ChangePlaces(comparison, self.changes, old, new)
        self._derived_from, self._derivatives = comparison.derived_from, comparison.derivatives
        self.options, self._former = options, {after: before for before, after in comparison.renamed.items()}
        self._old_paths, self._new_paths = ({file.path for file in files} for files in (old, new))
        self._gone = Counter(
            (self.places.new_path(one.before.path), one.after.path)
            for one in self.changes
            if one.before and one.after and self.places.new_path(one.before.path) != one.after.path
        )
        self._patches: dict[ChangeKey, Patch] = {}
        worth = [change for change in self.changes if self._is_worth_a_line(change)]
        self._inside = {ref for change in worth for ref in self.places.around(change)}

    def file(self, path: str, changes: list[EntityChange]) -> FileChanges:
        is_summed_up = role_of(path) is FileRole.GENERATED and not self.options.with_members
        n_added, n_removed = self._count_lines(changes) if self.options.with_lines else (0, 0)
        return FileChanges(
            path,
            self._former.get(path),
            self._change_of(path),
            role_of(path),
            [] if is_summed_up else self._lines([change for change in changes if self._is_listed(change)]),
            Counter(str(one.change) for one in changes if self.options.with_moved or one.change is not Change.MOVED),
            {target: n for (source, target), n in self._gone.items() if source == path},
            n_added,
            n_removed,
        )

    def _change_of(self, path: str) -> Change | None:
        if path in self._new_paths:
            return Change.ADDED if path not in self._old_paths and path not in self._former else None
        return Change.DELETED if path in self._old_paths else None

    # What is listed

    def _is_worth_a_line(self, change: EntityChange) -> bool:
        """Return True if a change is listed, before the contents of containers are considered."""
        if not self.options.with_moved and not change.aspects and self.places.is_in_place(change):
            return False
        return self.options.with_members or not (change.change in COME_OR_GONE and self.places.is_in_same(change))

    def _is_listed(self, change: EntityChange) -> bool:
        if not self._is_worth_a_line(change):
            return False
        is_container = change.new in self._inside and self.places.is_in_place(change)
        return self.options.with_members or not is_container or bool(self._own_aspects(change))

    # How it is listed

    def _lines(self, changes: list[EntityChange]) -> list[ListedChange]:
        groups: defaultdict[Hashable, list[EntityChange]] = defaultdict(list)
        for change in changes:
            groups[self._likeness(change)].append(change)
        many = [group for group in groups.values() if len(group) >= _MANY]
        lines = {_key(group[0]): _joined(group) for group in many}
        joined = {_key(change) for group in many for change in group[1:]}
        return [lines.get(_key(change)) or self._line(change) for change in changes if _key(change) not in joined]

    def _likeness(self, change: EntityChange) -> Hashable:
        """Return a key that changes listed together share.

        Those are constants and fields that came or went in one scope, and entities that went unchanged from one scope
        to another. Any other change has a key of its own.
        """
        before, after = change.before, change.after
        if not (self.options.with_members or self.options.with_patches):
            if change.change in COME_OR_GONE and change.kind in _VALUES and not self.places.count_members(change):
                return change.change, change.kind, _scope(_location(change))
            if change.change is Change.RELOCATED and not change.aspects and before and after:
                return before.path, _scope(before), after.path, _scope(after), _name(before) == _name(after)
        return _key(change)

    def _line(self, change: EntityChange) -> ListedChange:
        n_members = 0 if self.options.with_members else self.places.count_members(change)
        patch = self._shown_patch(change, n_members) if self.options.with_patches else None
        return ListedChange(
            change,
            self._word(change),
            self._own_aspects(change),
            n_members,
            patch,
            derived_from=self._sources(change),
            derivatives=self._derivatives.get(change.old, []) if change.old and change.new is None else [],
        )

    def _sources(self, change: EntityChange) -> list[DerivationEnd]:
        """Return all sources of an added entity, else those that still exist: deleted ones have their own line."""
        found = self._derived_from.get(change.new, []) if change.new is not None else []
        is_added = change.change is Change.ADDED
        return [end for end in found if is_added or not (end.ref and self.places.is_deleted(end.ref))]

    def _word(self, change: EntityChange) -> Change:
        if change.change is not Change.RELOCATED or not self.places.has_same_scope(change):
            return change.change
        if not self.places.is_in_place(change):
            return Change.RENAMED
        return Change.MODIFIED if change.aspects else Change.MOVED

    def _own_aspects(self, change: EntityChange) -> tuple[Aspect, ...]:
        """Return the aspects of a change; for a container of listed changes, only those that its own code shows."""
        others = tuple(aspect for aspect in change.aspects if aspect not in _OF_MEMBERS)
        if change.new not in self._inside or others == change.aspects or self._has_own_changes(change):
            return change.aspects
        return others

    def _has_own_changes(self, change: EntityChange) -> bool:
        before = own_code_of(self.places.before(change), with_name=False)
        return bool(make_patch(before, own_code_of(self.places.after(change), with_name=False)).hunks)

    def _shown_patch(self, change: EntityChange, n_members: int) -> Patch:
        is_whole = n_members > 0
        return patch_of(change, self.places.old, self.places.new, is_whole=True) if is_whole else self._patch(change)

    def _patch(self, change: EntityChange) -> Patch:
        if _key(change) not in self._patches:
            self._patches[_key(change)] = patch_of(change, self.places.old, self.places.new)
        return self._patches[_key(change)]

    def _count_lines(self, changes: list[EntityChange]) -> tuple[int, int]:
        patches = [self._patch(change) for change in changes if change.change is not Change.MOVED]
        return sum(patch.n_added for patch in patches), sum(patch.n_removed for patch in patches)


def _joined(group: list[EntityChange]) -> ListedChange:
    names = tuple(_name(_location(one)) for one in group)
    return ListedChange(group[0], group[0].change, (), together=names)


def _key(change: EntityChange) -> ChangeKey:
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
    """Return the lines of an entity that differ; those of its members only if `is_whole`."""
    cut = code_of if is_whole else own_code_of
    before = None if change.old is None else cut(OutlinedEntity(old[change.old[0]], change.old[1]))
    after = None if change.new is None else cut(OutlinedEntity(new[change.new[0]], change.new[1]))
    return make_patch(before, after)
