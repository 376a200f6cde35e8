"""Odd input has an expected outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.answers.files import ReadingOptions, read_one
from birthmark.errors import BirthmarkError
from reading import names, read

FUNCTION = "def f():\n    return 1\n"


def test_crlf() -> None:
    reading = read("python", FUNCTION.replace("\n", "\r\n"))
    (entity,) = reading.entities
    assert (entity.start_line, entity.end_line, entity.end_byte) == (1, 2, 22)


def test_byte_order_mark() -> None:
    (entity,) = read("python", b"\xef\xbb\xbf" + FUNCTION.encode()).entities
    assert (entity.name, entity.start_byte, entity.start_line) == ("f", 3, 1)


def test_nul() -> None:
    assert names(read("python", b"x = '\0'\n" + FUNCTION.encode())) == ["var x", "fn f"]


def test_nul_counts_in_a_string() -> None:
    with_nul, without = read("python", b"x = 'a\0b'\n"), read("python", b"x = 'ab'\n")
    assert len(with_nul.entities) == len(without.entities) == 1


def test_invalid_utf8() -> None:
    reading = read("python", b"x = '\xff\xfe'\ndef caf\xe9(): pass\n")
    assert names(reading)[0] == "var x"
    assert reading.chunks[-1].end == len(b"x = '\xff\xfe'\ndef caf\xe9(): pass\n")


def test_invalid_utf8_where_a_query_looks_at_names() -> None:
    assert "fn f" in names(read("c", b"#d\xffefine A 1\nint f(void) { return 1; }\n"))


def test_decomposed_names_are_composed() -> None:
    decomposed, composed = "cafe\u0301", "caf\u00e9"
    assert names(read("python", f"def {decomposed}(): pass\n")) == names(read("python", f"def {composed}(): pass\n"))


def test_form_feeds() -> None:
    assert names(read("python", "a = 1\n\f\ndef f():\n    pass\n")) == ["var a", "fn f"]


def test_no_final_newline() -> None:
    (entity,) = read("python", FUNCTION.rstrip()).entities
    assert (entity.end_line, entity.end_byte) == (2, len(FUNCTION) - 1)


def test_empty_file() -> None:
    reading = read("python", b"")
    assert (reading.entities, reading.nodes, reading.chunks, reading.problems) == ((), (), (), ())


def test_blank_file() -> None:
    reading = read("python", b"\n\n  \n")
    assert [(chunk.kind, chunk.start, chunk.end) for chunk in reading.chunks] == [("gap", 0, 5)]


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=pytest.mark.slow), "c"])
def test_deep_nesting(language: str, tmp_path: Path) -> None:
    """A hundred thousand levels give an answer, or one clear problem; the next file is read all the same."""
    source = tmp_path / "deep"
    source.write_bytes(b"x = " + b"(" * 100_000 + b")" * 100_000 + b"\n")
    try:
        reading = read_one(source, ReadingOptions(language)).nodes
        assert reading.chunks[-1].end == source.stat().st_size
    except BirthmarkError as error:
        assert "\n" not in str(error)  # noqa: PT017  # either outcome is fine, a crash is not
    source.write_text("x = 1\n")
    assert read_one(source, ReadingOptions(language)).nodes.chunks


def test_huge_line(tmp_path: Path) -> None:
    source = tmp_path / "huge.js"
    source.write_bytes(b"f(1);" * 4_000_000)
    with pytest.raises(BirthmarkError, match=r"20,000,000 bytes, more than the limit of 1,048,576; raise --max-bytes"):
        read_one(source)


def test_broken_source_keeps_what_stands_around() -> None:
    reading = read("python", "def a():\n    return 1\n\ndef b(:\n    x = 1\n\ndef c():\n    return 2\n")
    assert {"fn a", "fn c"} <= set(names(reading))
    (problem,) = reading.problems
    assert "syntax error" in problem.problem
    assert problem.line == 4


def test_a_signature_keeps_what_stands_before_an_attribute_in_its_midst() -> None:
    (first, *_) = read("cpp", "template <class T> [[nodiscard]] T f();\n").entities
    assert first.signature == "template <class T> [[nodiscard]] T f()"
    (second, *_) = read("python", "@a\n@b(1)\ndef f(x): pass\n").entities
    assert second.signature == "def f(x)"
    (field,) = [e for e in read("java", "class A { @B private final int c = 3; }").entities if e.kind == "field"]
    assert field.signature == "private final int c"


def test_an_empty_body_behind_the_last_token_is_not_part_of_its_definition() -> None:
    """The parser puts it where the class would go on, after a byte that is no token."""
    outer, inner = read("python", b"def outer():\n    class Inner:\n        \x00").entities
    assert (outer.end_byte, inner.end_byte, inner.body_span) == (29, 29, (29, 29))
