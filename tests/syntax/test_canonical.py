"""Tokens: what is the same code, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.syntax.canonical import compile_spaces, mask_source, tokens_of
from reading import tokens

SAME = [
    ("javascript", "main(){f()}", "main() {\n  f()\n}"),
    ("javascript", "x=-1", "x = -1"),
    ("javascript", "a ? b : c", "a?b:c"),
    ("javascript", "f(a, b) // why", "f(a,b)"),
    ("javascript", "a /* b */ + c", "a+c"),
    ("typescript", "let x: Map<A, Set<B>>=y", "let x: Map<A, Set<B> > = y"),
    ("java", "class A{List<List<B>> x;}", "class A {\n  List< List<B> > x ;\n}"),
    ("python", "def f(a:int=1):\n  return a\n", "def f(a: int = 1):\n        return a\n"),
    ("python", "if x:\n  a\n  b\n", "if x:\n  a\n\n  # why\n  b\n"),
    ("python", "if x: a\n", "if x:\n  a\n"),
    ("python", "def f():\n  if x:\n    a\n  # c\n\nb\n", "def f():\n  if x:\n    a\n\nb\n"),
    ("python", "f(a,\n  b)\n", "f(a, b)\n"),
    ("go", "x:=y", "x := y"),
    ("rust", "fn f(){g( 1 )}", "fn f() { g(1) }"),
    ("c", "int main(){return **p;}", "int main() { return * *p; }"),
    ("cpp", "A<B<C>> x;", "A<B<C> > x;"),
]
DIFFERENT = [
    ("javascript", '"a  b"', '"a b"'),
    ("javascript", "`a  b`", "`a b`"),
    ("javascript", "/a  b/", "/a b/"),
    ("javascript", "a - -b", "a --b"),
    ("javascript", "a + ++b", "a++ + b"),
    ("javascript", "typeof x", "typeofx"),
    ("java", 'class A{String s = "a  b";}', 'class A{String s = "a b";}'),
    ("java", "class A{char c = ' ';}", "class A{char c = '  ';}"),
    ("python", "'a  b'\n", "'a b'\n"),
    ("python", "if x:\n  a\n  b\n", "if x:\n  a\nb\n"),
    ("python", "if x:\n  if y:\n    a\n  b\nc\n", "if x:\n  if y:\n    a\nb\nc\n"),
    ("python", "if x:\n  if y:\n    a\n  b\n", "if x:\n  if y:\n    a\n    b\n"),
    ("go", 'x := "a  b"', 'x := "a b"'),
    ("rust", 'const S: &str = "a  b";', 'const S: &str = "a b";'),
    ("c", "int x = 'a';", "int x = 'b';"),
    ("ruby", 'x = "a  b"', 'x = "a b"'),
    ("php", "<?php $x = 'a  b';", "<?php $x = 'a b';"),
    ("csharp", 'var x = "a  b";', 'var x = "a b";'),
    ("kotlin", 'val x = "a  b"', 'val x = "a b"'),
    ("swift", 'let x = "a  b"', 'let x = "a b"'),
    ("scala", 'val x = "a  b"', 'val x = "a b"'),
    ("sql", "SELECT 'a  b';", "SELECT 'a b';"),
]


@pytest.mark.parametrize(("language", "before", "after"), SAME)
def test_formatting_and_comments_keep_the_tokens(language: str, before: str, after: str) -> None:
    assert tokens(language, before) == tokens(language, after)


@pytest.mark.parametrize(("language", "before", "after"), DIFFERENT)
def test_what_means_something_else_has_other_tokens(language: str, before: str, after: str) -> None:
    assert tokens(language, before) != tokens(language, after)


def test_spans_are_told_apart() -> None:
    assert tokens_of(b"ab", [(0, 1), (1, 2)]) != tokens_of(b"ab", [(0, 2)])


words = st.lists(st.sampled_from(["a", "b1", "+", "++", "-", "(", ")", ";", "é"]), max_size=12)
blanks = st.lists(st.sampled_from([" ", "\n", "\t", "\r\n", "  "]), min_size=12, max_size=12)


@given(words, blanks, blanks)
def test_any_white_space_between_tokens_is_alike(tokens: list[str], left: list[str], right: list[str]) -> None:
    spaces = compile_spaces(["+", "++", "-", "--"])

    def mask(blanks: list[str]) -> bytes:
        source = "".join(token + blank for token, blank in zip(tokens, blanks, strict=False)).encode()
        return tokens_of(mask_source(source, [], [], [], spaces), [(0, len(source))])

    assert mask(left) == mask(right)


@given(words, words)
def test_tokens_can_be_told_apart_again(left: list[str], right: list[str]) -> None:
    spaces = compile_spaces(["+", "++", "-", "--"])

    def mask(tokens: list[str]) -> bytes:
        source = " ".join(tokens).encode()
        return tokens_of(mask_source(source, [], [], [], spaces), [(0, len(source))])

    assert (mask(left) == mask(right)) == (left == right)


@given(st.binary())
def test_the_mask_has_the_length_of_its_source(source: bytes) -> None:
    assert len(mask_source(source, [], [], [], compile_spaces(["+"]))) == len(source)
