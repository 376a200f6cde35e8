"""What of a file decides where its mentions of some words lead, and what others see of it, as digests.

Takes a source and its entities, not its references, so that most versions of a file need not be extracted: two that
have the same context use an entity of these names alike. What is not noticed is when a function of the same file that
is neither near the mention nor named there returns something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity

_WORD = re.compile(rb"\w+")
_COMMENTS = (b"# ", b"//", b"/*", b"* ", b"*/", b"-- ")  # how a line begins that is no code


class _DefinitionText(NamedTuple):
    """A definition with its lines, as one text."""

    identity: int
    name: bytes
    text: bytes

    def has_any(self, words: Collection[bytes]) -> bool:
        return any(word in self.text for word in words) and not words_of(self.text).isdisjoint(words)


class FileText:
    """A source in parts: its functions, its other definitions, and the lines outside of functions."""

    def __init__(self, source: bytes, entities: Sequence[Entity], identities: Sequence[int]) -> None:
        self.entities, self.identities = entities, identities
        self.functions: list[_DefinitionText] = []
        self.others: list[_DefinitionText] = []
        lines = source.split(b"\n")
        is_inside = bytearray(len(lines) + 1)
        for entity, identity in zip(entities, identities, strict=True):
            first, last = entity.start_line, min(entity.end_line, len(lines))
            definition = _DefinitionText(identity, entity.name.encode(), b"\n".join(lines[first - 1 : last]))
            (self.functions if entity.kind in FUNCTION_LIKE else self.others).append(definition)
            if entity.kind in FUNCTION_LIKE:
                is_inside[first : last + 1] = b"\1" * (last + 1 - first)
        outer = (line for number, line in enumerate(lines, 1) if not is_inside[number])
        self.outer = [(line, words_of(line)) for line in outer if not line.lstrip().startswith(_COMMENTS)]

    def own_context(self, words: Collection[bytes]) -> int | None:
        """Of the mentions in the file itself; None if there is none.

        The functions with a mention, the functions that these name, and the lines outside that share a word with them.
        """
        mentioning = [one for one in self.functions if one.has_any(words)]
        known = set(words).union(*(words_of(one.text) for one in mentioning))
        named = [one for one in self.functions if one.name in known]
        outer = [line for line, inside in self.outer if not known.isdisjoint(inside)]
        if not mentioning and not outer:
            return None
        around = [(one.identity, one.name) for one in self.others if one.has_any(words)]
        return hash((*mentioning, *named, *outer, *around))

    def outer_context(self, words: Collection[bytes]) -> int:
        """Of what others look up here: types, variables, what has the name, lines that have it or take all names."""
        names = {word.decode() for word in words}
        definitions = [
            (identity, one.kind, one.qualified_name, one.signature, one.bases)
            for one, identity in zip(self.entities, self.identities, strict=True)
            if one.kind in CLASS_LIKE or one.name in names
        ]
        types = {one.name.encode() for one in self.entities if one.kind in CLASS_LIKE}
        variables = [one for one in self.others if one.name not in types]
        lines = [line for line, inside in self.outer if b"*" in line or not inside.isdisjoint(words)]
        return hash((*definitions, *variables, *lines))

    def inner_context(self, qualified_name: str) -> int:
        """Of what other files look up in a function."""
        names = {one.name.encode() for one in self.entities if one.qualified_name == qualified_name}
        return hash(tuple(one for one in self.functions if one.name in names))


def words_of(text: bytes) -> set[bytes]:
    return set(_WORD.findall(text))
