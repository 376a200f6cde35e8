"""Other repositories of a database: how what is in them is written, and which of them are visible to who asks."""

from __future__ import annotations

BORDER = "//"  # between a repository and what is in it; a path has none

Visible = frozenset[str] | None  # names of repositories; None for all that the database shows
ALL_VISIBLE: Visible = None


def place_elsewhere(repository: str | None, place: str) -> str:
    """Return a path or a REF, with its repository if that is another one."""
    return f"{repository}{BORDER}{place}" if repository else place


def is_visible(repository: str | None, visible: Visible) -> bool:
    """Return whether a repository is visible; the own one is, which has no name here."""
    return repository is None or visible is None or repository in visible
