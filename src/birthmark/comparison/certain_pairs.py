"""Find pairs within one file that the pairing of a commit certainly makes, whatever else the commit changed.

Takes the two states of a file. The reasons refer to the steps of `matching/pair.py`:

- If a heavy entity has the same content in both states, `matching/passes/files.py` never maps a file to another path,
  nor another file to this one (`_votes_to_exceed`), so that its scopes are the same on both sides in the first passes.
- A file that is gone is mapped to a new one if they share enough contents that no other changed file has, and more of
  them than of others, by votes: then each is the other's best (`_pair_paths`). Shared contents never vote for another.
- An entity whose content is in its scope once before and once after, under the same kind and name, is paired by the
  first pass, `same_content`.
- A path that is on both sides is another file's only if more than half of the votes of its old or its new state are for
  contents that other changed files have.
- An entity that is alone of its kind, scope and name in both states is paired by the second pass, `alone`. Of several,
  one is paired by the third, `same_interface`, if its interface is there once before and once after, and none of its
  namesakes has its content. Entities set aside as exchanged are exempt. An exchange takes a heavy entity whose old
  content is elsewhere now, and whose new content was elsewhere; since a content includes all words of the code, there
  is none if no other changed file has all of these. Functions with nothing in common but their name, which another may
  have taken over (`pair_displaced` of `matching/passes/renames.py`), are exempt as well.
- Pairs that `pair_scope` of `matching/pair.py` makes in a scope are made by all passes: up to there each compares only
  entities of one scope. Of several namesakes on a side, none is set aside as exchanged.

Votes for two states being one file are the contents that both have, and no other changed file. A content includes all
words of its code, so a file that lacks one of them does not have it; no other file is extracted for that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cached_property
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, match_candidates, token_reader
from birthmark.extraction.model import Outline, OutlinedFile
from birthmark.matching.pair import pair_scope
from birthmark.matching.pairing_state import HEAVY_VOTE, LIGHT_VOTE, is_light
from birthmark.matching.passes.files import SHARED
from birthmark.matching.passes.renames import UNLIKE
from birthmark.matching.similarity import tokens_in
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Evidence

_SAME_NAME = frozenset(
    {
        Evidence.SAME_CONTENT,
        Evidence.SAME_NAME,
        Evidence.SAME_INTERFACE,
        Evidence.SAME_PARAMETERS,
        Evidence.SIMILAR_NAMESAKE,
    }
)

_BLOCK_COMMENT = re.compile(rb"/\*.*?\*/|<!--.*?-->|\"\"\".*?\"\"\"|'''.*?'''|^=begin.*?^=end", re.S | re.M)
_LINE_COMMENT = re.compile(rb"(//|#|--).*")
_STRING = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'")  # It may be documentation.
_WORD = re.compile(rb"[A-Za-z_]\w*")
Words = tuple[bytes, ...]
HasWords = Callable[[Words], bool]  # true if one of some files has them all
CertainPair = tuple[int, Evidence]  # the old entity that a new one was, as if it were at the same path


class CertainPairs:
    """The two states of one file."""

    def __init__(self, old_file: OutlinedFile, new_file: OutlinedFile, family_of: FamilyOf) -> None:
        self.old_file, self.new_file, self.family_of = old_file, new_file, family_of
        old, new = self.old, self.new = old_file.outline, new_file.outline
        self.old_contents, self.new_contents = _contents(old), _contents(new)
        self.old_namesakes, self.new_namesakes = self._namesakes(old), self._namesakes(new)
        self.new_same = Counter(self._same(new, e) for e in range(len(new.entities)))
        self.old_same: dict[Hashable, list[int]] = {}
        for e in range(len(old.entities)):
            self.old_same.setdefault(self._same(old, e), []).append(e)
        self._scopes: dict[Hashable, dict[int, CertainPair]] = {}

    @cached_property
    def keeps_path(self) -> bool:
        """Return True if two states at one path surely are one file."""
        contents = enumerate(self.old.fingerprints)
        return any(print_.content in self.new_contents and is_heavy(self.old, e) for e, print_ in contents)

    def surely_keeps_path(self, words: OtherWords) -> bool:
        """Return True if that is sure, perhaps only from the other files of the commit."""
        return self.keeps_path or not (
            _may_be_elsewhere(self.old_file, self.new_contents, words.after)
            or _may_be_elsewhere(self.new_file, self.old_contents, words.before)
        )

    def is_renamed(self, words: OtherWords) -> bool:
        """Return True if a state at a path that is gone, and one at a new path, surely are one file."""
        total = sum(_votes_of(self.old)) + sum(_votes_of(self.new))
        n_others = max(_votes_without(self.old, self.new_contents), _votes_without(self.new, self.old_contents))
        least = max(n_others + 1, SHARED * total / 2)
        kept = {one.content: e for e, one in enumerate(self.old.fingerprints) if one.content in self.new_contents}
        return _count_votes(self.old_file, kept.values(), least, lambda own: not words.ever(own)) >= least

    def old_namesakes_of(self, e: int) -> list[int]:
        """Return the old entities of the same kind, scope and name."""
        return self.old_namesakes.get(self._scoped_name(self.new, e), [])

    def at_once(self, e: int, words: OtherWords) -> CertainPair | None:
        """Return the old entity of the same kind, scope and name, if no others need to be compared with it."""
        before = self.unchanged(e)
        if before is not None:
            return before, Evidence.SAME_CONTENT
        name = self._scoped_name(self.new, e)
        olds, news = self.old_namesakes.get(name, []), self.new_namesakes[name]
        evidence = Evidence.SAME_NAME
        if len(olds) > 1 or len(news) > 1:
            olds, news, evidence = *self._same_interface(olds, news, e), Evidence.SAME_INTERFACE
        if len(olds) != 1 or len(news) != 1 or self._may_be_displaced(olds[0], e):
            return None
        return None if self._may_be_exchanged(olds[0], e, words) else (olds[0], evidence)

    def unchanged(self, e: int) -> int | None:
        """Return the old entity of the same kind, scope, name and content."""
        same = self._same(self.new, e)
        found = self.old_same.get(same, [])
        return found[0] if len(found) == self.new_same[same] == 1 else None

    def in_scope(self, e: int, words: OtherWords) -> CertainPair | None:
        """Return the old entity, if the passes that compare a single scope find it."""
        pair = self.at_once(e, words)
        if pair is not None:
            return pair
        pairs = self._pairs_in_scope(e)
        pair = pairs.get(e)
        if pair is None or pair[1] not in _SAME_NAME:
            return None
        is_same = pair[1] is Evidence.SAME_CONTENT
        may_differ = not is_same and self._is_left_alone(e, pairs)
        return None if may_differ and self._may_be_exchanged(pair[0], e, words) else pair

    def _is_left_alone(self, e: int, pairs: Mapping[int, CertainPair]) -> bool:
        """Return True if one namesake is left on each side once those of the same content are paired."""
        name = self._scoped_name(self.new, e)
        news = self.new_namesakes[name]
        n_same = sum(pairs[new][1] is Evidence.SAME_CONTENT for new in news if new in pairs)
        return len(news) - n_same == len(self.old_namesakes[name]) - n_same == 1

    def _pairs_in_scope(self, e: int) -> Mapping[int, CertainPair]:
        """Return the pairs in the scope of a new entity, by new entity."""
        scope = self._scope(self.new, e)
        if scope not in self._scopes:
            self._scopes[scope] = self._pair_scope(scope)
        return self._scopes[scope]

    def _pair_scope(self, scope: Hashable) -> dict[int, CertainPair]:
        files = [self.old_file._replace(path="")], [self.new_file._replace(path="")]
        refs = [
            [(0, e) for e in range(len(file.outline.entities)) if self._scope(file.outline, e) == scope]
            for (file,) in files
        ]
        old, new = (match_candidates(*side, self.family_of) for side in zip(files, refs, strict=True))
        pairing = pair_scope(old, new, (token_reader(files[0]), token_reader(files[1])))
        return {refs[1][pair.new][1]: (refs[0][pair.old][1], pair.evidence) for pair in pairing.pairs}

    def _same_interface(self, olds: list[int], news: list[int], e: int) -> tuple[list[int], list[int]]:
        """Return the namesakes of the same interface, unless one of the same content takes precedence."""
        prints, before, after = self.new.fingerprints[e], self.old.fingerprints, self.new.fingerprints
        same = [old for old in olds if before[old].interface == prints.interface]
        contents = {after[new].content for new in news}
        is_taken = any(before[old].content in contents for old in same)
        if is_taken or any(before[old].content == prints.content for old in olds):
            return [], []
        return same, [new for new in news if after[new].interface == prints.interface]

    def _may_be_exchanged(self, old: int, new: int, words: OtherWords) -> bool:
        if not is_heavy(self.old, old) or not is_heavy(self.new, new):
            return False
        before, after = self.old.fingerprints[old].content, self.new.fingerprints[new].content
        if after not in self.old_contents and not words.before(_words_of(self.new_file, new)):
            return False
        return before in self.new_contents or words.after(_words_of(self.old_file, old))

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

    def _scope(self, outline: Outline, e: int) -> Hashable:
        entity = outline.entities[e]
        return self.family_of(entity.language), entity.parent

    def _scoped_name(self, outline: Outline, e: int) -> Hashable:
        entity = outline.entities[e]
        name = "" if entity.kind == "constructor" else entity.name
        return self.family_of(entity.language), entity.kind, entity.parent, name

    def _same(self, outline: Outline, e: int) -> Hashable:
        return self._scoped_name(outline, e), outline.fingerprints[e].content


def _contents(outline: Outline) -> frozenset[str]:
    return frozenset(fingerprint.content for fingerprint in outline.fingerprints)


class OtherWords(NamedTuple):
    """Functions that search the other files that a commit changed for words."""

    before: HasWords
    after: HasWords
    ever: HasWords  # before or after


def _words_of(file: OutlinedFile, e: int) -> Words:
    """Return the words of an entity's code without comments, as contents leave them out; the longest first."""
    entity = file.outline.entities[e]
    text = _BLOCK_COMMENT.sub(b" ", file.source()[entity.start_byte : entity.end_byte])
    words = set(_WORD.findall(_STRING.sub(b" ", _LINE_COMMENT.sub(b"", text))))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def _may_be_elsewhere(file: OutlinedFile, kept: Collection[str], has_words: HasWords) -> bool:
    """Return True if most votes of a state may be for contents that it lost and that other files have."""
    contents = enumerate(file.outline.fingerprints)
    gone = [e for e, one in contents if one.content not in kept]
    least = sum(_votes_of(file.outline)) // 2 + 1
    return _count_votes(file, gone, least, has_words) >= least


def _count_votes(file: OutlinedFile, entities: Collection[int], least: float, counts: HasWords) -> int:
    """Count the votes of entities whose words count, until it is clear if there are enough."""
    votes = {e: _vote_of(file.outline, e) for e in entities}
    n_votes, n_left = 0, sum(votes.values())
    for e in sorted(votes, key=lambda e: -votes[e]):
        if n_votes >= least or n_votes + n_left < least:
            break
        n_left -= votes[e]
        n_votes += votes[e] if counts(_words_of(file, e)) else 0
    return n_votes


def _votes_of(outline: Outline) -> list[int]:
    return [_vote_of(outline, e) for e in range(len(outline.entities))]


def _votes_without(outline: Outline, contents: Collection[str]) -> int:
    """Count the votes of entities that have none of some contents."""
    prints = enumerate(outline.fingerprints)
    return sum(_vote_of(outline, e) for e, print_ in prints if print_.content not in contents)


def _vote_of(outline: Outline, e: int) -> int:
    """Return the weight of an entity as evidence of which file it is in."""
    return HEAVY_VOTE if is_heavy(outline, e) else LIGHT_VOTE


def is_heavy(outline: Outline, e: int) -> bool:
    return not is_light(outline.entities[e].kind, outline.weights[e])
