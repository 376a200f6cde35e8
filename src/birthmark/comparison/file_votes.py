"""What votes for two states being one file: contents that both have, and no other file that changed with them.

Takes states of files, and functions that ask whether other files have some words. A content includes all words of its
code, so what lacks one of them does not have it; no other file is extracted for that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.matching.pairing_state import HEAVY_VOTE, LIGHT_VOTE, is_light

_BLOCK_COMMENT = re.compile(rb"/\*.*?\*/|<!--.*?-->|\"\"\".*?\"\"\"|'''.*?'''|^=begin.*?^=end", re.S | re.M)
_LINE_COMMENT = re.compile(rb"(//|#|--).*")
_STRING = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")  # It may be documentation.
_WORD = re.compile(rb"[A-Za-z_]\w*")

Words = tuple[bytes, ...]
HasWords = Callable[[Words], bool]  # whether one of some files has them all


class OtherWords(NamedTuple):
    """Asks about the other files that a commit changed."""

    before: HasWords
    after: HasWords
    ever: HasWords  # before or after


def words_of(file: OutlinedFile, e: int) -> Words:
    """Words of an entity's code, the longest first; comments and what may be one are left out, as contents do."""
    entity = file.outline.entities[e]
    text = _BLOCK_COMMENT.sub(b" ", file.source()[entity.start_byte : entity.end_byte])
    words = set(_WORD.findall(_STRING.sub(b" ", _LINE_COMMENT.sub(b"", text))))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def may_be_elsewhere(file: OutlinedFile, kept: Collection[str], has_words: HasWords) -> bool:
    """Whether more than half of the votes of a state may be for contents that other files have, and it has not kept."""
    contents = enumerate(file.outline.fingerprints)
    gone = [e for e, one in contents if one.content not in kept]
    least = sum(votes_of(file.outline)) // 2 + 1
    return count_votes(file, gone, least, has_words) >= least


def count_votes(file: OutlinedFile, entities: Collection[int], least: float, counts: HasWords) -> int:
    """The votes of those entities whose words count; no more are looked at when it is clear whether they are enough."""
    votes = {e: vote_of(file.outline, e) for e in entities}
    n_votes, n_left = 0, sum(votes.values())
    for e in sorted(votes, key=lambda e: -votes[e]):
        if n_votes >= least or n_votes + n_left < least:
            break
        n_left -= votes[e]
        n_votes += votes[e] if counts(words_of(file, e)) else 0
    return n_votes


def votes_of(outline: Outline) -> list[int]:
    return [vote_of(outline, e) for e in range(len(outline.entities))]


def votes_without(outline: Outline, contents: Collection[str]) -> int:
    """Of what has none of some contents."""
    prints = enumerate(outline.fingerprints)
    return sum(vote_of(outline, e) for e, print_ in prints if print_.content not in contents)


def vote_of(outline: Outline, e: int) -> int:
    """The weight of an entity as evidence of which file it is in."""
    return HEAVY_VOTE if is_heavy(outline, e) else LIGHT_VOTE


def is_heavy(outline: Outline, e: int) -> bool:
    return not is_light(outline.entities[e].kind, outline.weights[e])
