"""What is chosen for a context fits the budget, the most important first."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.queries.context import Context, ContextPiece, choose_pieces, estimate_tokens, first_sentence
from birthmark.vocabulary import ContextPart

WORDS = st.lists(st.sampled_from(["def", "getHTTPResponse", "x_1", "=", "{}", "ä", "12345", "\n", "  "]), max_size=60)


@st.composite
def pieces(draw: st.DrawFn) -> list[ContextPiece]:
    """Two forms each, the second of which is no longer than the first; in the order of parts."""
    made = []
    for part in sorted(
        draw(st.lists(st.sampled_from([*ContextPart]), min_size=1, max_size=12)), key=[*ContextPart].index
    ):
        words = draw(WORDS)
        full, short = (f"- {' '.join(some)}\n" for some in (words, words[: len(words) // 2]))
        may_be_skipped = part is ContextPart.SOURCES
        made.append(ContextPiece(part, "bm-1", "a", "a.py", 1, 2, "", (full, short), may_be_skipped))
    return made


def chosen(found: list[ContextPiece], budget: int) -> Context:
    try:
        return choose_pieces("fn a", found, budget)
    except BirthmarkError:
        assume(False)
        raise


@given(pieces(), st.integers(1, 2000))
def test_the_budget_is_never_exceeded(found: list[ContextPiece], budget: int) -> None:
    context = chosen(found, budget)
    assert estimate_tokens(context.text) <= budget
    assert context.n_tokens <= budget
    assert f"About {context.text.partition('About ')[2].partition(' ')[0]} of {budget}" in context.text


@given(pieces(), st.integers(1, 2000))
def test_nothing_is_taken_before_what_is_more_important(found: list[ContextPiece], budget: int) -> None:
    context = chosen(found, budget)
    taken = [one.piece for one in context.chosen]
    needed = [piece for piece in found if not piece.may_be_skipped]
    assert [piece for piece in taken if not piece.may_be_skipped] == needed[
        : len([p for p in taken if not p.may_be_skipped])
    ]
    assert sum(context.left_out.values()) == len(found) - len(taken)
    assert all(one.text in context.text for one in context.chosen)


@given(pieces())
def test_all_is_taken_in_full_where_there_is_room(found: list[ContextPiece]) -> None:
    context = chosen(found, 100_000)
    assert [one.text for one in context.chosen] == [piece.forms[0] for piece in found]
    assert not context.left_out


def test_what_does_not_fit_at_all_says_so() -> None:
    piece = ContextPiece(ContextPart.DEFINITION, None, "a", "a.py", 1, 1, "", ("- `def a()`\n",))
    with pytest.raises(BirthmarkError, match="not even"):
        choose_pieces("fn a", [piece], 5)


@pytest.mark.parametrize(
    ("documentation", "expected"),
    [
        ('"""Say hello.\n\n    More."""', "Say hello."),
        ('"""\n    Say hello.\n    """', "Say hello."),
        ("/** Say hello. */", "Say hello."),
        ("/**\n * Say hello.\n * @param x\n */", "Say hello."),
        ("/// Say hello.\n/// More.", "Say hello."),
        ("# Say hello.", "Say hello."),
        ("-- Say hello.", "Say hello."),
        ("'''Say 'hello'.'''", "Say 'hello'."),
        ('""""""', ""),
        ("", ""),
    ],
)
def test_the_first_line_of_documentation(documentation: str, expected: str) -> None:
    assert first_sentence(documentation) == expected
