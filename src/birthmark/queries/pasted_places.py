"""Understand places in code as tools print them and people paste them: tracebacks, permalinks, editors, compilers.

Takes any text; gives the Places that it may name, the likeliest first, without looking anything up. Each form is a row
of PLACES: a pattern with an example. A row names groups: `path`, `first` and `last` lines, the `revision` of a
permalink, `at` for a revision and a path with nothing between them, and the `package` of a class, which is where its
file is. Patterns are bounded, so that a hostile text is cheap.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

_MOST_SEGMENTS = 12  # of a branch in a permalink
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_PREFIX = r"L|lines-|n|[^#\s]{1,300}\.\w{1,10}-"  # Bitbucket writes the name of the file.
_FRAGMENT = rf"#(?:{_PREFIX})?(?P<first>\d{{1,9}})(?:C\d+)?(?:[-:](?:L|lines-)?(?P<last>\d{{1,9}})(?:C\d+)?)?"
_REPOSITORY = r"https?://[^/\s]{1,300}(?:/[^/\s]{1,200}){2,9}?"
_COLUMN = r":(?P<first>\d{1,9})(?::\d{1,9})?"


class PlaceForm(NamedTuple):
    """A form, an example of it, and its pattern. With `may_be_below`, a path may begin anywhere, as in a traceback."""

    meaning: str
    example: str
    pattern: re.Pattern[str]
    may_be_below: bool = False


def _row(meaning: str, example: str, pattern: str, *, may_be_below: bool = True) -> PlaceForm:
    return PlaceForm(meaning, example, re.compile(pattern), may_be_below)


PLACES = (
    _row(
        "a permalink of GitHub, GitLab, Gitea or Bitbucket, as in that commit",
        "https://host/o/r/blob/3f2a9c1/src/app.py#L10-L12",
        _REPOSITORY
        + r"(?:/-)?/(?:blob|blame|raw|src|edit)/(?:(?:commit|branch|tag)/)?(?P<at>[^?#\s]+)(?:\?[^#\s]*)?"
        + rf"(?:{_FRAGMENT})?",
        may_be_below=False,
    ),
    _row(
        "a permalink of Bitbucket Server",
        "https://host/projects/P/repos/r/browse/src/app.py?at=3f2a9c1#10-12",
        _REPOSITORY + rf"/browse/(?P<path>[^?#\s]+)\?at=(?P<revision>[^#&\s]+)(?:&[^#\s]*)?(?:{_FRAGMENT})?",
        may_be_below=False,
    ),
    _row(
        "the URL of a file",
        "file:///home/me/r/src/app.py#L10",
        rf"file://(?:localhost)?(?P<path>/[^?#\s]*?)(?::(?P<line>\d{{1,9}})(?::\d{{1,9}})?|{_FRAGMENT})?",
    ),
    _row(
        "a line of a traceback of Python",
        'File "/app/src/app.py", line 3, in run',
        r'(?:File )?"(?P<path>[^"]+)", line (?P<first>\d{1,9})(?:, in .*)?',
    ),
    _row(
        "a line of a stack trace of Java, Kotlin or Scala",
        "at org.shop.Cart.total(Cart.java:3)",
        r"at (?:[\w.@-]{1,100}/{1,2})?(?P<package>(?:[a-z_]\w{0,99}\.){0,30})[\w$.<>]{1,300}"
        r"\((?P<path>[\w$-]{1,200}\.\w{1,10}):(?P<first>\d{1,9})\)",
    ),
    _row(
        "a line of a stack trace of .NET",
        "at Shop.Cart.Total() in /src/Cart.cs:line 3",
        r"at [^\n]{1,500}? in (?P<path>[^:\n]+):line (?P<first>\d{1,9})",
    ),
    _row(
        "a line of a stack trace of JavaScript or Rust",
        "at total (src/cart.js:3:4)",
        rf"at (?:[^()\n]{{1,300}} )?\(?(?:[\w+.-]{{1,30}}://)?(?P<path>[^()\s][^()\n]*?){_COLUMN}\)?",
    ),
    _row(
        "a line of a stack trace of Go",
        "/go/src/cart.go:3 +0x1d",
        r"(?P<path>\S+?):(?P<first>\d{1,9}) \+0x[0-9a-f]{1,16}",
    ),
    _row(
        "a line of a stack trace of PHP",
        "#0 /app/src/Cart.php(3): total()",
        r"#\d{1,5} (?P<path>[^()\n]+)\((?P<first>\d{1,9})\).*",
    ),
    _row(
        "lines in the style of a permalink", "src/app.py#L10-L20", r"(?P<path>[^#\n]+)" + _FRAGMENT, may_be_below=False
    ),
    _row(
        "a line and a column, also with what a compiler, a linter, grep or Ruby says behind",
        "src/app.py:3:4: unused name",
        rf"(?P<path>[^:\n]+){_COLUMN}(?::(?:in )?.*)?",
        may_be_below=False,
    ),
)


class Place(NamedTuple):
    """Lines of a path. A permalink has the revisions that it may mean, each with its path."""

    path: str
    lines: tuple[int, int] | None  # the first and the last
    revisions: tuple[tuple[str, str], ...] = ()
    may_be_below: bool = False

    def endings(self) -> Iterator[str]:
        """Yield the path, then what is left of it without its first folders."""
        path = posixpath.normpath(self.path).lstrip("/")
        while path:
            yield path
            path = path.partition("/")[2] if self.may_be_below else ""


def read_places(text: str) -> Iterator[Place]:
    """Yield the places that a text may name; none for a name or an id."""
    text = text.strip(" \t")
    for form in PLACES:
        match = form.pattern.fullmatch(text)
        if match is not None:
            yield _place(match.groupdict(), form.may_be_below, is_url="://" in text)


def _place(groups: Mapping[str, str | None], may_be_below: bool, *, is_url: bool) -> Place:
    def read(name: str) -> str:
        found = groups.get(name) or ""
        return unquote(found) if is_url else found

    first = read("first") or read("line")
    last = read("last") or first
    path = read("package").replace(".", "/") + read("path")
    revisions = ((read("revision"), path),) if read("revision") else tuple(_revisions_in(read("at")))
    lines = (int(first), int(last)) if first else None
    return Place(path or read("at"), lines, revisions, may_be_below)


def _revisions_in(at: str) -> Iterator[tuple[str, str]]:
    """Split `3f2a9c1/src/app.py`; the name of a branch may have slashes."""
    first, *rest = at.split("/")
    if _COMMIT.fullmatch(first):
        yield first, "/".join(rest)
        return
    for n_segments in range(min(len(rest), _MOST_SEGMENTS)):
        yield "/".join([first, *rest[:n_segments]]), "/".join(rest[n_segments:])
