"""Find the uses of a name in a source that are no calls: what is read, written, a type, a decorator, an export.

Takes a text, a name and what is known of the file; gives Mentions in source order. They are not stored but found when
they are asked for, by what is before and after the name. Calls, imports, bases and the definition itself are known
already, and not repeated.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, Protocol

from birthmark.graph.reading.literals import CodeFinder
from birthmark.graph.reading.paths import UNKNOWN, read_type, read_value
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import LexicalRules
from birthmark.model import Span
from birthmark.vocabulary import EdgeKind

_LONGEST_CHAIN = 400  # characters of what a member is taken from
_NEAR = 120  # characters before a name that say what it is
_FAR = 2000  # characters in which an open bracket is looked for
HEADER_LINES = 12  # lines in which a class names its bases, and an import its names

_DOT = re.compile(r"(?:\?\.|!!\.|!\.|&\.|(?<!\.)\.|::|\\)$")
_ARROW = "->"  # `f() -> T` is no member.
_LINK = re.compile(r"(?:\?\.|!!\.|!\.|&\.|\.|::|->|\\)$")
_CALLED = re.compile(r"\s*(?:!|(?:::)?<[\w\s,.:?&*'\[\]<>|]*>)?\s*\(")
_ASSIGNED = re.compile(r"\s*(?:=(?![=>~])|(?:\*\*|//|<<|>>|>>>|&&|\|\||\?\?|[-+*/%&|^.@])=(?!=)|:=|\+\+|--)")
_DECLARED = re.compile(r"\s*\??:(?![:=])\s*[^=\n{}();,]+=(?![=>])")
_COLON = re.compile(r"\s*\??:(?![:=])")
_ANNOTATION = re.compile(
    r"(?:->|[\w$)\]]\s*\??:)\s*(?:[*&?!]|\[\]|\b(?:mut|const|dyn|impl)\s|[\w.$\]>]+\s*[\[<|&,]|\s)*$"
)
_TYPE_PARAMETER = re.compile(r"[\w.]\s*<(?:[\w.\s\[\]?&*]+,)*\s*$")
_WORDS = (
    "and|assert|async|await|case|default|del|delete|do|else|except|from|if|import|in|instanceof|is|let|not|of|or|print|"
    "raise|rescue|return|throw|typeof|unless|until|var|when|while|with|yield"
)
_TYPE_BEFORE = re.compile(rf"(?<![\w$])(?!(?:{_WORDS})\b)[\w$)]+[ \t]+(?:\*|&|\[\]|\.\.\.)*$|\)[ \t]+(?:\*|&|\[\])*$")
_NAME_AFTER = re.compile(rf"(?:<[\w\s,.<>?]*>)?(?:\[\]|[*&?])*[ \t]+(?!(?:as|for|{_WORDS})\b)[*&]?[A-Za-z_]\w*")
_EXPORT = re.compile(
    r"(?:^|[;\n])\s*(?:export\s+(?:default\s+|type\s+)?(?:\{[^{}]*)?|(?:module\.)?exports(?:\.\w+)?\s*=\s*)$"
)
_LITERAL_TYPE = re.compile(rf"(?<![\w.:])(?!(?:{_WORDS})\b)([A-Za-z_][\w.:]*)\s*$")
_VALUE_COLON = re.compile(r"\b(?:lambda|case|default|else|return|if|while|for|try)\b[^\n]*$")
_LINK_ENDS = (".", "::", "\\")
_LONGEST_LINK = 3
_OPENING, _CLOSING, _QUOTES, _LISTING = "([{", ")]}", "\"'`", "({,"
_START_LINE = attrgetter("start_line")
_BASES = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})


class Mention(NamedTuple):
    """A name in code: where it is, what it is taken from, and what is done with it."""

    edge: EdgeKind
    name: str
    receiver: str | None
    line: int

    def as_reference(self) -> Reference:
        return Reference(self.edge, self.name, self.receiver, None, -1, self.line)


class NameInText(Protocol):
    """Where a name is, and where the chain starts of which it is the last part."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def chain_start(self) -> int: ...
    @property
    def is_member(self) -> bool: ...


class _Word(NamedTuple):
    """An occurrence of the name, and the chain of which it is a part."""

    start: int
    end: int
    chain_start: int
    first_line: int
    line: int
    chain: str | None

    @property
    def is_member(self) -> bool:
        return self.chain is not None


def find_mentions(
    text: str,
    name: str,
    rules: LexicalRules,
    definitions: Sequence[Definition],
    known: Sequence[Reference],
    *,
    is_type: bool,
) -> list[Mention]:
    """`definitions` are those of the file, `known` its references of that name."""
    calls = Counter(one.line for one in known if one.edge == EdgeKind.CALLS)
    words = _words(text, name, rules, definitions, calls)
    left = _without_known(text, words, _named_near(definitions, name, words), known, calls)
    mentions = []
    for word in left:
        edge = edge_of(text, word, rules, is_type)
        if edge is not None:
            receiver = None if word.chain is None else read_value(word.chain)
            mentions.append(Mention(edge, name, receiver, word.line))
        elif rules.keys_are_fields and (literal := _literal_type(text, word)):
            mentions.append(Mention(EdgeKind.WRITES, name, read_type(literal), word.line))
    return mentions


