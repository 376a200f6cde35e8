"""Parse a REF into one of its forms, without looking anything up.

Takes the text that a user gave; gives a Ref, of which str() is the REF again. Every text has exactly one form, the
first in FORMS that matches: the grammars of ids first, then paths with lines or names, else it is a name. A path is
relative to the user's folder until `relative_to` has made it a path of the repository, as git does it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Self

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.identity.keys import parse_key, parse_mark
from birthmark.identity.semantic_ids import parse_semantic_id

LONGEST_REF = 4096  # characters
MOST_FOLDERS = 500  # in a path or a pattern of paths
_SHOWN = 40  # characters of a REF that is refused
FROM_ROOT = ":/"  # git's prefix of a path from the root, in any folder
IN_INDEX = ":"  # git's prefix of a path in its index, which is from the root, too
_LINES = re.compile(r"(?P<path>.+):(?P<first>[0-9]{1,99})(?:-(?P<last>[0-9]{1,99}))?", re.DOTALL)
_CHUNK_UID = re.compile(
    r"ck64:v1:repo:(?P<path>.+?)(?:#seg:segu:v1:[0-9a-f]{16})?(?::[^:]*)?(?::[0-9a-f]{16}){1,3}(?::ord[0-9]+)?",
    re.DOTALL,
)
_WILDCARD = re.compile(r"[*?\[]")
_SPECIAL_IN_GLOB = re.compile(r"[*?\[\\]")
_LIMITS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda text: len(text) > LONGEST_REF, f"is longer than {LONGEST_REF:,} characters; name something shorter"),
    (lambda text: text.count("/") > MOST_FOLDERS, f"has more than {MOST_FOLDERS} folders; name fewer"),
    (lambda text: "\0" in text, "has a null character; leave it out"),
)


class _RefForm(msgspec.Struct, frozen=True):
    def relative_to(self, folder: str, roots: Sequence[str] = ()) -> Self:
        """Return the REF for a user in a folder of the repository; `roots` are absolute paths of its root."""
        return self


class MarkRef(_RefForm, frozen=True):
    """A mark, as it was issued."""

    mark: str

    def __str__(self) -> str:
        return self.mark


class KeyRef(_RefForm, frozen=True):
    """A key, present or former."""

    key: str

    def __str__(self) -> str:
        return self.key


class ChunkUidRef(_RefForm, frozen=True):
    """A chunk uid; its path is one of the repository."""

    uid: str
    path: str

    def __str__(self) -> str:
        return self.uid


class SemanticIdRef(_RefForm, frozen=True):
    """A semantic id; its path is one of the repository."""

    semantic_id: str

    def __str__(self) -> str:
        return self.semantic_id


class PatternRef(_RefForm, frozen=True):
    """`paths::names` with wildcards: entities whose path and qualified name match; an empty part matches all."""

    paths: str
    names: str

    def __str__(self) -> str:
        return f"{self.paths}::{self.names}"

    def relative_to(self, folder: str, roots: Sequence[str] = ()) -> Self:
        return msgspec.structs.replace(self, paths=_pattern_from(folder, self.paths))


class NamedRef(_RefForm, frozen=True):
    """`path::Qualified.name`."""

    path: str
    qualified_name: str

    def __str__(self) -> str:
        return f"{self.path}::{self.qualified_name}"

    def relative_to(self, folder: str, roots: Sequence[str] = ()) -> Self:
        return msgspec.structs.replace(self, path=path_from(folder, self.path, roots))


class LinesRef(_RefForm, frozen=True):
    """`path:line` or `path:first-last`."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first}" if self.first == self.last else f"{self.path}:{self.first}-{self.last}"

    def relative_to(self, folder: str, roots: Sequence[str] = ()) -> Self:
        return msgspec.structs.replace(self, path=path_from(folder, self.path, roots))


class NameRef(_RefForm, frozen=True):
    """A qualified or simple name that has to be unique."""

    name: str

    def __str__(self) -> str:
        return self.name


