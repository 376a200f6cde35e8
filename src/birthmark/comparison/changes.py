"""Say what became of an entity between two states, in one word and its aspects.

The boldest word wins: an entity that is relocated, renamed and modified is `relocated`; its aspects say the rest.
"""

from __future__ import annotations

from typing import Protocol

from birthmark.extraction.model import OutlinedEntity
from birthmark.vocabulary import DIFF_CHANGES, Aspect, Change

COMPARED = (*DIFF_CHANGES, Change.UNCHANGED)  # in the order of their counts


def name_change(before: OutlinedEntity, after: OutlinedEntity) -> Change:
    """Another file, another name, other code, other lines or another parent; or nothing."""
    old, new = before.entity, after.entity
    if before.file.path != after.file.path:
        return Change.RELOCATED
    if old.name != new.name:
        return Change.RENAMED
    if compare_fingerprints(before.fingerprint, after.fingerprint):
        return Change.MODIFIED
    if (old.start_line, old.end_line, old.parent) != (new.start_line, new.end_line, new.parent):
        return Change.MOVED
    return Change.UNCHANGED


class Fingerprinted(Protocol):
    """The fingerprints of an entity, in any form."""

    @property
    def content(self) -> str: ...
    @property
    def interface(self) -> str: ...
    @property
    def body(self) -> str | None: ...
    @property
    def documentation(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def version(self) -> int: ...


def compare_fingerprints(old: Fingerprinted, new: Fingerprinted) -> tuple[Aspect, ...]:
    """Formatting means that only layout and comments changed."""
    if old == new:
        return ()
    if old.version != new.version:
        return ()  # They cannot be compared, and the code is not what changed.
    differs = {
        Aspect.INTERFACE: old.interface != new.interface,
        Aspect.BODY: old.body != new.body,
        Aspect.DOCUMENTATION: old.documentation != new.documentation,
    }
    aspects = tuple(aspect for aspect, is_other in differs.items() if is_other)
    if not aspects and old.text != new.text and old.content == new.content:
        return (Aspect.FORMATTING,)
    return aspects
