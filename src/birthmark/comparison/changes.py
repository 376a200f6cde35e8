"""Say what became of an entity between two states, in one word and its aspects.

The boldest word wins: an entity that is relocated, renamed and modified is `relocated`, and its aspects tell the
rest.
"""

from __future__ import annotations

from typing import Protocol

from birthmark.model import Entity
from birthmark.vocabulary import Aspect, Change

COMPARED = (
    Change.ADDED,
    Change.DELETED,
    Change.MODIFIED,
    Change.MOVED,
    Change.RENAMED,
    Change.RELOCATED,
    Change.UNCHANGED,
)  # in the order of their counts


def name_change(old_path: str, old: Entity, new_path: str, new: Entity, aspects: tuple[Aspect, ...]) -> Change:
    """Another file, another name, another code, another place in the file; or nothing."""
    if old_path != new_path:
        return Change.RELOCATED
    if old.name != new.name:
        return Change.RENAMED
    if aspects:
        return Change.MODIFIED
    if (old.start_line, old.end_line, old.parent) != (new.start_line, new.end_line, new.parent):
        return Change.MOVED
    return Change.UNCHANGED


class Printed(Protocol):
    """What has the fingerprints of an entity, in whatever form it keeps them."""

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


def compare_fingerprints(old: Printed, new: Printed) -> tuple[Aspect, ...]:
    """Formatting stands for a change of layout and comments only."""
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