Ref = MarkRef | KeyRef | ChunkUidRef | SemanticIdRef | PatternRef | NamedRef | LinesRef | NameRef


def parse_ref(text: str) -> Ref:
    check_ref(text)
    found = (parse(text) for parse in FORMS)
    return next((ref for ref in found if ref is not None), NameRef(text))


def check_ref(text: str) -> None:
    """Reject a REF or a pattern that would take long to look up, or that can name nothing."""
    problem = next((problem for is_wrong, problem in _LIMITS if is_wrong(text)), None)
    if problem is not None:
        raise BirthmarkError(f"{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}: {problem}")


def parse_entity_ref(text: str) -> Ref:
    """Parse a REF that names one entity: a wildcard is an ordinary character in it, as in `ns::operator*`."""
    ref = parse_ref(text)
    return _parse_named(text) or NameRef(text) if isinstance(ref, PatternRef) else ref


def path_from(folder: str, path: str, roots: Sequence[str] = ()) -> str:
    """Return the path of the repository that a user in a folder means; raise an error if it leads out of it."""
    check_ref(path)
    if path.startswith(IN_INDEX):
        folder, path = "", path.removeprefix(FROM_ROOT).removeprefix(IN_INDEX)
    absolute = posixpath.normpath(path)
    below = next((absolute[len(root) :].lstrip("/") for root in roots if _is_below(absolute, root)), None)
    return _inside(path, posixpath.normpath(posixpath.join(folder or ".", path)) if below is None else below or ".")


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root.rstrip('/')}/")


def _inside(given: str, path: str) -> str:
    if path == ".." or path.startswith("../"):
        raise BirthmarkError(f"{given}: is outside the repository; name a path in it")
    if path.startswith("/"):
        raise BirthmarkError(f"{given}: is an absolute path outside the repository; name a path in it")
    return path


def _pattern_from(folder: str, paths: str) -> str:
    """Return the pattern from the root; one without a slash is for names in any folder below the current one."""
    start = "" if paths.startswith(FROM_ROOT) else _SPECIAL_IN_GLOB.sub(r"\\\g<0>", folder)
    paths = paths.removeprefix(FROM_ROOT)
    if not start:
        return paths if ".." not in paths.split("/") else _inside(paths, posixpath.normpath(paths))
    if "/" not in paths.removesuffix("/"):
        paths = f"**/{paths}" if paths else "**"
    return _inside(paths, _normal_glob(f"{start}/{paths.removeprefix('/')}"))


def _normal_glob(paths: str) -> str:
    """Return a normal path; a slash at the end, which means folders only, stays."""
    return posixpath.normpath(paths) + ("/" if paths.endswith("/") else "")


def _parse_mark(text: str) -> MarkRef | None:
    mark = parse_mark(text)
    return MarkRef(mark) if mark is not None else None


def _parse_key(text: str) -> KeyRef | None:
    return KeyRef(text) if parse_key(text) is not None else None


def _parse_chunk_uid(text: str) -> ChunkUidRef | None:
    match = _CHUNK_UID.fullmatch(text)
    return ChunkUidRef(text, match["path"]) if match else None


def _parse_semantic_id(text: str) -> SemanticIdRef | None:
    return SemanticIdRef(text) if parse_semantic_id(text) is not None else None


def _parse_pattern(text: str) -> PatternRef | None:
    paths, colons, names = text.partition("::")
    return PatternRef(paths, names) if colons and _WILDCARD.search(text) else None


def _parse_named(text: str) -> NamedRef | None:
    path, colons, name = text.partition("::")
    return NamedRef(path, name) if colons and path and name else None


def _parse_lines(text: str) -> LinesRef | None:
    match = _LINES.fullmatch(text)
    if match is None:
        return None
    return LinesRef(match["path"], int(match["first"]), int(match["last"] or match["first"]))


FORMS: tuple[Callable[[str], Ref | None], ...] = (
    _parse_mark,
    _parse_key,
    _parse_chunk_uid,
    _parse_semantic_id,
    _parse_pattern,
    _parse_named,
    _parse_lines,
)
