"""Pairs within one file that the whole pairing of a commit makes for certain, whatever else the commit changed.

Takes the two states of a file. The reasons refer to the steps of `matching.pair`:

- Where a heavy entity has the same content in both states, `matching.passes.files` never maps a file to another path,
  nor another file to this one (`_votes_to_exceed`), so that its scopes are the same on both sides in the first passes.
- A file that is gone is mapped to one that is new if more than half of the votes of each of them are for contents that
  both have, and no other changed file: then each is the other's best (`_pair_paths`).
- An entity whose content is in its scope once before and once after, under the same kind and name, is paired by the
  first pass, `same_content`.
- An entity that is alone of its kind, scope and name in both states is paired by the second pass, `alone`. Of several
  one is paired by the third, `same_interface`, if its interface is there once before and once after, and none of its
  namesakes has its content. Exempt is what is set aside as exchanged. That takes a heavy entity whose old content is
  elsewhere now, and whose new content was elsewhere; since a content includes all words of the code, there is no
  exchange where no other changed file has all of these. Exempt are also functions with nothing in common but their
  name, which another may have taken over (`matching.passes.displaced`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable
from functools import cached_property

from birthmark.comparison.match_candidates import FamilyOf
from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.matching.pairing_state import HEAVY_VOTE, LIGHT_VOTE, is_light
from birthmark.matching.passes.displaced import UNLIKE
from birthmark.matching.similarity import tokens_in
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Evidence

_BLOCK_COMMENT = re.compile(rb"/\*.*?\*/|<!--.*?-->|\"\"\".*?\"\"\"|'''.*?'''|^=begin.*?^=end", re.S | re.M)
_LINE_COMMENT = re.compile(rb"(//|#|--).*")
_STRING = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")  # It may be documentation.
_WORD = re.compile(rb"[A-Za-z_]\w*")

Words = tuple[bytes, ...]
HasWords = Callable[[Words], bool]  # whether one of the other changed files has them all


class CertainPairs:
    """The two states of one file. HasWords asks about the old or the new states of the commit's other files."""

    def __init__(self, old_file: OutlinedFile, new_file: OutlinedFile, family_of: FamilyOf) -> None:
        self.old_file, self.new_file, self.family_of = old_file, new_file, family_of
        old, new = self.old, self.new = old_file.outline, new_file.outline
        self.old_contents, self.new_contents = _contents(old), _contents(new)
        self.old_namesakes, self.new_namesakes = self._namesakes(old), self._namesakes(new)
        self.new_same = Counter(self._same(new, e) for e in range(len(new.entities)))
        self.old_same: dict[Hashable, list[int]] = {}
        for e in range(len(old.entities)):
            self.old_same.setdefault(self._same(old, e), []).append(e)

    @cached_property
    def keeps_path(self) -> bool:
        """Whether two states at one path surely are one file."""
        contents = enumerate(self.old.fingerprints)
        return any(print_.content in self.new_contents and is_heavy(self.old, e) for e, print_ in contents)

    def is_renamed(self, had_words: HasWords, has_words: HasWords) -> bool:
        """Whether a state at a path that is gone, and one at a path that is new, surely are one file."""
        totals = [sum(vote_of(one, e) for e in range(len(one.entities))) for one in (self.old, self.new)]
        shared = {
            print_.content: e for e, print_ in enumerate(self.old.fingerprints) if print_.content in self.new_contents
        }
        n_votes, n_left = 0, sum(vote_of(self.old, e) for e in shared.values())
        # Other files are searched only until it is clear: first for what weighs most.
        for e in sorted(shared.values(), key=lambda e: -vote_of(self.old, e)):
            if 2 * n_votes > max(totals) + 1 or 2 * (n_votes + n_left) <= max(totals) + 1:
                break
            n_left -= vote_of(self.old, e)
            n_votes += 0 if self._is_elsewhere(e, had_words, has_words) else vote_of(self.old, e)
        return 2 * n_votes > max(totals) + 1

    def _is_elsewhere(self, old: int, had_words: HasWords, has_words: HasWords) -> bool:
        words = words_of(self.old_file, old)
        return had_words(words) or has_words(words)

    def old_namesakes_of(self, e: int) -> list[int]:
        """The old entities of the same kind, scope and name."""
        return self.old_namesakes.get(self._scoped_name(self.new, e), [])

    def unchanged(self, e: int) -> int | None:
        """The old entity of the same kind, scope, name and content."""
        same = self._same(self.new, e)
        found = self.old_same.get(same, [])
        return found[0] if len(found) == self.new_same[same] == 1 else None

    def named(self, e: int, had_words: HasWords, has_words: HasWords) -> int | None:
        """The old entity of the same kind, scope and name: the only one, or the only one with its interface."""
        name = self._scoped_name(self.new, e)
        olds, news = self.old_namesakes.get(name, []), self.new_namesakes[name]
        if len(olds) > 1 or len(news) > 1:
            olds, news = self._same_interface(olds, news, e)
        if len(olds) != 1 or len(news) != 1 or self._may_be_displaced(olds[0], e):
            return None
        return None if self._may_be_exchanged(olds[0], e, had_words, has_words) else olds[0]

    def evidence(self, old: int, new: int) -> Evidence:
        """Of a certain pair."""
        if self.old.fingerprints[old].content == self.new.fingerprints[new].content:
            return Evidence.SAME_CONTENT
        n_namesakes = len(self.new_namesakes[self._scoped_name(self.new, new)])
        n_before = len(self.old_namesakes[self._scoped_name(self.old, old)])
        return Evidence.SAME_NAME if n_namesakes == n_before == 1 else Evidence.SAME_INTERFACE

    def _same_interface(self, olds: list[int], news: list[int], e: int) -> tuple[list[int], list[int]]:
        """Of namesakes, those that have the interface, unless one that has the content takes precedence."""
        prints, before, after = self.new.fingerprints[e], self.old.fingerprints, self.new.fingerprints
        same = [old for old in olds if before[old].interface == prints.interface]
        contents = {after[new].content for new in news}
        is_taken = any(before[old].content in contents for old in same)
        if is_taken or any(before[old].content == prints.content for old in olds):
            return [], []
        return same, [new for new in news if after[new].interface == prints.interface]

    def _may_be_exchanged(self, old: int, new: int, had_words: HasWords, has_words: HasWords) -> bool:
        if not is_heavy(self.old, old) or not is_heavy(self.new, new):
            return False
        before, after = self.old.fingerprints[old].content, self.new.fingerprints[new].content
        if after not in self.old_contents and not had_words(words_of(self.new_file, new)):
            return False
        return before in self.new_contents or has_words(words_of(self.old_file, old))

    def _may_be_displaced(self, old: int, new: int) -> bool:
        if self.new.entities[new].kind not in FUNCTION_LIKE or not (
            is_heavy(self.old, old) and is_heavy(self.new, new)
        ):
            return False
        before, after = (
            Counter(tokens_in(file.source()[entity.start_byte : entity.end_byte]))
            for file, entity in ((self.old_file, self.old.entities[old]), (self.new_file, self.new.entities[new]))
        )
        return 2 * (before & after).total() < UNLIKE * (before.total() + after.total())

    def _namesakes(self, outline: Outline) -> dict[Hashable, list[int]]:
        namesakes: dict[Hashable, list[int]] = {}
        for e in range(len(outline.entities)):
            namesakes.setdefault(self._scoped_name(outline, e), []).append(e)
        return namesakes

    def _scoped_name(self, outline: Outline, e: int) -> Hashable:
        entity = outline.entities[e]
        name = "" if entity.kind == "constructor" else entity.name
        return self.family_of(entity.language), entity.kind, entity.parent, name

    def _same(self, outline: Outline, e: int) -> Hashable:
        return self._scoped_name(outline, e), outline.fingerprints[e].content


def words_of(file: OutlinedFile, e: int) -> Words:
    """Words of an entity's code, the longest first; comments and what may be one are left out, as contents do."""
    entity = file.outline.entities[e]
    text = _BLOCK_COMMENT.sub(b" ", file.source()[entity.start_byte : entity.end_byte])
    words = set(_WORD.findall(_STRING.sub(b" ", _LINE_COMMENT.sub(b"", text))))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def vote_of(outline: Outline, e: int) -> int:
    """The weight of an entity as evidence of which file it is in."""
    return HEAVY_VOTE if is_heavy(outline, e) else LIGHT_VOTE


def is_heavy(outline: Outline, e: int) -> bool:
    return not is_light(outline.entities[e].kind, outline.weights[e])


def _contents(outline: Outline) -> frozenset[str]:
    return frozenset(fingerprint.content for fingerprint in outline.fingerprints)
