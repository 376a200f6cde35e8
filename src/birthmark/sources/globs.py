"""Translate git's path patterns to regular expressions over bytes.

Takes a pattern of `.gitignore` or `.gitattributes`; returns a Glob, or None if it can match nothing. Matching takes
linear time in the length of the name for each star, so that hostile patterns cannot take exponential time.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": string.ascii_letters + string.digits + string.punctuation,
    "lower": string.ascii_lowercase,
    "print": string.ascii_letters + string.digits + string.punctuation + " ",
    "punct": string.punctuation,
    "space": " \t\n\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}
_TOKEN = re.compile(
    rb"(?P<stars>\*\*+) | (?P<star>\*) | (?P<any>\?) | (?P<set>\[) | \\(?P<escaped>.) | (?P<bad>\\) | (?P<plain>.)",
    re.S | re.X,
)
_SPECIAL = re.compile(rb"[*?\[\\]")
_CLASS = re.compile(b"\\[:(%s):\\]" % "|".join(_CLASSES).encode())
_BROKEN_CLASS = re.compile(rb"\[:[^\]]*:\]")
_ANY, _STAR, _FOLDERS, _ALL = b"[^/]", b"[^/]*", b"(?:[^/]*/)*", b".*"


# Takes the name of an entry, its path, and True for a folder; gives the indexes of the patterns that match it, the last
# one first.
Matches = Callable[[bytes, bytes, bool], Sequence[int]]


class Glob(NamedTuple):
    """A compiled pattern: a bare one matches names of entries, any other paths below the pattern's folder."""

    text: bytes  # without the slashes around it
    regex: bytes
    is_bare: bool
    only_folders: bool


def read_glob(text: bytes) -> Glob | None:
    only_folders = text.endswith(b"/")
    text = text[:-1] if only_folders else text
    is_bare = b"/" not in text
    text = text.removeprefix(b"/")
    pieces = _split(text, 0 if is_bare else _literal_length(text)) if text else None
    return None if pieces is None else Glob(text, _join(pieces), is_bare, only_folders)


def literal_start(text: bytes) -> bytes:
    """Return the common prefix of all matches of a pattern."""
    return text[: _literal_length(text)]


def _literal_length(text: bytes) -> int:
    special = _SPECIAL.search(text)
    return special.start() if special else len(text)


def _split(text: bytes, n_literal: int) -> list[bytes] | None:
    """Split a pattern at its stars; the parts between them become regular expressions."""
    pieces = [b""]
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        if match.lastgroup == "bad":
            return None
        if match.lastgroup == "set":
            found = _read_set(text, position)
            if found is None:
                return None
            members, position = found
            pieces[-1] += _write_set(members)
        elif match.lastgroup == "any":
            pieces[-1] += _ANY
        elif match.lastgroup in ("star", "stars"):
            star, position = _read_stars(text, match, n_literal)
            pieces += [star, b""]
        else:
            pieces[-1] += re.escape(match[match.lastgroup or 0])
    return pieces


def _read_stars(text: bytes, match: re.Match[bytes], n_literal: int) -> tuple[bytes, int]:
    start, end = match.span()
    # Git removes the literal prefix of a pattern first, so that the stars of `a**/b` are at a border, too.
    at_border = start == n_literal or text[start - 1 : start] == b"/"
    if match.lastgroup == "star" or not at_border:
        return _STAR, end
    if text[end : end + 1] == b"/":
        return _FOLDERS, end + 1
    return (_ALL if text[end:] == b"" or text[end : end + 2] == b"\\/" else _STAR), end


def _read_set(text: bytes, start: int) -> tuple[set[int], int] | None:
    """Return the bytes in a set such as `[a-z]`, and its end; None if it is malformed."""
    negated = text[start : start + 1] in (b"!", b"^")
    start = position = start + negated
    members: set[int] = set()
    first: int | None = None  # the possible start of a range
    # A closing bracket that comes first is a member.
    while position == start or text[position : position + 1] != b"]":
        read = _read_class(text, position) or _read_member(text, position, first)
        if read is None:
            return None
        added, first, position = read
        members |= added
    return (set(range(256)) - members if negated else members) - {ord("/")}, position + 1


_Members = tuple[set[int], int | None, int]


