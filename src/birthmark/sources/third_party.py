"""Recognise code of others by names: folders of packages, and minified files.

Takes paths; a folder of packages is known by its name, or by a file in it. Nothing is opened. The content of a file is
judged where its language is detected (`languages/registry.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import NamedTuple

from birthmark.languages.registry import load_registry
from birthmark.vocabulary import LeftOutReason

_BY_NAME = frozenset({"node_modules", "bower_components"})
# Files that say that their folder is someone else's: of Go, PHP, CocoaPods, Cargo and Python.
_MARKER = re.compile(
    r"(?:(?:^|.*/)vendor/(?:modules\.txt|autoload\.php)|(?:^|.*/)Pods/Manifest\.lock"
    r"|(?:^|.*/)vendor/[^/]+/\.cargo-checksum\.json|.*/pyvenv\.cfg)"
)
_MARKER_NAMES = frozenset({"modules.txt", "autoload.php", "Manifest.lock", ".cargo-checksum.json", "pyvenv.cfg"})
_MARKER_ANYWHERE = frozenset({"pyvenv.cfg"})
_PACKAGE_OF_OTHERS = re.compile(r"(?:^|.*/)third[_-]?party/[^/]+/[^/]+")  # with its own manifest
_MINIFIED = re.compile(rb".*[.-]min\.[cm]?js")
PackageFolders = Callable[[str], tuple[str, ...]]  # the folders of packages that contain a file, from the root down


class LeftOut(NamedTuple):
    """A file, or a folder with all that is in it, that is not indexed; or the number of files of a folder."""

    path: str
    reason: LeftOutReason
    n_files: int = 1


def is_minified_name(name: bytes) -> bool:
    return _MINIFIED.fullmatch(name) is not None


def is_named_package(path: str) -> bool:
    """Return True for a file in a folder of packages that is known by its name, and for a minified one."""
    *folders, name = path.split("/")
    return not _BY_NAME.isdisjoint(folders) or is_minified_name(name.encode("utf-8", "surrogateescape"))


def markers_in(path: str) -> frozenset[str] | None:
    """Return the names of files that may say that a folder contains packages of others; None if any name may."""
    if "third" in path:
        return None
    return _MARKER_NAMES if "vendor" in path or path.endswith("Pods") else _MARKER_ANYWHERE


def is_package_folder(path: str, names: Collection[str]) -> bool:
    """Return True if a folder below the root, which holds some names, contains packages of others."""
    if path.rpartition("/")[2] in _BY_NAME:
        return True
    return any(_is_marker(f"{path}/{name}") for name in names)


def package_folders(paths: Iterable[str]) -> PackageFolders:
    """Return a function that finds the folders of packages around a file, by all files of its tree."""
    suspects = (path for path in paths if path.rpartition("/")[2] in _MARKER_NAMES or "third" in path)
    marked = frozenset(path.rpartition("/")[0] for path in suspects if _is_marker(path))

    @cache
    def at(folder: str) -> tuple[str, ...]:
        above, _, name = folder.rpartition("/")
        own = (folder,) if name in _BY_NAME or folder in marked else ()
        return at(above) + own if folder else ()

    return lambda path: at(path.rpartition("/")[0])


def _is_marker(path: str) -> bool:
    if _MARKER.fullmatch(path):
        return True
    return _PACKAGE_OF_OTHERS.fullmatch(path) is not None and load_registry().is_manifest(path)
