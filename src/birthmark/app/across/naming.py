"""How what is in another repository is written: `REPOSITORY//path`."""

from __future__ import annotations

BORDER = "//"  # between a repository and what is in it; a path has none


def place_elsewhere(repository: str | None, place: str) -> str:
    """A path or a REF, with its repository if that is another one."""
    return f"{repository}{BORDER}{place}" if repository else place
