"""Cut an answer to a budget of tokens.

Takes an answer without its lists, and what goes into them, part by part; gives as many parts as fit, and the number of
the next one. All pages together are the whole. A page has at least one part, so that one which is larger than the
budget is given all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from birthmark.app.answers.contexts import count_tokens
from birthmark.documents.document import encode_line

_LONGEST_PIECE = 200  # characters of a text that are not cut
Part = tuple[str, Any]  # the name of a list or text, and an element or piece of it


class Answer(NamedTuple):
    """An answer as JSON, and its parts from the one that the cursor names; there may be more of them behind."""

    head: dict[str, Any]
    parts: Sequence[Part]
    has_more: bool = False


def cut_answer(answer: Answer, cursor: int, budget: int) -> dict[str, Any]:
    """Return the answer with the most parts with which it fits."""
    fitting, too_many = min(1, len(answer.parts)), len(answer.parts) + 1
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if answer_tokens(_with_parts(answer, cursor, middle)) <= budget:
            fitting = middle
        else:
            too_many = middle
    return _with_parts(answer, cursor, fitting)


def answer_tokens(answer: dict[str, Any]) -> int:
    """Return the tokens of an answer as it is sent."""
    return count_tokens(encode_line(answer).decode())


def _with_parts(answer: Answer, cursor: int, n_parts: int) -> dict[str, Any]:
    lists: dict[str, list[Any]] = defaultdict(list)
    for name, value in answer.parts[:n_parts]:
        lists[name].append(value)
    is_last = n_parts == len(answer.parts) and not answer.has_more
    joined = {name: "".join(some) if isinstance(some[0], str) else some for name, some in lists.items()}
    return answer.head | ({} if is_last else {"next": cursor + n_parts}) | joined


def parts_of(values: Iterable[Part]) -> list[Part]:
    """Return elements as they are, texts in pieces: their lines, and pieces of long ones."""
    return [
        (name, piece) for name, value in values for piece in (_pieces(value) if isinstance(value, str) else [value])
    ]


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        yield from (line[start : start + _LONGEST_PIECE] for start in range(0, len(line), _LONGEST_PIECE))