def _words(
    text: str, name: str, rules: LexicalRules, definitions: Sequence[Definition], calls: Counter[int]
) -> list[_Word]:
    """All in code that are no known calls. Where a definition starts there is code; what is before it is not read."""
    found = _occurrences(text, name, rules.name_characters)
    if not found:
        return []
    line_starts = _line_starts(text)
    found = _without_calls(text, found, line_starts, calls)
    finder = CodeFinder(text, rules)
    words = []
    for start, end in found:
        if finder.is_code(start, *_code_around(line_starts, definitions, start, len(text))):
            is_first = _follows_comment(text, start, rules)
            chain_start, chain = (start, None) if is_first else chain_before(text, start, rules.name_characters)
            lines = bisect_right(line_starts, chain_start), bisect_right(line_starts, start)
            words.append(_Word(start, end, chain_start, *lines, chain))
    return words


def _without_calls(text: str, found: Sequence[Span], line_starts: Sequence[int], calls: Counter[int]) -> list[Span]:
    """Most words of a name that is called often: on a line with as many calls as words, each is one of them.

    What is taken here is not in `calls` any more.
    """
    lines = [bisect_right(line_starts, start) for start, _ in found]
    n_words = Counter(lines)
    called = {line for line, n in n_words.items() if calls[line] == n}
    called -= {line for line, span in zip(lines, found, strict=True) if not _CALLED.match(text, span[1])}
    for line in called:
        del calls[line]
    return [span for line, span in zip(lines, found, strict=True) if line not in called]


def _code_around(line_starts: Sequence[int], definitions: Sequence[Definition], start: int, length: int) -> Span:
    """Where the last definition before a place starts, and the next one; the ends of the text if there is none."""
    line = bisect_right(line_starts, start)
    at = bisect_right(definitions, line, key=_START_LINE)
    last = definitions[at - 1].start_line if at else 1
    following = definitions[at].start_line if at < len(definitions) else len(line_starts) + 1
    return line_starts[last - 1], line_starts[following - 1] if following <= len(line_starts) else length


def _named_near(definitions: Sequence[Definition], name: str, words: Iterable[_Word]) -> list[Definition]:
    """Those of a name that may have it in one of these places; a file may have many thousands of others."""
    found: set[int] = set()
    for line in {line for word in words for line in (word.first_line, word.line)}:
        first = bisect_left(definitions, line - HEADER_LINES, key=_START_LINE)
        found.update(range(first, bisect_right(definitions, line, key=_START_LINE)))
    return [definitions[at] for at in sorted(found) if definitions[at].name == name]


@lru_cache(4)
def _line_starts(text: str) -> list[int]:
    return [0, *accumulate(map((1).__add__, map(len, text.split("\n")[:-1])))]


def _occurrences(text: str, name: str, characters: str) -> list[Span]:
    is_inside = re.compile(f"[{characters}]").match
    spans = [(found.start(), found.end()) for found in re.finditer(re.escape(name), text)]
    return [span for span in spans if not is_inside(text, span[1]) and not (span[0] and is_inside(text, span[0] - 1))]


def _follows_comment(text: str, start: int, rules: LexicalRules) -> bool:
    """Whether what is before it ends a line with a comment, in which a dot may be the last character."""
    before = text[max(0, start - _NEAR) : start]
    above = before.rstrip()
    return "\n" in before[len(above) :] and any(mark in above.rpartition("\n")[2] for mark in rules.line_comments)


def chain_before(text: str, start: int, characters: str) -> tuple[int, str | None]:
    """What a member is taken from, and where that starts; "" where it cannot be read."""
    before = text[max(0, start - _LONGEST_CHAIN) : start]
    link = _link_before(before)
    if link < 0:
        return start, None
    end = at = len(before[:link].rstrip())
    is_linked = True
    while is_linked:
        operand = _operand_before(before, at, characters)
        if operand == at or (operand <= 0 and start > len(before)):
            return start, UNKNOWN
        inner = before[:operand].rstrip()
        found = _LINK.search(inner, max(0, len(inner) - _LONGEST_LINK))
        is_linked = found is not None
        at = len(inner[: found.start()].rstrip()) if found is not None else operand
    return start - len(before) + at, before[at:end]


def _link_before(before: str) -> int:
    """Where the sign is by which a member is taken, right before its name; -1 if there is none."""
    if before.endswith(_ARROW):
        return len(before) - len(_ARROW)
    stripped = before.rstrip()
    found = _DOT.search(stripped, max(0, len(stripped) - _LONGEST_LINK)) if stripped.endswith(_LINK_ENDS) else None
    return found.start() if found is not None else -1


