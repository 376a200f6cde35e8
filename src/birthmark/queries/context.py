"""Choose what a language model gets to read about a definition, within a budget of tokens.

Takes pieces in the order of their priority, each in several forms from the fullest to the shortest; gives those that
fit, rendered as Markdown. A piece is taken in the fullest form that fits; where not even the shortest one does, the
budget is spent, and only pieces that may be skipped are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.queries.token_estimate import estimate_tokens, token_weight
from birthmark.vocabulary import ContextPart

_MOST_DIGITS = 999_999_999  # for the title, whose figures are known last

# What a part is headed with; parts are in the order of their priority.
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


class ContextPiece(NamedTuple):
    """Something to read: what it is, where it is, why it is there, and its forms, the fullest first.

    Each form is Markdown by itself. Without a line a piece is about what is no longer there.
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
    """What was chosen, as Markdown and piece by piece; `left_out` counts what was not, by part."""

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
