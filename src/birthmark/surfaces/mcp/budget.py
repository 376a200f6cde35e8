"""Cut an answer to a budget of tokens.

Takes an answer without its lists, and what goes into them, part by part; gives as many parts as fit, and the number of
the next one. All pages together are the whole. A page has at least one part, so that one which is larger than the
budget is given all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.contexts import count_tokens
from birthmark.documents.brief import BriefAnswer
from birthmark.documents.document import encode_line

_LONGEST_PIECE = 200  # characters of a text that are not cut


class AnswerPart(NamedTuple):
    """An element of a list of an answer, or a piece of a text."""

    field: str
    value: Any


class UncutAnswer(NamedTuple):
    """An answer, and its parts from the one that the cursor names; there may be more of them behind."""

    head: BriefAnswer
    parts: Sequence[AnswerPart]
    has_more: bool = False


def cut_answer(answer: UncutAnswer, cursor: int, budget: int) -> BriefAnswer:
    """The most parts with which it fits."""
    fitting, too_many = min(1, len(answer.parts)), len(answer.parts) + 1
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if answer_tokens(_with_parts(answer, cursor, middle)) <= budget:
            fitting = middle
        else:
            too_many = middle
    return _with_parts(answer, cursor, fitting)


def answer_tokens(answer: BriefAnswer) -> int:
    """As it is sent."""
    return count_tokens(encode_line(answer).decode())


def _with_parts(answer: UncutAnswer, cursor: int, n_parts: int) -> BriefAnswer:
    lists: dict[str, list[Any]] = defaultdict(list)
    for field, value in answer.parts[:n_parts]:
        lists[field].append(value)
    is_last = n_parts == len(answer.parts) and not answer.has_more
    joined = {name: "".join(some) if isinstance(some[0], str) else tuple(some) for name, some in lists.items()}
    return replace(answer.head, **joined, next=None if is_last else cursor + n_parts)


def parts_of(field: str, values: Iterable[object]) -> list[AnswerPart]:
    return [AnswerPart(field, value) for value in values]


def text_parts(field: str, text: str) -> list[AnswerPart]:
    """Lines, and long ones in pieces."""
    return parts_of(field, _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        yield from (line[start : start + _LONGEST_PIECE] for start in range(0, len(line), _LONGEST_PIECE))
