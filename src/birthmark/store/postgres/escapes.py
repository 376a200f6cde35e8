"""Texts with NUL, which PostgreSQL does not take: names in broken sources, say.

NUL and the character after it are written as two characters each, which keeps the order of texts. Few repositories have
any; those are marked, so that the texts of all others are read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

_ESCAPED = {"\0": "\x01\x01", "\x01": "\x01\x02"}
_MEANT = {escaped: character for character, escaped in _ESCAPED.items()}
_TO_ESCAPE = re.compile("[\0\x01]")
_ESCAPE = re.compile("\x01[\x01\x02]")


def needs_escapes(rows: Iterable[Sequence[Any]]) -> bool:
    return any(_is_special(value) for row in rows for value in row)


def escape_row(row: Sequence[Any]) -> Sequence[Any]:
    return tuple(map(_escape, row)) if any(map(_is_special, row)) else row


def unescape_row(row: Sequence[Any]) -> Sequence[Any]:
    return tuple(map(_unescape, row))


def _is_special(value: Any) -> bool:
    if type(value) is list:
        return any(map(_is_special, value))
    return isinstance(value, str) and ("\0" in value or "\x01" in value)


def _escape(value: Any) -> Any:
    if isinstance(value, list):
        return [_escape(one) for one in value]
    return _TO_ESCAPE.sub(lambda found: _ESCAPED[found[0]], value) if isinstance(value, str) else value


def _unescape(value: Any) -> Any:
    return _ESCAPE.sub(lambda found: _MEANT[found[0]], value) if isinstance(value, str) else value
