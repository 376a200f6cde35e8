"""Sources in other encodings are read as the text that they are."""

from __future__ import annotations

import codecs

import pytest

from birthmark.syntax.encodings import to_utf8

TEXT = 'def größe():\n    return "é"\n'
RUSSIAN = "# -*- coding: koi8-r -*-\nдым = 1\n"
BROKEN = "größe".encode() + b"\xe9"

READ = [
    (TEXT.encode(), TEXT.encode()),
    (codecs.BOM_UTF8 + TEXT.encode(), codecs.BOM_UTF8 + TEXT.encode()),
    (TEXT.encode("utf-16"), TEXT.encode()),
    (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT.encode()),
    (TEXT.encode("utf-32"), TEXT.encode()),
    (TEXT.encode("latin-1"), TEXT.encode()),
    ("“x”".encode("cp1252"), "“x”".encode()),
    (b"\x81\xe9", "\x81é".encode()),
    (RUSSIAN.encode("koi8-r"), RUSSIAN.encode()),
    (b"# coding: zlib\n\xe9", "# coding: zlib\né".encode()),  # does not decode text
    (BROKEN, BROKEN),  # UTF-8 with a broken byte
    (b"\0\xe9", b"\0\xe9"),  # no text
    (codecs.BOM_UTF16_LE + b"a", codecs.BOM_UTF16_LE + b"a"),  # half a character
]


@pytest.mark.parametrize(("content", "expected"), READ)
def test_a_source_is_decoded(content: bytes, expected: bytes) -> None:
    assert to_utf8(content) == expected
    assert to_utf8(expected) == expected
