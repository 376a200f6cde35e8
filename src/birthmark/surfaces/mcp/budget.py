"""Cut an answer to a budget of tokens.

Takes an answer without its lists, and what goes into them, part by part; gives as many parts as fit, and the number of
the next one. All pages together are the whole. A page has at least one part, so that one which is larger than the
budget is given all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from birthmark.app.answers.contexts import count_tokens
from birthmark.documents.document import encode_line

_LONGEST_PIECE = 200  # characters of a text that are not cut
Part = tuple[str, Any]  # the name of a list or text, and an element or piece of it


def cut_answer(
    head: dict[str, Any], parts: Sequence[Part], cursor: int, budget: int, *, has_more: bool = False
) -> dict[str, Any]:
    """Return the answer with the most parts with which it fits.

    `parts` are those from the one that the cursor names; with `has_more`, there are others behind them.
    """

    def with_parts(n_parts: int) -> dict[str, Any]:
        lists: dict[str, list[Any]] = defaultdict(list)
        for name, value in parts[:n_parts]:
            lists[name].append(value)
        is_last = n_parts == len(parts) and not has_more
        joined = {name: "".join(some) if isinstance(some[0], str) else some for name, some in lists.items()}
        return head | ({} if is_last else {"next": cursor + n_parts}) | joined

    fitting, too_many = min(1, len(parts)), len(parts) + 1
    while too_many - fitting > 1:
        middle = (fitting + too_many) // 2
        if answer_tokens(with_parts(middle)) <= budget:
            fitting = middle
        else:
            too_many = middle
    return with_parts(fitting)


def answer_tokens(answer: dict[str, Any]) -> int:
    """Return the tokens of an answer as it is sent."""
    return count_tokens(encode_line(answer).decode())


def parts_of(values: Iterable[Part]) -> list[Part]:
    """Return elements as they are, texts in pieces: their lines, and pieces of long ones."""
    return [
        (name, piece) for name, value in values for piece in (_pieces(value) if isinstance(value, str) else [value])
    ]


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        yield from (line[start : start + _LONGEST_PIECE] for start in range(0, len(line), _LONGEST_PIECE))
