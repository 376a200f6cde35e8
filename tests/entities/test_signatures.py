"""Heads of definitions, taken apart."""

from __future__ import annotations

import pytest

from birthmark.entities.signatures import Signature, parse_signature

CASES = {
    "public static <T extends A> List<T> f(final Map<K, V> a, int... b) throws E, F": Signature(
        access=("public",),
        modifiers=("static",),
        type="List<T>",
        type_parameters="<T extends A>",
        parameters=("final Map<K,V>a", "int...b"),
        exceptions="E,F",
    ),
    "@X(a = f) @Y int f(@Z int a)": Signature(type="int", parameters=("@Z int a",)),
    "private int a, f": Signature(access=("private",), type="int"),
    "async def f(a, *, b: int = 1) -> dict[str, int]": Signature(
        modifiers=("async",), keywords=("def",), type="dict[str,int]", parameters=("a", "*", "b:int=1")
    ),
    "def f(a: Callable[[int], str] = lambda x: (x, 1))": Signature(
        keywords=("def",), parameters=("a:Callable[[int],str]=lambda x:(x,1)",)
    ),
    "f, g": Signature(),
    "pub(crate) unsafe fn f<T>(a: &T) -> Option<u8> where T: Copy": Signature(
        access=("pub(crate)",),
        modifiers=("unsafe",),
        keywords=("fn",),
        type="Option<u8>",
        type_parameters="<T>T:Copy",
        parameters=("a:&T",),
    ),
    "func (s *Shop) f(a, b int) (int, error)": Signature(
        keywords=("func",), type="(int,error)", parameters=("a", "b int")
    ),
    "var f, g int": Signature(modifiers=("var",), type="int"),
    "export default async function* f(a = {x: 1})": Signature(
        access=("export",), modifiers=("async", "default", "*"), keywords=("function",), parameters=("a={x:1}",)
    ),
    "const f = async (a, b)": Signature(modifiers=("const",), parameters=("a", "b")),
    "static readonly f: Map<string, number>": Signature(modifiers=("readonly", "static"), type="Map<string,number>"),
    "virtual int Shop::f(int a) const noexcept": Signature(
        modifiers=("virtual", "const", "noexcept"), type="int", parameters=("int a",)
    ),
    "app.f = async function (a, b)": Signature(parameters=("a", "b")),
    "app.f = function f(a)": Signature(parameters=("a",)),
    "f: function(a)": Signature(parameters=("a",)),
    "f: (a) => void": Signature(type="(a)=>void"),
    "const f = a =>": Signature(modifiers=("const",), parameters=("a",)),
    "f = lambda a, b": Signature(parameters=("a", "b")),
    "def f a, b": Signature(keywords=("def",), parameters=("a", "b")),
    "class f < Base": Signature(keywords=("class",)),
    "func f(a: Int) async throws -> Int": Signature(
        modifiers=("async",), keywords=("func",), type="Int", parameters=("a:Int",), exceptions="throws"
    ),
    "def f(a: Int)(b: Int): Int": Signature(keywords=("def",), type="Int", parameters=("a:Int", "b:Int")),
    "[X(1)] public int f { get; set; }": Signature(access=("public",), modifiers=("{get;set;}",), type="int"),
    "A::f(int a) : x(a), y{1}": Signature(parameters=("int a",), initializers="x(a),y{1}"),
    "static int f[3]": Signature(modifiers=("static",), type="int[3]"),
    "var ( f int": Signature(modifiers=("var",), type="int"),
    "private(set) var f: Int": Signature(access=("private(set)",), modifiers=("var",), type="Int"),
    "fun <T> f(a: T): T where T : Any": Signature(
        keywords=("fun",), type="T", type_parameters="<T>T:Any", parameters=("a:T",)
    ),
}


@pytest.mark.parametrize("signature", CASES)
def test_a_head_is_taken_apart(signature: str) -> None:
    assert parse_signature(signature, "f") == CASES[signature]
