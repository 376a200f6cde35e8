"""Choose what a language model gets to read about a definition, within a budget of tokens.

Takes pieces in the order of their priority, each in several forms from the fullest to the shortest; gives those that
fit, rendered as Markdown. A piece is taken in the fullest form that fits; if not even the shortest one does, the budget
is spent, except for pieces that may be skipped. A form ends with a line and does not begin with a blank.

Tokens are estimated: tokenizers cut a text into words, numbers, runs of marks and blanks, and then by their vocabulary,
which has most words of code. The weights were fitted to `o200k_base` over 22 languages of 51 repositories, and checked
on repositories that were left out of the fit (`benchmarks/tokens.py`, docs/how-to/give-context-to-a-model.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.model import Entity
from birthmark.vocabulary import ContextPart

_MOST_DIGITS = 999_999_999  # for the title, whose figures are known last
# Headings of parts, which are in the order of their priority.
HEADINGS = {
    ContextPart.DEFINITION: "Definition",
    ContextPart.NOTES: "Notes",
    ContextPart.CONTAINER: "Is in",
    ContextPart.USES: "Uses",
    ContextPart.USERS: "Used by",
    ContextPart.TESTS: "Tests",
    ContextPart.DERIVATIONS: "Derivations",
    ContextPart.SIBLINGS: "Beside it",
    ContextPart.SOURCES: "Sources of what it uses",
}

_FEWEST_LINES = 6  # of a part of a source
_LONGEST_SIGNATURE = 400
_LONGEST_LINE = 160
_DOC_MARKS = re.compile(
    r"^(?:/\*+!?|\*+/|\*|//[/!]?|#+|--+|[rRbBuUfF]{0,2}(?:\"\"\"|'''|\"|')|<!--)\s?|(?:\*+/|\"\"\"|'''|\"|-->)$"
)

_FENCE = re.compile(r"`{3,}")
# A word ends where a capital begins the next one, as in `camelCase` and `HTTPServer`.
_PIECES = re.compile(
    r"([A-Z]?[a-z]+|[A-Z]+(?![a-z]))|([0-9]{1,3})|([!-/:-@\[-`{-~]+)|\s*[\r\n]+|[ \t\f\v]{2,}|([^\x00-\x7f]+)"
)

_COMMON_LENGTH = 7  # characters of a word up to which it is likely one token
_SHORT_RUN, _LONGEST_RUN = 3, 23  # marks in a row


class ContextPiece(NamedTuple):
    """Something to read: kind, place, reason, and its forms in Markdown, the fullest first.

    Without a line, a piece is about something that no longer exists.
    """

    part: ContextPart
    mark: str | None
    name: str
    path: str
    start_line: int
    end_line: int
    why: str
    forms: tuple[str, ...]
    may_be_skipped: bool = False


class ChosenPiece(NamedTuple):
    """A piece in the form that was taken."""

    piece: ContextPiece
    text: str

    @property
    def is_shortened(self) -> bool:
        return self.text != self.piece.forms[0]


class Context(NamedTuple):
    """The chosen pieces and their Markdown; `left_out` counts the others by part."""

    title: str
    budget: int
    chosen: list[ChosenPiece]
    left_out: dict[ContextPart, int]
    text: str

    @property
    def n_tokens(self) -> int:
        return estimate_tokens(self.text)


def choose_pieces(title: str, pieces: Sequence[ContextPiece], budget: int) -> Context:
    left = budget - token_weight(_write_title(title, _MOST_DIGITS, _MOST_DIGITS, _MOST_DIGITS))
    chosen: list[ChosenPiece] = []
    opened: set[ContextPart] = set()
    is_spent = False
    for piece in pieces:
        heading = 0.0 if piece.part in opened else token_weight(_write_heading(piece.part))
        fitting = next((form for form in piece.forms if token_weight(form) + heading <= left), None)
        is_spent = is_spent or (fitting is None and not piece.may_be_skipped)
        if fitting is not None and not is_spent:
            left -= token_weight(fitting) + heading
            opened.add(piece.part)
            chosen.append(ChosenPiece(piece, fitting))
    if pieces and not chosen:
        raise BirthmarkError(f"{title}: not even its first line fits into {budget} tokens; allow for more")
    return _make_context(title, pieces, chosen, budget)


def _make_context(title: str, pieces: Sequence[ContextPiece], chosen: list[ChosenPiece], budget: int) -> Context:
    taken = Counter(one.piece.part for one in chosen)
    wanted = Counter(piece.part for piece in pieces)
    left_out = {part: wanted[part] - taken[part] for part in HEADINGS if wanted[part] > taken[part]}
    parts = "".join(_write_part(part, group) for part, group in groupby(chosen, lambda one: one.piece.part))
    n_tokens = estimate_tokens(_write_title(title, _MOST_DIGITS, _MOST_DIGITS, budget) + parts)
    text = _write_title(title, min(n_tokens, budget), sum(left_out.values()), budget) + parts
    return Context(title, budget, chosen, left_out, text)


def _write_title(title: str, n_tokens: int, n_left_out: int, budget: int) -> str:
    return f"# {title}\n\nAbout {n_tokens} of {budget} tokens; left out: {n_left_out}.\n\n"


def _write_heading(part: ContextPart) -> str:
    return f"## {HEADINGS[part]}\n\n"


def _write_part(part: ContextPart, chosen: Iterable[ChosenPiece]) -> str:
    text = _write_heading(part) + "".join(one.text for one in chosen)
    return text if text.endswith("\n\n") else f"{text}\n"  # A further line break costs nothing.


def source_forms(entity: Entity, mark: str | None, why: str, code: str, outline: str | None = None) -> tuple[str, ...]:
    """Return the source in forms: whole; its outline, or its first half, quarter and so on; its head."""
    lines = code.split("\n")
    shorter = [outline] if outline is not None else _first_lines(lines)
    blocks = [_block(entity, mark, why, text) for text in (code, *shorter)]
    return (*blocks, head_line(entity, mark, why, ""))


def _first_lines(lines: Sequence[str]) -> Iterator[str]:
    n_lines = len(lines) // 2
    while n_lines >= _FEWEST_LINES:
        yield "\n".join([*lines[:n_lines], f"… {len(lines) - n_lines} more lines"])
        n_lines //= 2


def outline_of(entity: Entity, members: Sequence[Entity], doc: str) -> str:
    """Return a container as its head, the first line of its documentation, and the heads of its members."""
    heads = [f"    {_signature(member)}  … {member.start_line}" for member in members]
    return "\n".join([_signature(entity), *([f"    {doc}"] if doc else []), *heads])


def _block(entity: Entity, mark: str | None, why: str, code: str) -> str:
    fence = "`" * max([3, *(len(found) + 1 for found in _FENCE.findall(code))])
    place = f"{entity.path}:{entity.start_line}-{entity.end_line}"
    return f"`{entity.qualified_name}` {place} {mark or ''}: {why}\n\n{fence}{entity.language}\n{code}\n{fence}\n\n"


def head_line(entity: Entity, mark: str | None, why: str, doc: str) -> str:
    said = f" {doc[:_LONGEST_LINE]}" if doc else ""
    place = f"{entity.path}:{entity.start_line}"
    return _one_line(f"- `{_qualified(entity)}` {place} {mark or ''}: {why}.{said}")


def place_line(name: str, path: str, line: int, mark: str | None, why: str, code: str) -> str:
    """Return a place with its line of code."""
    said = f" `{code.strip()[:_LONGEST_LINE]}`" if code.strip() else ""
    where = f"{path}:{line}" if line else path
    return _one_line(f"- {name} {where} {mark or ''}: {why}.{said}")


def note_forms(by: str, why: str, text: str) -> tuple[str, ...]:
    """Return a note in two forms: all its lines, quoted; its first line."""
    lines = text.splitlines() or [""]
    head = _one_line(f"- {by}: {why}.")
    full = head + "".join(f"  > {line}".rstrip() + "\n" for line in lines)
    short = _one_line(f"- {by}: {why}. {lines[0][:_LONGEST_LINE]}" + (" …" if len(lines) > 1 else ""))
    return full, short


def _one_line(text: str) -> str:
    return " ".join(text.split()) + "\n"


def _signature(entity: Entity) -> str:
    return entity.declaration[:_LONGEST_SIGNATURE]


def _qualified(entity: Entity) -> str:
    return entity.qualified_declaration[:_LONGEST_SIGNATURE]


def first_sentence(documentation: str) -> str:
    """Return the first meaningful line of a comment or docstring, without its marks."""
    for line in documentation.split("\n"):
        text, before = line.strip(), ""
        while text != before:
            before, text = text, _DOC_MARKS.sub("", text).strip()
        if text:
            return text[:_LONGEST_LINE]
    return ""


class PieceCounts(NamedTuple):
    """The number of pieces of each sort in a text, or the weight of each."""

    words: float = 0
    further_characters: float = 0  # of words, beyond the common length
    capitals: float = 0  # words in capitals
    digits: float = 0  # up to three in a row
    single_marks: float = 0
    runs_of_marks: float = 0
    further_marks: float = 0  # of long runs
    blanks: float = 0  # ends of lines, and several spaces in a row; a single one belongs to the next piece
    foreign: float = 0  # runs outside of ASCII
    foreign_bytes: float = 0


WEIGHTS = PieceCounts(1.01, 0.158, 1.09, 1.66, 0.5, 0.92, 0.33, 0.82, 1.11, 0.161)


def estimate_tokens(text: str) -> int:
    return ceil(token_weight(text))


def token_weight(text: str) -> float:
    """Return the weight before rounding; weights add up for texts that end with a line and begin without a blank."""
    return sum(weight * number for weight, number in zip(WEIGHTS, count_pieces(text), strict=True))


def count_pieces(text: str) -> PieceCounts:
    found = _PIECES.findall(text)
    words = [word for word, *_ in found if word]
    capitals = sum(len(word) > 1 and word.isupper() for word in words)
    long_words = [len(word) - _COMMON_LENGTH for word in words if len(word) > _COMMON_LENGTH and not word.isupper()]
    marks = [min(len(run), _LONGEST_RUN) for _, _, run, _ in found if run]
    foreign = [run for *_, run in found if run]
    n_digits = sum(bool(digits) for _, digits, _, _ in found)
    n_single = marks.count(1)
    return PieceCounts(
        len(words) - capitals,
        sum(long_words),
        capitals,
        n_digits,
        n_single,
        len(marks) - n_single,
        sum(max(length - _SHORT_RUN, 0) for length in marks),
        len(found) - len(words) - n_digits - len(marks) - len(foreign),
        len(foreign),
        sum(len(run.encode("utf-8", "replace")) for run in foreign),
    )