def _operand_before(text: str, end: int, characters: str) -> int:
    """Where a name, with its arguments and indices, starts that ends there; a string or group is one, too."""
    at = end
    while at > 0 and text[at - 1] in _CLOSING:
        at = _opening(text, at)
        if at < 0:
            return end
    word = _last_word(characters).search(text, max(0, at - _NEAR), at)
    if word is not None:
        return word.start()
    if at == end and text[at - 1 : at] in _QUOTES:
        return max(text.rfind(text[at - 1], 0, at - 1), 0)
    return at


def _around(text: str, at: int) -> int:
    """Where the bracket is in which a place is; -1 if there is none near."""
    return _opening(text, at, 1)


@lru_cache
def _last_word(characters: str) -> re.Pattern[str]:
    return re.compile(rf"\$?[{characters}]+[?!]?$")


def _opening(text: str, end: int, depth: int = 0) -> int:
    """Where the bracket is that belongs to the one that closes there; -1 if it is too far."""
    for at in range(end - 1, max(-1, end - _FAR), -1):
        if text[at] in _CLOSING:
            depth += 1
        elif text[at] in _OPENING:
            depth -= 1
            if depth == 0:
                return at
    return -1


def _without_known(
    text: str,
    words: Sequence[_Word],
    definitions: Iterable[Definition],
    known: Sequence[Reference],
    calls: Counter[int],
) -> list[_Word]:
    """Each that is known takes the first word that fits; a call one with arguments, if there is any."""
    imported = {one.line for one in known if one.edge == EdgeKind.IMPORTS}
    done = {word.line for word in words if word.line in imported}
    left = _WordsLeft(text, [word for word in words if word.line not in imported])
    for definition in definitions:
        left.take_name(range(definition.start_line, definition.end_line + 1)[:HEADER_LINES])
    for reference in known:
        if reference.edge == EdgeKind.CALLS:
            if reference.line in calls:
                left.take_call(reference.line)
        elif reference.edge in _BASES or (reference.edge == EdgeKind.IMPORTS and reference.line not in done):
            left.take_name(range(reference.line, reference.line + HEADER_LINES))
    return list(left.words)


class _WordsLeft:
    """Words that are not taken yet. A line may have many thousands, so each is passed once."""

    def __init__(self, text: str, words: Sequence[_Word]) -> None:
        self.words = dict.fromkeys(words)
        self.decorators: set[_Word] = {word for word in words if text[word.start - 1 : word.start] == "@"}
        self.called: dict[int, deque[_Word]] = {}
        self.others: dict[int, deque[_Word]] = {}
        for word in words:
            group = self.called if _CALLED.match(text, word.end) else self.others
            for line in range(word.first_line, word.line + 1):
                group.setdefault(line, deque()).append(word)

    def take_call(self, line: int) -> None:
        found = self._first(self.called, line) or self._first(self.others, line)
        if found is not None:
            del self.words[found]

    def take_name(self, lines: Iterable[int]) -> None:
        """The first word on these lines that is no decorator."""
        for line in lines:
            found = [self._first(group, line) for group in (self.called, self.others)]
            names = [word for word in found if word is not None and word not in self.decorators]
            if names:
                del self.words[min(names)]
                return

    def _first(self, group: dict[int, deque[_Word]], line: int) -> _Word | None:
        words = group.get(line, deque())
        while words and words[0] not in self.words:
            words.popleft()
        return words[0] if words else None


def edge_of(text: str, word: NameInText, rules: LexicalRules, is_type: bool) -> EdgeKind | None:
    """None for a name that is declared there: a parameter, a keyword argument, a key."""
    start = text[max(0, word.chain_start - _NEAR) : word.chain_start]
    last = start.rstrip()[-1:]
    if not word.is_member and last and last in _LISTING and _is_declared(text, word, rules, last):
        return None
    if start.endswith("@"):
        return EdgeKind.DECORATES
    if is_type and _is_annotation(text, word, start):
        return EdgeKind.TYPES
    if _ASSIGNED.match(text, word.end) or (not last.strip(";{") and _DECLARED.match(text, word.end)):
        return EdgeKind.WRITES
    if _EXPORT.search(start):
        return EdgeKind.EXPORTS
    return EdgeKind.READS


def _is_declared(text: str, word: NameInText, rules: LexicalRules, last: str) -> bool:
    is_assigned, has_colon = _ASSIGNED.match(text, word.end), _COLON.match(text, word.end)
    if not is_assigned and not has_colon:
        return False
    at = _around(text, word.start)
    bracket = text[at] if at >= 0 else ""
    if is_assigned:
        return bracket == "("
    return bracket == "(" or (bracket == "{" and not rules.computes_keys)


def _literal_type(text: str, word: _Word) -> str:
    """The type of the literal in which the name is a key."""
    at = _around(text, word.start)
    found = _LITERAL_TYPE.search(text[max(0, at - _LONGEST_CHAIN) : at]) if at >= 0 and text[at] == "{" else None
    return found[1] if found is not None else ""


def _is_annotation(text: str, word: NameInText, before: str) -> bool:
    if _NAME_AFTER.match(text, word.end) or _TYPE_BEFORE.search(before):
        return True
    if "<" in before and _TYPE_PARAMETER.search(before):
        return True
    return _ANNOTATION.search(before) is not None and not _VALUE_COLON.search(before)
