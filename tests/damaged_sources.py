"""Sources that no one wrote: real ones, damaged, and made ones that are deep, long, empty or no text at all.

Takes sources and a Random; gives bytes. What the same Random makes is the same again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Damage = Callable[[bytes, bytes, Random], bytes]

_NAME = re.compile(rb"[A-Za-z_]\w{2,}")
_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_LARGEST = 100_000  # bytes of what repetition makes

# Bytes that are no UTF-8, or are rare in it: cut, overlong and too large sequences, surrogates, a byte order mark, line
# separators, a character beyond the first plane, one that combines, and one that is two in capitals.
_ODD_BYTES = (
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xc0\x80",
    b"\xf4\x90\x80\x80",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\xf0\x9f\x90\x8d",
    b"e\xcc\x81",
    b"\xc3\x9f",
    b"\x0b\x0c\x1c",
)


def _truncate(source: bytes, _: bytes, random: Random) -> bytes:
    return source[: random.randint(0, len(source))]


def _behead(source: bytes, _: bytes, random: Random) -> bytes:
    return source[random.randint(0, len(source)) :]


def _cut_out(source: bytes, _: bytes, random: Random) -> bytes:
    start, end = _region(source, random)
    return source[:start] + source[end:]


def _flip(source: bytes, _: bytes, random: Random) -> bytes:
    changed = bytearray(source)
    for _times in range(random.randint(1, 20) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _splice(source: bytes, other: bytes, random: Random) -> bytes:
    start, end = _region(other, random)
    return _insert(source, other[start:end], random)


def _repeat(source: bytes, _: bytes, random: Random) -> bytes:
    start, end = _region(source, random)
    region = source[start:end]
    return source[:start] + region * min(random.choice((2, 10, 1000)), _LARGEST // (len(region) + 1)) + source[end:]


def _insert_nul(source: bytes, _: bytes, random: Random) -> bytes:
    return _insert(source, b"\0" * random.choice((1, 2, 100)), random)


def _insert_odd_bytes(source: bytes, _: bytes, random: Random) -> bytes:
    for _times in range(random.randint(1, 5)):
        source = _insert(source, random.choice(_ODD_BYTES), random)
    return source


def _change_line_ends(source: bytes, _: bytes, random: Random) -> bytes:
    return source.replace(b"\n", random.choice((b"\r\n", b"\r", b" ", b"\n\n", b"\n\t", b"\x0c\n")))


def _lengthen_name(source: bytes, _: bytes, random: Random) -> bytes:
    """One name becomes very long, or is no longer ASCII, wherever it is."""
    names = _NAME.findall(source)
    name = random.choice(names) if names else b"name"
    changed = random.choice((name * 5, name * (70_000 // len(name)), "ä名𝒳".encode() + name, b"_"))
    return source.replace(name, changed, max(1, _LARGEST // len(changed)))


def _shuffle(source: bytes, _: bytes, random: Random) -> bytes:
    """Neighbouring tokens change places."""
    tokens = _TOKEN.findall(source)
    for _times in range(random.randint(1, 30) if len(tokens) > 1 else 0):
        at = random.randrange(len(tokens) - 1)
        tokens[at : at + 2] = tokens[at + 1], tokens[at]
    return b"".join(tokens)


def _join_lines(source: bytes, other: bytes, _: Random) -> bytes:
    """One very long line."""
    return (source + other).replace(b"\n", b" ") * max(1, min(20, _LARGEST // (len(source) + len(other) + 1)))


DAMAGES: tuple[Damage, ...] = (
    _truncate,
    _behead,
    _cut_out,
    _flip,
    _splice,
    _repeat,
    _insert_nul,
    _insert_odd_bytes,
    _change_line_ends,
    _lengthen_name,
    _shuffle,
    _join_lines,
)


def damage(source: bytes, other: bytes, random: Random) -> bytes:
    """A source after one to three damages; parts of the other one may be in it."""
    for one in random.choices(DAMAGES, k=random.choice((1, 1, 2, 3))):
        source = one(source, other, random)[: 2 * _LARGEST]
    return source


_OPENERS = (
    *(
        "(",
        "[",
        "{",
        "<",
        "<a>",
        "a(",
        "a[",
        "a.",
        "!",
        "-",
        "*",
        "&",
        '"',
        "'",
        "`",
        "/*",
        "//",
        "#",
        "<!--",
        "```\n",
        "---\n",
    ),
    *(
        "f(function(){",
        "class A{",
        "def f():",
        "if(x){",
        "case 1:",
        "x=>",
        "x?",
        "${",
        "#{",
        "<<A\n",
        "@a ",
        "fn f(){",
        "a<b<",
        "> ",
    ),
)


def made_sources(depth: int) -> list[bytes]:
    """Nothing, single bytes, and what opens something in some language, `depth` times, never closed or all closed."""
    deep = [opener.encode() * depth for opener in _OPENERS]
    closed = [
        start * depth + b"x" + end * depth
        for start, end in ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<a>", b"</a>"))
    ]
    indented = b"".join(b" " * level + b"if x:\n" for level in range(min(depth, 400)))
    chain = b"x = " + b"a + " * depth + b"a\n"
    names = b"a" * depth + b" = " + "ß".encode() * depth + b"\n"
    edges = [
        b"",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b"\xef\xbb\xbf",
        b"\n" * depth,
        b"\0" * depth,
        b"\xff" * depth,
        b"\t" * depth,
    ]
    return [*edges, *(bytes([byte]) for byte in range(256)), *deep, *closed, indented, chain, names]


def _region(source: bytes, random: Random) -> tuple[int, int]:
    start, end = sorted((random.randint(0, len(source)), random.randint(0, len(source))))
    return start, end


def _insert(source: bytes, part: bytes, random: Random) -> bytes:
    at = random.randint(0, len(source))
    return source[:at] + part + source[at:]
