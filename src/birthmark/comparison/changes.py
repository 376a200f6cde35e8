"""Say what became of an entity between two states, in one word and its aspects.

The boldest word wins: an entity that is relocated, renamed and modified is `relocated`, and its aspects tell the
rest.
"""

from __future__ import annotations

from typing import Protocol

from birthmark.model import Entity

ADDED, DELETED, REVIVED, BORN = "added", "deleted", "revived", "born"
RELOCATED, RENAMED, MODIFIED, MOVED, UNCHANGED = "relocated", "renamed", "modified", "moved", "unchanged"
WORDS = (ADDED, DELETED, MODIFIED, MOVED, RENAMED, RELOCATED, UNCHANGED)

INTERFACE, BODY, DOCUMENTATION, FORMATTING = "interface", "body", "documentation", "formatting"


def name_change(old_path: str, old: Entity, new_path: str, new: Entity, aspects: tuple[str, ...]) -> str:
    """Another file, another name, another code, another place in the file; or nothing."""
    if old_path != new_path:
        return RELOCATED
    if old.name != new.name:
        return RENAMED
    if aspects:
        return MODIFIED
    if (old.start_line, old.end_line, old.parent) != (new.start_line, new.end_line, new.parent):
        return MOVED
    return UNCHANGED


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


def compare_fingerprints(old: Printed, new: Printed) -> tuple[str, ...]:
    """Formatting stands for a change of layout and comments only."""
    if old == new:
        return ()
    if old.version != new.version:
        return ()  # They cannot be compared, and the code is not what changed.
    differs = {
        INTERFACE: old.interface != new.interface,
        BODY: old.body != new.body,
        DOCUMENTATION: old.documentation != new.documentation,
    }
    aspects = tuple(aspect for aspect, is_other in differs.items() if is_other)
    if not aspects and old.text != new.text and old.content == new.content:
        return (FORMATTING,)
    return aspects
