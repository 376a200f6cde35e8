"""Which other repositories of a database are visible to who asks."""

from __future__ import annotations

Visible = frozenset[str] | None  # names of repositories; None for all that the database shows
ALL_VISIBLE: Visible = None


def is_visible(repository: str | None, visible: Visible) -> bool:
    """The own one is, which has no name here."""
    return repository is None or visible is None or repository in visible
