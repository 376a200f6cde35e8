r"""Read names out of a source: of definitions, callees, accesses and imports."""

from __future__ import annotations

import re
import unicodedata

from birthmark.model import Span

_QUOTES = "\"'`"
_PARTS = re.compile(r"::|->|\\|\.")
_SIMPLE = re.compile(rb"[\w.$#@:?!\\<>,&*\[\]~'\"\x80-\xff-]+")
_QUOTED = re.compile(r"[\"`][^\"`]*[\"`](?:\.[\"`][^\"`]*[\"`])*")
_TAIL = re.compile(rb"(?:\.|::|\?\.|->|!\.)[\w$#@\x80-\xff]+[!?]?$")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_LONGEST_EXPRESSION = 120


class NameReader:
    """Read the names of one source; results are cached by text."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.known_names: dict[bytes, str] = {}
        self.known_expressions: dict[bytes, str] = {}

    def name(self, span: Span) -> str:
        """Return the name as written, without quotes, with blanks collapsed, in Unicode's composed form."""
        text = self.source[span[0] : span[1]]
        name = self.known_names.get(text)
        if name is None:
            name = self.known_names[text] = clean_name(decode(text))
        return name

    def path(self, span: Span) -> str:
        r"""Return a path such as `a::b`, `a.b` or `a\b`, with dots and without type arguments."""
        text = decode(self.source[span[0] : span[1]])
        while "<" in text and (shorter := _TYPE_ARGUMENTS.sub("", text)) != text:
            text = shorter
        return ".".join(clean_name(part) for part in _PARTS.split(text) if part.strip())

    def expression(self, span: Span) -> str:
        """Return a callee or access: `a.b` as written, `().b` after anything but a plain chain of names."""
        start, end = span
        text = self.source[start:end] if end - start <= _LONGEST_EXPRESSION else b"(" + self.source[end - 80 : end]
        name = self.known_expressions.get(text)
        if name is None:
            name = self.known_expressions[text] = name_expression(text)
        return name


def clean_name(name: str) -> str:
    name = name.strip()
    if len(name) > 1 and name[0] in _QUOTES and name[0] == name[-1]:
        name = name[1:-1]
    return " ".join(name.split()) or name


def name_expression(text: bytes) -> str:
    text = b"".join(text.split())
    if _SIMPLE.fullmatch(text):
        name = decode(text)
        if name[0] not in _QUOTES:
            return name
        if _QUOTED.fullmatch(name):
            return name.replace(name[0], "")
    tail = _TAIL.search(text)
    return "()" + decode(tail.group()) if tail else "()"


def decode(text: bytes) -> str:
    """Decode text; invalid bytes become replacement characters, so that every name is valid JSON."""
    if text.isascii():
        return text.decode("ascii")
    return unicodedata.normalize("NFC", text.decode("utf-8", "replace"))
