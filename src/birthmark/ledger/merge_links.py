"""What a merge did to each entity of the files that differ from those of all parents, as far as it is certain at once.

Takes a Merge, the files of its first parent and the new files at their versions; gives EntityRecords as
`ledger.version_links` does. An entity goes back to the parents in which it is unchanged. Which those are is certain for
most; where it is not, or there is none, the record has no links, and a history that passes the merge walks there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from birthmark.comparison.certain_pairs import CertainPairs
from birthmark.comparison.declaration_changes import find_changes
from birthmark.comparison.link_changes import have_same_package, is_verbatim
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.ledger.merge import Files, Merge
from birthmark.ledger.version_links import EntityRecord, LinkRecord, encode_records, place_record
from birthmark.store.model import Version


def link_merge(
    merge: Merge, first: Files, new: Sequence[OutlinedFile], versions: Sequence[Version]
) -> dict[int, bytes]:
    """By version. A file that some parent does not have is left to the walk."""
    found = {}
    for file, version in zip(new, versions, strict=True):
        before = [files.get(file.path) for files in (first, *merge.others)]
        parents = [one for one in before if one is not None and one.extraction != version.extraction]
        if len(parents) < len(before):
            continue
        pairs = [certain for one in parents if (certain := merge.certain(file, one)) is not None]
        if len(pairs) == len(parents):
            sides = [_ParentSide(*side) for side in zip(pairs, parents, strict=True)]
            found[version.version] = encode_records(list(_records(sides, version)))
    return found


def _records(sides: Sequence[_ParentSide], version: Version) -> Iterator[EntityRecord]:
    for e, identity in enumerate(version.identities):
        links = _links(sides, e)
        is_same = links is not None and all(link.identity == identity for link in links)
        if not is_same or links is None or len(links) < len(sides):
            place = place_record(OutlinedEntity(sides[0].new, e).location, version.path)
            yield EntityRecord(identity, place, links, None)


def _links(sides: Sequence[_ParentSide], e: int) -> tuple[LinkRecord, ...] | None:
    links = []
    for number, side in enumerate(sides):
        index = side.unchanged(e)
        if index is not None:
            place = place_record(OutlinedEntity(side.old, index).location, side.new.path)
            links.append(LinkRecord(number, side.version.identities[index], place))
        elif not side.has_changed(e):
            return None
    return tuple(links) or None


class _ParentSide:
    """A file in one parent and in the merge."""

    def __init__(self, certain: CertainPairs, version: Version) -> None:
        self.certain, self.version = certain, version
        self.old = certain.old_file._replace(source=cache(certain.old_file.source))
        self.new = certain.new_file._replace(source=cache(certain.new_file.source))

    def unchanged(self, e: int) -> int | None:
        """The entity as it was in the parent, if that surely is the same."""
        index = self.certain.unchanged(e) if self.certain.keeps_path else None
        return index if index is not None and self._is_same(index, e) else None

    def has_changed(self, e: int) -> bool:
        """Whether no walk can find it unchanged: its text is not there, and its namesakes differ."""
        if OutlinedEntity(self.new, e).read_text() in self.old.source():
            return False
        return not any(self._is_same(index, e) for index in self.certain.old_namesakes_of(e))

    def _is_same(self, old: int, new: int) -> bool:
        if is_verbatim(self.old, old, self.new, new):
            return have_same_package(self.old, self.new, self.new.outline.entities[new].language)
        return not find_changes(OutlinedEntity(self.old, old), OutlinedEntity(self.new, new))
