"""Which changes of a comparison are asked for: by path, kind, language and change.

A change passes if it fits one of the values of each sort that was given; paths fit before or after.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from birthmark.comparison.entities import EntityChange


class ChangeFilter(NamedTuple):
    """Values of each sort, of which one must fit; all do where there are none.

    A path is a file, a folder or a pattern with `*`, from the root; with `!` in front, it is left out.
    """

    paths: tuple[str, ...] = ()
    kinds: Collection[str] = ()
    languages: Collection[str] = ()
    changes: Collection[str] = ()

    def passes(self, change: EntityChange) -> bool:
        is_asked_for = not self.changes or change.change in self.changes
        return is_asked_for and self.fits(change.kind, change.language, _paths_of(change) if self.paths else ())

    def fits(self, kind: str, language: str, paths: Collection[str]) -> bool:
        """Whether an entity fits, and one of the paths at which it is."""
        return (
            (not self.kinds or kind in self.kinds)
            and (not self.languages or language in self.languages)
            and (not self.paths or any(fits_path(path, self.paths) for path in paths))
        )


def fits_path(path: str, patterns: Sequence[str]) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    unwanted = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return (not wanted or _fits_any(path, wanted)) and not _fits_any(path, unwanted)


def _fits_any(path: str, patterns: Sequence[str]) -> bool:
    return any(
        pattern in ("", ".") or path == pattern or path.startswith(f"{pattern}/") or fnmatchcase(path, pattern)
        for pattern in (pattern.rstrip("/") for pattern in patterns)
    )


def _paths_of(change: EntityChange) -> set[str]:
    return {location.path for location in (change.before, change.after) if location is not None}
