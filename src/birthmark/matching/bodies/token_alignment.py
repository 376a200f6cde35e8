"""Align two states of a body: their tokens, and the nodes made of them.

Takes the tokens of both and their local names; gives a TokenAlignment, with tokens that replace one another because of
a renaming. Statements are aligned first: exact matches, then matches up to local names; only the rest is aligned token
by token. Nodes of one type (calls, property accesses) are paired if most of their tokens are, the most alike first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from birthmark.model import Span

_TOKEN = re.compile(rb"[A-Za-z_$@\x80-\xff][\w$\x80-\xff]*|\d[\w.]*|[-+*/%=<>!&|^~?:]+|[^\s\x00-\x1f]")
_ENDS = frozenset({b";", b"{", b"}"})
_OPEN, _CLOSE = frozenset({b"(", b"["}), frozenset({b")", b"]"})
_SEPARATORS = frozenset(b"(){}[],;.")
_OPERATOR = 0.25  # of the weight of a word
_MOST = 4_000  # tokens between statements that are aligned
_HALF = 0.5  # of the tokens of both
NodeTokens = tuple[str, Span]  # the type of a node, and the indexes of the tokens that it covers


class Token(NamedTuple):
    """A token, where it starts in the file, and the statement it is in."""

    text: bytes
    start: int
    statement: int


class TokenAlignment(NamedTuple):
    """Old token to new token, by index; `swapped` tokens replace one another."""

    old: Sequence[Token]
    new: Sequence[Token]
    same: dict[int, int]
    swapped: dict[int, int]


def cut_tokens(source: bytes, mask: bytes, span: Span) -> list[Token]:
    """Return the tokens of a span; a statement ends with `;`, with a block's bracket, or with its line."""
    tokens: list[Token] = []
    depth, statement, end, is_over = 0, 0, span[0], False
    for match in _TOKEN.finditer(mask, *span):
        text, start = match[0], match.start()
        if is_over or (depth <= 0 and tokens and b"\n" in source[end:start]):
            statement += 1
        depth = 0 if text in _ENDS else depth + (text in _OPEN) - (text in _CLOSE)
        is_over, end = text in _ENDS, match.end()
        tokens.append(Token(text, start, statement))
    return tokens


def weigh_token(text: bytes) -> float:
    """Return the weight of a token: 1 for words and numbers, less for operators, 0 for separators."""
    if text[0] in _SEPARATORS:
        return 0.0
    return 1.0 if text[:1].isalnum() or text[0] in b"_$@" or text[0] >= 0x80 else _OPERATOR


def align_tokens(old: Sequence[Token], new: Sequence[Token], local: Collection[bytes]) -> TokenAlignment:
    return _TokenAligner(TokenAlignment(old, new, {}, {}), frozenset(local)).run()


