"""Read `.gitattributes`: the languages of files, and the marks of vendored and generated ones.

The attribute files from the repository's root down to the file's folder apply, and the last match wins, as in git.
Macros are not expanded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from birthmark.sources.globs import Glob, Matches, match_globs, read_glob
from birthmark.sources.ignores import read_rules, split_rules

ATTRIBUTES_FILE = ".gitattributes"
LOCAL_ATTRIBUTES = b"/info/attributes"  # in the git folder
_LANGUAGE, _VENDORED, _GENERATED = b"linguist-language", b"linguist-vendored", b"linguist-generated"
_NAMES = (_LANGUAGE, _VENDORED, _GENERATED)
_LINE = re.compile(rb'\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s+(.*)', re.S)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.S)
_ESCAPED = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))

Assignments = dict[bytes, bytes | None]


# The language of a file, and True if it is vendored or generated. A file that is explicitly neither has at least an
# empty language: its content is not judged.
Traits = tuple[str | None, bool]
_NO_TRAITS: Traits = (None, False)


AttributeFile = tuple[Matches, Sequence[Assignments]]  # the patterns and assignments of its lines


class Attributes(NamedTuple):
    """The attribute files that apply in a folder, in order of precedence."""

    files: tuple[AttributeFile, ...] = ()
    n_local: int = 0  # number of files local to this clone, which come first

    def extended(self, folder: bytes, lines: Sequence[bytes]) -> Self:
        file = read_attribute_file(lines, folder)
        local, shared = self.files[: self.n_local], self.files[self.n_local :]
        return self._replace(files=local + file + shared) if file else self

    @property
    def name_languages(self) -> bool:
        return any(_LANGUAGE in assignments for _, lines in self.files for assignments in lines)

    def of_file(self, name: bytes, path: bytes) -> Traits:
        values: Assignments = {}
        for matches, lines in self.files:
            for index in matches(name, path, False):
                values = lines[index] | values  # The first assignment counts.
        return _read_traits(values) if values else _NO_TRAITS


class CommittedAttributes:
    """Attribute files of commits; `blob_in` finds the one of a folder in a commit."""

    def __init__(self, read: Callable[[str], bytes], local: Attributes = Attributes()) -> None:  # noqa: B008 immutable
        self._read, self._local = read, local
        self.are_local = bool(local.files)
        self._cached: dict[tuple[tuple[bytes, str], ...], Attributes] = {}

    def of_path(self, path: bytes, blob_in: Callable[[bytes], str | None]) -> Traits:
        folder, slash, name = path.rpartition(b"/")
        return self.of_folder(folder + slash, blob_in).of_file(name, path)

    def of_folder(self, folder: bytes, blob_in: Callable[[bytes], str | None]) -> Attributes:
        """Return the attributes in a folder, which ends with a slash, here and for `blob_in`; the root is empty."""
        folders = (folder[: end + 1] for end in (-1, *(at for at, byte in enumerate(folder) if byte == 0x2F)))
        chain = tuple((folder, blob) for folder in folders if (blob := blob_in(folder)) is not None)
        return self._attributes(chain)

    def _attributes(self, chain: tuple[tuple[bytes, str], ...]) -> Attributes:
        n_known = next((n for n in range(len(chain), 0, -1) if chain[:n] in self._cached), 0)
        found = self._cached[chain[:n_known]] if n_known else self._local
        for n, (folder, blob) in enumerate(chain[n_known:], n_known + 1):
            found = self._cached[chain[:n]] = found.extended(folder, split_rules(self._read(blob)))
        return found


def local_attributes(lines: Sequence[bytes]) -> Attributes:
    """Return the attributes local to this clone."""
    files = read_attribute_file(lines, b"")
    return Attributes(files, len(files))


def linguist_language(path: Path) -> str | None:
    """Return the language that attributes give to a file, if any."""
    path = path.absolute()
    folders = _folders_from_root(path.parent)
    attributes = Attributes()
    for folder in folders:
        below = os.fsencode(folder.relative_to(folders[0]).as_posix()) + b"/"
        lines = read_rules(os.fsencode(folder / ATTRIBUTES_FILE))
        attributes = attributes.extended(b"" if folder == folders[0] else below, lines)
    return attributes.of_file(os.fsencode(path.name), os.fsencode(path.relative_to(folders[0]).as_posix()))[0]


def read_attribute_file(lines: Sequence[bytes], folder: bytes) -> tuple[AttributeFile, ...]:
    """Read the attribute file in a folder, which is a path below the root that ends with a slash."""
    read = [line for line in map(_read_line, lines) if line is not None]
    return (
        ((match_globs([glob for glob, _ in read], folder), [assignments for _, assignments in read]),) if read else ()
    )


def _read_line(line: bytes) -> tuple[Glob, Assignments] | None:
    match = _LINE.match(line) if b"linguist-" in line else None
    if match is None or line.lstrip().startswith((b"#", b"[attr]", b"!")):
        return None
    assignments = dict(word for word in map(_read_word, match[3].split()) if word[0] in _NAMES)
    glob = read_glob(match[2] if match[1] is None else _ESCAPE.sub(_unescape, match[1]))
    return (glob, assignments) if glob is not None and assignments else None


def _read_word(word: bytes) -> tuple[bytes, bytes | None]:
    """Read `name`, `-name`, `!name` (without a value) or `name=value`."""
    if word.startswith(b"-"):
        return word[1:], b"false"
    if word.startswith(b"!"):
        return word[1:], None
    name, _, value = word.partition(b"=")
    return name, value.strip(b"\"'") or b"true"


def _unescape(match: re.Match[bytes]) -> bytes:
    escaped = match[1]
    return bytes([int(escaped, 8) & 255]) if len(escaped) == 3 else bytes([_ESCAPED.get(escaped[0], escaped[0])])


def _read_traits(values: Assignments) -> Traits:
    marks = [mark for name in (_VENDORED, _GENERATED) if (mark := values.get(name)) is not None]
    is_foreign = any(mark != b"false" for mark in marks)
    language = values.get(_LANGUAGE)
    if language and language not in (b"true", b"false"):
        return language.decode("utf-8", "replace"), is_foreign
    return "" if marks and not is_foreign else None, is_foreign


def _folders_from_root(folder: Path) -> list[Path]:
    """Return the folders from the repository's root down; outside a repository only the given one."""
    chain = [folder, *folder.parents]
    for depth, parent in enumerate(chain):
        if (parent / ".git").exists():
            return chain[depth::-1]
    return [folder]
