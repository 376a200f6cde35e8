"""The parts of a SCIP export: messages that the protobuf library reads, symbols of any names, places of names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.model import KINDS, Entity
from birthmark.surfaces.formats.scip import message_field, number_field, numbers_field, text_field
from birthmark.surfaces.formats.scip_symbols import KINDS as FOREIGN_KINDS
from birthmark.surfaces.formats.scip_symbols import Position, SourceLines, file_symbol, symbols_of
from scip_messages import read_message

NUMBERS = st.integers(0, 2**31 - 1)
TEXTS = st.text(st.characters(blacklist_categories=["Cs"]))
_SIMPLE = r"[A-Za-z0-9_+$-]+"
_NAME = rf"(?:{_SIMPLE}|`(?:[^`]|``)+`)"
_SYMBOL = re.compile(rf"birthmark \. \. \. (?:{_NAME}(?:[/#.:!]|\((?:{_SIMPLE})?\)\.))+", re.S)


@given(st.lists(NUMBERS), TEXTS, NUMBERS)
def test_messages_are_read_by_protobuf(numbers: list[int], text: str, number: int) -> None:
    message = numbers_field(1, numbers) + text_field(2, text) + number_field(3, number)
    found = read_message("Occurrence", message)
    assert (list(found.range), found.symbol, found.symbol_roles) == (numbers, text, number)
    document = read_message("Document", message_field(2, message) + message_field(2))
    assert [one.symbol for one in document.occurrences] == [text, ""]


def entity(kind: str, name: str, parent: str | None, container: int) -> Entity:
    qualified = f"{parent}.{name}" if parent else name
    return Entity(
        kind, name, qualified, parent, "l", "p", "p", 1, 1, 0, 1, None, None, None, "", (), (), 0, None, container
    )


def entities_of(rows: list[tuple[str, str, int, str | None]]) -> list[Entity]:
    """Each in one of those before it, or, without one, perhaps with the name of something that is elsewhere."""
    found: list[Entity] = []
    for kind, name, outer, elsewhere in rows:
        container = outer if outer < len(found) else -1
        parent = found[container].qualified_name if container >= 0 else elsewhere
        found.append(entity(kind, name, parent, container))
    return found


ROWS = st.lists(
    st.tuples(
        st.sampled_from(KINDS), st.sampled_from(["a", "b", "`", "x y", "größe", "+1", "()."]), st.integers(0, 9), TEXTS
    ),
    max_size=12,
)


@given(ROWS, st.sampled_from(["a.x", "dir/a.x", "odd dir/`a`.x"]))
def test_symbols_follow_the_grammar_and_no_two_are_the_same(
    rows: list[tuple[str, str, int, str | None]], path: str
) -> None:
    symbols = symbols_of(path, entities_of(rows))
    assert len({*symbols, file_symbol(path)}) == len(rows) + 1
    assert [symbol for symbol in symbols if not _SYMBOL.fullmatch(symbol)] == []
    assert all(symbol.startswith(file_symbol(path)) for symbol in symbols)


def test_every_kind_is_one_of_other_programs() -> None:
    assert FOREIGN_KINDS.keys() == set(KINDS)


def test_a_container_that_is_elsewhere_is_in_the_symbol() -> None:
    found = symbols_of("shop.cc", [entity("method", "open", "shop.Shop", -1)])
    assert found == ["birthmark . . . `shop.cc`/shop#Shop#open()."]


SOURCE = b"import total\nx = total(\n    total, subtotal)\nreturn other\n"


@pytest.mark.parametrize(
    ("line", "groups", "expected"),
    [
        (1, [["total"]], "total"),
        (2, [["total"]], "total"),
        (2, [["subtotal"]], "subtotal"),  # on a later line
        (3, [["total"]], "total"),
        (4, [["total"], ["other"]], "other"),  # by another name
        (4, [["total"]], "return other"),  # the line itself, where no name is found
        (2, [["nothing"], ["x"]], "x"),
        (99, [["total"]], ""),
    ],
)
def test_where_a_name_is_written(line: int, groups: list[list[str]], expected: str) -> None:
    position = SourceLines(SOURCE).find(line, *groups)
    lines = SOURCE.split(b"\n")
    assert (lines[position.line][position.start : position.end].decode() if expected else "") == expected
    assert position.line >= line - 1


def test_each_place_of_a_name_is_given_once() -> None:
    lines = SourceLines(b"f(f(f(x)))\n")
    assert [lines.find(1, ["f"]).start for _ in range(4)] == [0, 2, 4, 0]


@given(st.binary(max_size=60), st.integers(0, 70), st.integers(0, 70))
def test_spans_count_lines_and_bytes(source: bytes, one: int, other: int) -> None:
    start, end = sorted((min(one, len(source)), min(other, len(source))))
    found = SourceLines(source).span(start, end)
    before = [source[:offset].split(b"\n") for offset in (start, end)]
    assert found == Position(*(number for lines in before for number in (len(lines) - 1, len(lines[-1]))))