class _TokenAligner:
    def __init__(self, alignment: TokenAlignment, local: frozenset[bytes]) -> None:
        self.alignment, self.local = alignment, local
        self.old, self.new = _statements(alignment.old), _statements(alignment.new)

    def run(self) -> TokenAlignment:
        self._align((0, len(self.old)), (0, len(self.new)), (self._as_is, self._but_for_names))
        self._align_moved(self._as_is)
        self._align_moved(self._but_for_names)
        return self.alignment

    def _align(self, old: Span, new: Span, keys: Sequence[Callable[[Sequence[Token], Span], Hashable]]) -> None:
        if old[0] == old[1] or new[0] == new[1]:
            return
        if not keys:
            self._align_tokens(
                (self.old[old[0]][0], self.old[old[1] - 1][1]), (self.new[new[0]][0], self.new[new[1] - 1][1])
            )
            return
        key = keys[0]
        old_keys = [key(self.alignment.old, self.old[index]) for index in range(*old)]
        new_keys = [key(self.alignment.new, self.new[index]) for index in range(*new)]
        at_old, at_new = old[0], new[0]
        for start_old, start_new, size in SequenceMatcher(
            None, old_keys, new_keys, autojunk=False
        ).get_matching_blocks():
            first_old, first_new = old[0] + start_old, new[0] + start_new
            self._align((at_old, first_old), (at_new, first_new), keys[1:])
            for offset in range(size):
                self._join(self.old[first_old + offset], self.new[first_new + offset])
            at_old, at_new = first_old + size, first_new + size

    def _join(self, old: Span, new: Span) -> None:
        """Align the tokens of two statements that differ in names at most."""
        for i, j in zip(range(*old), range(*new), strict=True):
            kept = (
                self.alignment.same
                if self.alignment.old[i].text == self.alignment.new[j].text
                else self.alignment.swapped
            )
            kept[i] = j

    def _align_tokens(self, old: Span, new: Span) -> None:
        old_texts = [token.text for token in self.alignment.old[slice(*old)]]
        new_texts = [token.text for token in self.alignment.new[slice(*new)]]
        if len(old_texts) + len(new_texts) > _MOST:
            return
        matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
            if tag == "equal" or (tag == "replace" and old_end - old_start == new_end - new_start):
                self._join((old[0] + old_start, old[0] + old_end), (new[0] + new_start, new[0] + new_end))

    def _align_moved(self, key: Callable[[Sequence[Token], Span], Hashable]) -> None:
        """Align statements without an aligned token that each side has once."""
        taken = {*self.alignment.same.values(), *self.alignment.swapped.values()}
        lost = _alone(self.alignment.old, self.old, key, {*self.alignment.same, *self.alignment.swapped})
        free = _alone(self.alignment.new, self.new, key, taken)
        for text, statement in lost.items():
            if text in free:
                self._join(statement, free[text])

    def _as_is(self, tokens: Sequence[Token], statement: Span) -> Hashable:
        return tuple([token.text for token in tokens[slice(*statement)]])

    def _but_for_names(self, tokens: Sequence[Token], statement: Span) -> Hashable:
        return tuple([b"\0" if token.text in self.local else token.text for token in tokens[slice(*statement)]])


def _statements(tokens: Sequence[Token]) -> list[Span]:
    starts = [i for i, token in enumerate(tokens) if i == 0 or token.statement != tokens[i - 1].statement]
    return list(zip(starts, [*starts[1:], len(tokens)], strict=True))


def _alone(
    tokens: Sequence[Token],
    statements: Sequence[Span],
    key: Callable[[Sequence[Token], Span], Hashable],
    known: Collection[int],
) -> dict[Hashable, Span]:
    found: dict[Hashable, list[Span]] = {}
    for statement in statements:
        weight = sum(weigh_token(token.text) for token in tokens[slice(*statement)])
        if weight > 1 and not any(index in known and weigh_token(tokens[index].text) for index in range(*statement)):
            found.setdefault(key(tokens, statement), []).append(statement)
    return {text: spans[0] for text, spans in found.items() if len(spans) == 1}


def align_nodes(old: Sequence[NodeTokens], new: Sequence[NodeTokens], alignment: TokenAlignment) -> dict[int, int]:
    """Return old index to new index."""
    scores = sorted(
        (-2 * n_shared / (_size(old[i]) + _size(new[j])), abs(i - j), i, j)
        for (i, j), n_shared in _count_shared(old, new, alignment).items()
    )
    aligned: dict[int, int] = {}
    taken: set[int] = set()
    for score, _, i, j in scores:
        if -score > _HALF and i not in aligned and j not in taken:
            aligned[i] = j
            taken.add(j)
    return aligned


def _count_shared(
    old: Sequence[NodeTokens], new: Sequence[NodeTokens], alignment: TokenAlignment
) -> Counter[tuple[int, int]]:
    """Count the tokens of each old node that have become tokens of each new one of its type."""
    around: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for j, node in enumerate(new):
        for token in range(*node[1]):
            around[node[0], token].append(j)
    successors = alignment.same | alignment.swapped
    return Counter(
        (i, j)
        for i, node in enumerate(old)
        for token in range(*node[1])
        if token in successors
        for j in around.get((node[0], successors[token]), ())
    )


def _size(node: NodeTokens) -> int:
    return node[1][1] - node[1][0]
