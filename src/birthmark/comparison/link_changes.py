"""What a commit changed about an entity that it kept: its name, its place, and what it declares.

Takes the old and new files of a commit, their pairing and a pair of it; gives words of histories. `history.follow` and
a replay use it, so that a walked history and the ledger have the same words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from birthmark.comparison.declaration_changes import find_changes
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import HistoryChange

Files = Sequence[OutlinedFile]


def find_link_changes(
    old: Files, new: Files, pairing: CommitPairing, old_ref: EntityRef, new_ref: EntityRef
) -> list[HistoryChange]:
    """None where the entity is as it was; another line is no change."""
    old_file, new_file = old[old_ref[0]], new[new_ref[0]]
    before, after = OutlinedEntity(old_file, old_ref[1]), OutlinedEntity(new_file, new_ref[1])
    changes = [HistoryChange.RENAME] if before.entity.name != after.entity.name else []
    is_elsewhere = (old_file.path, before.entity.parent) != (new_file.path, after.entity.parent)
    if is_elsewhere or not have_same_package(old_file, new_file, after.entity.language):
        has_container = _moved_with_container(old, new, pairing, old_ref, new_ref)
        changes.append(HistoryChange.CONTAINER if has_container else HistoryChange.MOVED)
    return changes + find_changes(before, after)


def is_verbatim(old_file: OutlinedFile, e: int, new_file: OutlinedFile, d: int) -> bool:
    """Whether two entities at one path have the same name, parent and text, with the comments above it."""
    if old_file.outline.fingerprints[e] != new_file.outline.fingerprints[d] or old_file.path != new_file.path:
        return False
    old, new = old_file.outline.entities[e], new_file.outline.entities[d]
    if old.name != new.name or old.parent != new.parent:
        return False
    if old.lead_start == old.start_byte and new.lead_start == new.start_byte:
        return True
    return OutlinedEntity(old_file, e).read_text() == OutlinedEntity(new_file, d).read_text()


def package_of(content: bytes, language: str) -> list[bytes]:
    """The package or namespace that a file declares, which is a container, too."""
    spec = load_registry().languages.get(language)
    keyword = spec.package_keyword.encode() if spec else b""
    found = re.search(rb"^[ \t]*%s[ \t]+[\w.\\]+" % keyword, content, re.M) if keyword else None
    return [found[0].strip()] if found else []


def have_same_package(old: OutlinedFile, new: OutlinedFile, language: str) -> bool:
    spec = load_registry().languages.get(language)
    if spec is None or not spec.package_keyword:
        return True
    return package_of(old.source(), language) == package_of(new.source(), language)


def _moved_with_container(
    old: Files, new: Files, pairing: CommitPairing, old_ref: EntityRef, new_ref: EntityRef
) -> bool:
    """Whether the container of an entity, or at top level its file, is where it is now."""
    before = old[old_ref[0]].outline.entities[old_ref[1]]
    after = new[new_ref[0]].outline.entities[new_ref[1]]
    container = pairing.predecessors.get((new_ref[0], after.container))
    if container is not None and container.ref == (old_ref[0], before.container):
        return True
    if before.container >= 0 or after.container >= 0:
        return False
    old_path, new_path = old[old_ref[0]].path, new[new_ref[0]].path
    if (before.parent, after.parent) == (None, None):
        return new_path in (old_path, pairing.files.get(old_path))
    return _most_members_moved(old, new, pairing, (old_ref[0], new_ref[0]), (before.parent, after.parent))


def _most_members_moved(
    old: Files, new: Files, pairing: CommitPairing, files: tuple[int, int], parents: tuple[str | None, str | None]
) -> bool:
    """Whether most that belonged to the one type now belongs to the other; of methods outside of their types."""
    befores, afters = old[files[0]].outline.entities, new[files[1]].outline.entities
    went = [
        file == files[1] and afters[after].parent == parents[1]
        for (file, after), ((old_file, before), *_) in pairing.predecessors.items()
        if old_file == files[0] and befores[before].parent == parents[0]
    ]
    return 2 * went.count(True) > len(went)
