"""Decode sources that are not UTF-8.

Takes the bytes of a file; returns its text in UTF-8, which is what all offsets of entities and chunks count. A source
in UTF-8 is returned as it is, with its byte order mark and its broken bytes.
"""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # which begins like UTF-16
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"coding[:=][ \t]*([-\w.]+)")  # as in Python, in one of the first two lines
# A source may only name these: other codecs of Python do more than decode.
_KNOWN = re.compile(
    r"(?:iso[-_]?8859|windows|cp)[-_]?\d{1,4}|latin[-_]?\d|koi8[-_][rut]|shift_?jis|sjis|euc[-_]?(?:jp|kr)"
    r"|gbk|gb2312|gb18030|big5|mac[-_]?roman",
    re.I,
)
_USUAL = ("cp1252", "latin-1")  # The first lacks five bytes, the second has them all.


def to_utf8(content: bytes) -> bytes:
    """Return the text of a source in UTF-8."""
    if content.isascii():
        return content
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decode(content, encoding) or content
    try:
        content.decode()
    except UnicodeDecodeError:
        return _from_old_encoding(content)
    return content


def _from_old_encoding(content: bytes) -> bytes:
    """Decode by the declared encoding or the usual ones; UTF-8 with broken bytes, and what is no text, stay."""
    if b"\0" in content:
        return content
    declared = _DECLARED.search(b"\n".join(content.split(b"\n", 2)[:2]))
    name = declared[1].decode() if declared else ""
    if _KNOWN.fullmatch(name) and (decoded := _decode(content, name)) is not None:
        return decoded
    if not content.decode("utf-8", "ignore").isascii():
        return content
    return next(text for encoding in _USUAL if (text := _decode(content, encoding)) is not None)


def _decode(content: bytes, encoding: str) -> bytes | None:
    try:
        return content.decode(encoding).encode()
    except (UnicodeError, LookupError):
        return None
