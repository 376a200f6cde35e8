r"""Canonical text: the tokens of a source, separated, and nothing else.

Takes a source with the spans of its strings, comments and blocks; returns a mask of the same length, so
that the tokens of any span are `tokens_of(mask, span)`. Two sources have equal tokens exactly when their syntax
trees have equal leaves in equal blocks: white space is dropped, unless two tokens would run together
without it; comments are dropped; strings stay verbatim.

Two control characters mark dropped bytes, so that taking tokens is one call of `bytes.translate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from birthmark.model import Span

DROPPED = b"\0\2"  # in a mask: the first blank of a run, and the others

_WORD = rb"A-Za-z0-9_$\x80-\xff"
_BLANK = bytes.maketrans(b" \t\n\r\f\v\x00\x02", b"\0\0\0\0\0\0\x01\x01")
_IN_STRING = bytes.maketrans(DROPPED, b"\x01\x01")
# Angle brackets close generics one by one and round, square and curly ones never join.
_NEVER_JOIN = frozenset("<>()[]{}\"'`")
_MARK = 0x0E
_DEEPEST_MARK = 0x1F


def compile_spaces(operators: Iterable[str]) -> re.Pattern[bytes]:
    """Compile a pattern for the first blank between two tokens that would be one token without it.

    These are two words, and two operators that are adjacent in a third operator: `- -` must not become `--`.
    """
    followers = joining_characters(operators)
    branches = [rb"(?<=[%b]\x00)(?=\x02*[%b])" % (_WORD, _WORD)]
    if followers:
        joined = b"|".join(
            rb"(?<=%b\x00)(?=\x02*[%b])" % (re.escape(left.encode()), _escape_all(rights))
            for left, rights in sorted(followers.items())
        )
        branches.append(rb"(?<=[%b]\x00)(?:%b)" % (_escape_all(followers), joined))
    return re.compile(rb"\x00(?:%b)" % b"|".join(branches))


def joining_characters(operators: Iterable[str]) -> dict[str, set[str]]:
    """Return the characters that must not directly follow each, because both are adjacent in an operator."""
    followers: dict[str, set[str]] = {}
    for operator in operators:
        for left, right in pairwise(operator):
            if not _NEVER_JOIN.intersection((left, right)) and not (_is_word(left) or _is_word(right)):
                followers.setdefault(left, set()).add(right)
    return followers


def mask_source(
    source: bytes,
    strings: Iterable[Span],
    comments: Iterable[Span],
    blocks: Iterable[Span],
    spaces: re.Pattern[bytes],
) -> bytes:
    """Blank out everything but tokens, and mark the ends of blocks that end by indentation."""
    draft = bytearray(source.translate(_BLANK))
    draft.append(0)
    for start, end in comments:
        draft[start:end] = b"\0" * (end - start)
    for start, end in strings:
        draft[start:end] = b'"' * (end - start)
    for _, end in blocks:
        while end and not draft[end - 1]:
            end -= 1
        if draft[end] < _DEEPEST_MARK:
            draft[end] = max(draft[end], _MARK) + 1  # This counts the blocks that end here.
    # Only the first blank of a run is matched; two replacements find it without a loop in Python.
    draft = draft.replace(b"\0\0", b"\0\2").replace(b"\2\0", b"\2\2")
    mask = bytearray(spaces.sub(b" ", draft))
    for start, end in strings:
        mask[start:end] = source[start:end].translate(_IN_STRING)
    mask.pop()
    return bytes(mask)


def tokens_of(mask: bytes, spans: Iterable[Span]) -> bytes:
    """Return the canonical text of some spans, joined by a separator."""
    return b"\0".join([mask[start:end].translate(None, DROPPED) for start, end in spans])


def trim_end(mask: bytes, start: int, end: int) -> int:
    """Return the end of a span's last token; blocks that end by indentation extend to the next token."""
    while end > start and mask[end - 1] <= _DEEPEST_MARK:
        end -= 1
    return end


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "_$"


def _escape_all(characters: Iterable[str]) -> bytes:
    return b"".join(re.escape(character.encode()) for character in sorted(characters))