def _read_class(text: bytes, position: int) -> _Members | None:
    named = _CLASS.match(text, position)
    return (set(_CLASSES[named[1].decode()].encode()), None, named.end()) if named else None


def _read_member(text: bytes, position: int, first: int | None) -> _Members | None:
    """Read a byte, or the rest of a range that began with the byte before."""
    if _BROKEN_CLASS.match(text, position):
        return None
    is_range = first is not None and text[position : position + 1] == b"-" and text[position + 1 : position + 2] != b"]"
    position += is_range
    position += text[position : position + 1] == b"\\"
    if position >= len(text):
        return None
    last = text[position]
    if is_range and first is not None:
        return set(range(first, last + 1)), None, position + 1
    return {last}, last, position + 1


def _write_set(members: set[int]) -> bytes:
    return b"[" + b"".join(b"\\x%02x" % member for member in sorted(members)) + b"]" if members else b"(?!)"


def _join(pieces: list[bytes]) -> bytes:
    """Join stars and the parts between them.

    Where another star follows, the first position at which a part matches is as good as any later one. Atomic groups
    express that, and prevent exponential backtracking.
    """
    wide = [index for index, piece in enumerate(pieces) if index % 2 and piece is not _STAR]
    borders = [*wide, len(pieces)]
    regex = _join_narrow(pieces[: borders[0]])
    for start, end in pairwise(borders):
        part = pieces[start] + b"?" + _join_narrow(pieces[start + 1 : end])
        regex += part if end == len(pieces) else b"(?>" + part + b")"
    return regex


def _join_narrow(pieces: list[bytes]) -> bytes:
    regex = pieces[0]
    for index in range(2, len(pieces), 2):
        is_last = index == len(pieces) - 1 or b"/" in pieces[index].replace(_ANY, b"")
        regex += _STAR + pieces[index] if is_last else b"(?>" + _STAR + b"?" + pieces[index] + b")"
    return regex


def match_globs(globs: Sequence[Glob], folder: bytes) -> Matches:
    """Return the function that matches entries below a folder with the patterns of one file.

    Most entries match none of them; a combined test finds that quickly.
    """
    n_prefix = len(folder)
    tests = (_quick_test([glob for glob in globs if not glob.only_folders]), _quick_test(globs))

    def matches(name: bytes, path: bytes, is_folder: bool) -> Sequence[int]:
        path = path[n_prefix:]
        if not tests[is_folder](name, path):
            return ()
        return [
            index
            for index in range(len(globs) - 1, -1, -1)
            if (is_folder or not globs[index].only_folders) and _matches(globs[index], name, path)
        ]

    return matches


def _quick_test(globs: Sequence[Glob]) -> Callable[[bytes, bytes], bool]:
    """Return a test of name and path against all patterns; plain names and endings need no regular expression."""
    bare = [glob for glob in globs if glob.is_bare]
    rest = [glob for glob in globs if not glob.is_bare]
    names = {glob.text for glob in bare if _is_literal(glob.text)}
    suffixes = tuple(glob.text[1:] for glob in bare if _is_suffix(glob.text))
    paths = {glob.text for glob in rest if _is_literal(glob.text)}
    match_name, match_path = _compile_any(bare), _compile_any(rest)

    def may_match(name: bytes, path: bytes) -> bool:
        return (
            name in names
            or name.endswith(suffixes)
            or path in paths
            or (match_name is not None and match_name(name) is not None)
            or (match_path is not None and match_path(path) is not None)
        )

    return may_match


def _compile_any(globs: Sequence[Glob]) -> Callable[[bytes], re.Match[bytes] | None] | None:
    regexes = [
        glob.regex for glob in globs if not _is_literal(glob.text) and not (glob.is_bare and _is_suffix(glob.text))
    ]
    return re.compile(b"|".join(regexes), re.S).fullmatch if regexes else None


def _matches(glob: Glob, name: bytes, path: bytes) -> bool:
    return re.compile(glob.regex, re.S).fullmatch(name if glob.is_bare else path) is not None


def _is_literal(text: bytes) -> bool:
    return _SPECIAL.search(text) is None


def _is_suffix(text: bytes) -> bool:
    return text.startswith(b"*") and _is_literal(text[1:])
