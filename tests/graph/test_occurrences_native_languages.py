"""Uses that are no calls in Go, Rust, C and C++."""

from __future__ import annotations

import re

import pytest
from occurrences import occurrences_in, shown

from graph_snapshot import Files

PATH = re.compile(r"[\w./]+::")
GO = {
    "s/shop.go": "package s\n\ntype Shop struct {\n\tSize int\n\tNames []string\n}\n\nconst Rate = 2\n\nvar Sold = 0\n"
}


def go(source: str) -> Files:
    return {**GO, "s/use.go": f"package s\n{source}\n"}


RUST = {
    "src/a.rs": "pub struct Shop { pub size: u8, pub names: u8 }\n"
    "pub const RATE: u8 = 2;\npub static mut SOLD: u8 = 0;\n"
}


def rust(source: str) -> Files:
    return {**RUST, "src/lib.rs": f"mod a; use a::*;\n{source}\n"}


C = {
    "a.h": "#define MAX 10\nenum kind { A, B };\ntypedef struct shop {\n  int size;\n  "
    "struct shop *next;\n} Shop;\nextern int total;\n"
}


def c(source: str) -> Files:
    return {**C, "b.c": f'#include "a.h"\n{source}\n'}


def cpp(source: str) -> Files:
    return {**CPP, "b.cpp": f'#include "a.hpp"\n{source}\n'}


CPP = {
    "a.hpp": "namespace a {\nconst int RATE = 2;\nclass Shop {\n public:\n  int size;\n  static int sold;\n"
    "  int get();\n};\n"
    "template <class T> class Box { T one; };\nenum class Kind { A, B };\n"
    "int total;\nnamespace b { int deep; }\n}\nusing namespace a;\n"
}


CASES: dict[str, tuple[Files, str]] = {
    "go: read": (go("func f() int { return Rate + g(Rate) }"), "f reads Rate 2, f reads Rate 2"),
    "go: written": (
        go("func f() {\n\tSold = 1\n\tSold += 2\n\tSold++\n\t_, Sold = g()\n}"),
        "f writes Sold 3, f writes Sold 4, f writes Sold 5, f writes Sold 6",
    ),
    "go: types": (
        go(
            "func f(a *Shop, b ...Shop) ([]Shop, error) {\n"
            "\tvar c map[string]Shop\n\t_ = x.(Shop)\n\t_ = make([]Shop, 1)\n}"
        ),
        "f types Shop 2, f types Shop 2, f types Shop 2, f types Shop 3, f types Shop 4, f types Shop 5",
    ),
    "go: a conversion to a pointer": (go("var _ I = (*Shop)(nil)"), "_ types Shop 2"),
    "go: cases of a switch": (go("func f(x any) {\n\tswitch x.(type) {\n\tcase Shop, nil:\n\t}\n}"), "f types Shop 4"),
    "go: generics": (
        go("type Box[T Shop] struct{ one T }\nfunc f[T ~int | Shop](x Box[Shop]) {}"),
        "Box types Shop 2, f types Box 3, f types Shop 3, f types Shop 3",
    ),
    "go: of another package": (
        {**GO, "t/use.go": 'package t\nimport "example.org/s"\nfunc f(x s.Shop) int { return s.Rate }\n'},
        "f reads Rate 3, f types Shop 3",
    ),
    "go: members": (
        go("func f(x *Shop) {\n\tx.Size = x.Size + 1\n\tx.Size++\n\tg(x.Names)\n}"),
        "f reads Shop.Names 5, f reads Shop.Size 3, f types Shop 2, f writes Shop.Size 3, f writes Shop.Size 4",
    ),
    "go: keys of literals": (
        go("func f() {\n\t_ = &Shop{Size: 1}\n\t_ = []Shop{{Size: 2}}\n\t_ = map[int]*Shop{Rate: {Size: Rate}}\n}"),
        "f reads Rate 5, f reads Rate 5, f types Shop 4, f types Shop 5, f writes Shop.Size 3, f writes Shop.Size 4, "
        "f writes Shop.Size 5",
    ),
    "go: keys of a literal of a type without a name": (
        {"s/shop.go": "package s\nvar rate = 1\n", "s/use.go": "package s\nvar x = struct{ rate int }{rate: 2}\n"},
        "x writes? x.rate 2",
    ),
    "go: a method as a value": (
        {
            "s/a.go": "package s\ntype Shop struct{}\nfunc (s Shop) Open() {}\n"
            "func f(x Shop) {\n\tg(x.Open)\n\tg(Shop.Open)\n}\n"
        },
        "Shop.Open types Shop 3, f reads Shop 6, f reads Shop.Open 5, f reads Shop.Open 6, f types Shop 4",
    ),
    "go: what embeds, which is an edge": (
        {"s/a.go": "package s\ntype Base struct{}\ntype Shop struct {\n\tBase\n\tnext *Base\n}\n"},
        "Shop.next types Base 5",
    ),
    "go: constants in a group": (
        {"s/a.go": "package s\ntype Kind int\nconst (\n\tA Kind = iota\n\tB\n\tC = A + 1\n)\n"},
        "A types Kind 4, C reads A 6",
    ),
    "go: calls and literals, which are edges": (go("func f() { g(Shop{}) }\nfunc g(int) { f() }"), ""),
    "go: a label": (go("func f() {\nRate:\n\tfor {\n\t\tbreak Rate\n\t}\n}"), ""),
    "go: strings, tags and comments": (go('type x struct {\n\ta int `Rate:"Rate"` // Rate\n}\nvar y = "Rate"'), ""),
    "go: parameters and variables": (
        go(
            "func f(Rate int) int { return Rate }\nfunc g() (Rate int) { return Rate }\n"
            "func h() {\n\ta, b, Rate := g(), 1, 2\n\tg(Rate)\n}\n"
            "func i() {\n\tconst Rate, Sold = 1, 2\n\tg(Rate, Sold)\n}\n"
            "func j() {\n\tvar Rate = 1\n\tfor _, Sold := range x {\n\t\tg(Rate, Sold)\n\t}\n}\n"
            "func k() {\n\tg(func(Rate int, Sold ...int) { g(Rate, Sold) })\n}"
        ),
        "",
    ),
    "go: a variable of a block": (
        go("func f() {\n\tif Rate := g(); Rate > 0 {\n\t\tg(Rate)\n\t}\n\tg(Rate)\n}"),
        "f reads Rate 6",
    ),
    "go: parameters of types of functions": (go("type f func(Rate int) (Sold int)"), ""),
    "rust: read": (rust("fn f() -> u8 { RATE + g(RATE) }"), "f reads RATE 2, f reads RATE 2"),
    "rust: written": (rust("fn f() {\n  SOLD = 1;\n  SOLD += 2;\n}"), "f writes SOLD 3, f writes SOLD 4"),
    "rust: a path": (
        {**RUST, "src/lib.rs": "mod a;\nfn f(x: a::Shop) { a::SOLD = crate::a::RATE; }\n"},
        "f reads RATE 2, f reads a 2, f reads a 2, f reads a 2, f types Shop 2, f writes SOLD 2",
    ),
    "rust: types": (
        rust("fn f(a: &Shop, b: Vec<Shop>) -> Option<Shop> {\n  let c: [Shop; 1] = x as Shop;\n  g::<Shop>()\n}"),
        "f types Shop 2, f types Shop 2, f types Shop 2, f types Shop 3, f types Shop 3, f types Shop 4",
    ),
    "rust: lifetimes and labels": (
        {"src/lib.rs": "fn a() {}\nstruct S<'a> { one: &'a u8 }\nfn f<'a>(x: &'a S<'a>) { 'a: loop { break 'a; } }\n"},
        "f types S 3",
    ),
    "rust: bounds": (
        rust("trait Open {}\nfn f<T: Open>(x: T) where T: Open {}\nfn g(x: &dyn Open, y: impl Open) {}"),
        "f types Open 3, f types Open 3, g types Open 4, g types Open 4",
    ),
    "rust: implementations": (
        {
            "src/lib.rs": "struct Shop;\nimpl Shop {}\ntrait Open {}\n"
            "impl Open for Shop {}\nstruct B<T>(T);\nimpl<T> B<T> {}\n"
        },
        "Open for Shop types Shop 4",
    ),
    "rust: members": (
        rust("fn f(x: &mut Shop) {\n  x.size = x.size + 1;\n  x.size += 1;\n  g(x.names)\n}"),
        "f reads Shop.names 5, f reads Shop.size 3, f types Shop 2, f writes Shop.size 3, f writes Shop.size 4",
    ),
    "rust: members of self": (
        {
            "src/lib.rs": "struct A { n: u8 }\nimpl A {\n  const M: u8 = 1;\n"
            "  fn f(&self) -> u8 { self.n + Self::M }\n}\n"
        },
        "A.f reads A.M 4, A.f reads A.n 4",
    ),
    "rust: keys of literals": (
        rust("fn f(size: u8) {\n  let a = Shop { size, names: RATE };\n}"),
        "f reads RATE 3, f writes Shop.names 3, f writes Shop.size 3",
    ),
    "rust: keys of patterns": (
        rust("fn f(Shop { size: s, .. }: Shop) -> u8 { s }"),
        "f reads Shop.size 2, f types Shop 2, f types Shop 2",
    ),
    "rust: members of an enumeration": (
        {
            "src/lib.rs": "enum Kind { A, B(u8), C { n: u8 } }\nfn f(k: Kind) {\n  match k {\n    Kind::A => 1,\n"
            "    Kind::B(x) => x,\n    Kind::C { n: y } => y,\n  };\n  g(Kind::A, Kind::C { n: 1 })\n}\n"
        },
        "f reads Kind 4, f reads Kind 5, f reads Kind 6, f reads Kind 8, f reads Kind 8, f reads Kind.A 4, "
        "f reads Kind.A 8, f reads Kind.B 5, f reads Kind.C.n 6, f types Kind 2, f types Kind.C 6, f writes Kind.C.n 8",
    ),
    "rust: a constant in a pattern": (rust("fn f(x: u8) {\n  match x { RATE => 1, y => y };\n}"), "f reads RATE 3"),
    "rust: attributes": (
        rust(
            "#[derive(Debug, Mine)]\n#[mine(RATE, RATE = 1)]\n#[cfg(RATE)]\n"
            "struct S;\nmacro_rules! Mine { () => {} }\nfn mine() {}"
        ),
        "src/lib.rs decorates Mine 2, src/lib.rs decorates mine 3, src/lib.rs reads RATE 3",
    ),
    "rust: a derived trait of the library is none of another file": (
        {"src/a.rs": "struct Debug;\n", "src/lib.rs": "mod a;\n#[derive(Debug)]\nstruct S;\n"},
        "",
    ),
    "rust: tokens of a macro": (
        rust('fn f(x: Shop) {\n  println!("{} RATE", RATE);\n  m!(x.size, a::RATE, |SOLD: u8| 1, n = RATE);\n}'),
        "f reads RATE 3, f reads RATE 4, f reads RATE 4, f reads Shop.size 4, f reads a 4, f types Shop 2",
    ),
    "rust: a macro in the tokens of another one": (
        {
            "src/a.rs": "macro_rules! same { () => {} }\n",
            "src/lib.rs": "#[macro_use]\nmod a;\nfn f() { m!({ same!(1) }) }\n",
        },
        "f reads same 3",
    ),
    "rust: the text of a macro": (
        rust("macro_rules! m { ($RATE:expr) => { RATE + $RATE } }"),
        "m reads RATE 2",
    ),
    "rust: a function as a value": (
        {"src/lib.rs": "struct A;\nimpl A { fn g() {} }\nfn f() {}\nfn h() { k(f, A::g, <A>::g) }\n"},
        "h reads A 4, h reads A.g 4, h reads f 4, h reads? A.g 4, h types A 4",
    ),
    "rust: imports, also in lists of lists": (
        {
            "src/lib.rs": "mod a;\nmod b;\nuse crate::{a::{Shop, RATE as R}, b::{self}};\n"
            "fn f(x: Shop) { g(R, b::N) }\n",
            "src/a.rs": RUST["src/a.rs"],
            "src/b.rs": "pub const N: u8 = 1;\n",
        },
        "f reads N 4, f reads RATE 4, f reads b 4, f types Shop 4",
    ),
    "rust: a comment that ends with a dot": (rust("fn f() {\n  // As in shop.\n  RATE;\n}"), "f reads RATE 4"),
    "rust: strings and comments": (rust('fn f() { g("RATE", r#"RATE"#, \'R\'); /* RATE */ } // RATE'), ""),
    "rust: parameters and variables": (
        {
            "src/lib.rs": "fn a() {}\nfn b() {}\n"
            "fn f(a: u8, (b, _): (u8, u8)) { g(a, b) }\n"
            "fn h() { let a = x?; let (b, mut c) = y; g(a, b) }\n"
            "fn i() { for &a in x { g(a) } for (a, b) in x { g(a, b) } }\n"
            "fn j() { k(|a, &b| g(a, b)); k(|(a, b): X| g(a, b)) }\n"
            "fn l() { match x { Some(a) => a, Ok(b) | Err(b) => b,\n"
            "X { a, b: [b, ..] } => g(a, b), b @ X(_) => b, a if a > 1 => a } }\n"
            "fn m() { if let Some(A(a)) = x { g(a) } \n"
            "while let Ok(ref b) = x { g(b) } let X(a) = y else { return }; g(a) }\n"
            "fn n<const a: usize>() -> [u8; a] {}\n"
        },
        "",
    ),
    "rust: a variable of a block": (rust("fn f() { { let RATE = 1; g(RATE); }\n g(RATE) }"), "f reads RATE 3"),
    "rust: names of associated types": (rust("struct Item;\nfn f(x: impl Iterator<Item = u8>) {}"), ""),
    "c: read": (c("int f(void) { return MAX + total; }"), "f reads MAX 2, f reads total 2"),
    "c: written": (
        c("void f(int x) {\n  total = 1;\n  total += 2;\n  total++;\n  total = x;\n}"),
        "f writes total 3, f writes total 4, f writes total 5, f writes total 6",
    ),
    "c: types": (
        c(
            "Shop *f(const Shop *a, struct shop b, enum kind k) {\n"
            "  Shop c;\n  return (Shop *)x;\n}\nint n = sizeof(Shop);"
        ),
        "f types Shop 2, f types Shop 2, f types Shop 3, f types Shop 4, f types kind 2, "
        "f types shop 2, n reads Shop 6",
    ),
    "c: members": (
        c("void f(Shop *x) {\n  x->size = x->size + 1;\n  x->next->size++;\n}"),
        "f reads shop.next 4, f reads shop.size 3, f types Shop 2, f writes shop.size 3, f writes shop.size 4",
    ),
    "c: members of an enumeration": (
        c("int f(int x) {\n  switch (x) {\n  case A: return B;\n  }\n}\nint t[] = {[A] = 1};"),
        "f reads kind.A 4, f reads kind.B 4, t reads kind.A 7",
    ),
    "c: members of an enumeration of the file": (
        {"a.c": "enum kind { A, B = A };\nint f(void) { return A; }\n"},
        "f reads kind.A 2, kind.B reads kind.A 1",
    ),
    "c: keys of literals": (
        c(
            "Shop one = {.size = MAX};\nShop all[] = {{.size = 1}, [2] = {.size = 2}};\n"
            "void f(void) {\n  g((Shop){.size = 1});\n}"
        ),
        "all writes shop.size 3, all writes shop.size 3, b.c types Shop 2, b.c types Shop 3, "
        "f types Shop 5, f writes shop.size 5, one reads MAX 2, one writes shop.size 2",
    ),
    "c: conditions of the preprocessor": (
        c("#if defined(MAX) && MAX > 1\n#elif MAX\n#endif\n#ifdef MAX\n#endif"),
        "b.c reads MAX 2, b.c reads MAX 2, b.c reads MAX 3, b.c reads MAX 5",
    ),
    "c: the text of a macro": (
        c('#define TWICE(total, x) ((total) * MAX + x.MAX) // MAX\n#define SAY "MAX" f(TWICE)\n'),
        "SAY reads TWICE 3, TWICE reads MAX 2",
    ),
    "c: a function as a value": (
        {"a.c": "int f(void) { return 1; }\nint (*g)(void) = f;\nvoid h(void) { k(&f); }\n"},
        "g reads f 2, h reads f 3",
    ),
    "c: labels, attributes, strings and comments": (
        c("int x __attribute__((MAX));\nvoid f(void) { MAX: goto MAX; g(\"MAX\", 'M'); /* MAX */ } // MAX"),
        "",
    ),
    "c: parameters and variables": (
        c(
            "int f(int MAX, int total) { return MAX + total; }\n"
            "void g(void) { int MAX = 1, *total, A[2]; h(MAX, total, A); }\n"
            "void i(void) { for (int MAX = 0; MAX < 1; MAX++) { } }\n"
            "int (*j)(int MAX, int total);\n"
            "int k(void (*total)(int MAX)) { return total; }\n"
            "void l(void) { const int MAX = 1; "
            "int (*total)(int) = 0; h(MAX, total); }"
        ),
        "",
    ),
    "c++: read and written": (
        cpp(
            "int f() { return RATE; }\nint g() { return a::RATE + a::b::deep; }\n"
            "void h() {\n  a::total = 1;\n  total++;\n}"
        ),
        "f reads a.RATE 2, g reads a 3, g reads a 3, g reads a.RATE 3, g reads a.b 3, "
        "g reads a.b.deep 3, h reads a 5, h writes a.total 5, h writes a.total 6",
    ),
    "c++: types": (
        cpp(
            "Shop f(const Shop& x, a::Shop* y, Box<Shop> z) {\n"
            "  auto c = static_cast<Shop*>(x);\n  using S = Shop;\n  S d;\n}"
        ),
        "f reads a 2, f types a.Box 2, f types a.Shop 2, f types a.Shop 2, f types a.Shop 2, "
        "f types a.Shop 2, f types a.Shop 3, f types f.S 5, f.S types a.Shop 4",
    ),
    "c++: members": (
        cpp("int f(Shop& x, Shop* y) {\n  x.size = y->size;\n  y->size++;\n  return Shop::sold + a::Shop::sold;\n}"),
        "f reads a 5, f reads a.Shop 5, f reads a.Shop 5, f reads a.Shop.size 3, f reads a.Shop.sold 5, "
        "f reads a.Shop.sold 5, f types a.Shop 2, f types a.Shop 2, f writes a.Shop.size 3, "
        "f writes a.Shop.size 4",
    ),
    "c++: members of the class around": (
        {
            "a.cpp": "class A {\n  int n;\n  A(int n) : n(n) {}\n  int f() { return n; }\n"
            "  void g();\n};\nvoid A::g() { n = this->n; }\n"
        },
        "A.A writes A.n 3, A.f reads A.n 4, A.g reads A.n 7, A.g writes A.n 7",
    ),
    "c++: members of an enumeration": (
        cpp("Kind f() { return Kind::A; }"),
        "f reads a.Kind 2, f reads a.Kind.A 2, f types a.Kind 2",
    ),
    "c++: templates": (
        cpp(
            "template <typename T, class U = Shop, int N = RATE> class C : public Box<T> { U one; };\nBox<Box<Shop>> x;"
        ),
        "b.cpp reads a.RATE 2, b.cpp types a.Box 3, b.cpp types a.Box 3, b.cpp types a.Shop 2, b.cpp types a.Shop 3",
    ),
    "c++: names of literals": (
        cpp("void f() {\n  Shop x{.size = RATE};\n  auto y = Shop{.size = 1};\n}"),
        "f reads a.RATE 3, f types a.Shop 3, f writes a.Shop.size 3, f writes a.Shop.size 4",
    ),
    "c++: friends and aliases": (
        cpp("class C { friend class Shop; friend Shop; };\ntypedef Shop S;\nusing Also = a::Shop;"),
        "Also reads a 4, Also types a.Shop 4, C types a.Shop 2, C types a.Shop 2, b.cpp types a.Shop 3",
    ),
    "c++: definitions outside of their class": (
        {
            "a.cpp": "struct A { A(); ~A(); int f(); static int n; };\n"
            "A::A() {}\nA::~A() {}\nint A::f() { return 1; }\nint A::n = 1;\n"
        },
        "",
    ),
    "c++: imports, strings, comments and attributes": (
        cpp('using a::RATE;\nnamespace c = a;\n[[RATE]] void f() { g("RATE", R"(RATE)"); /* RATE */ } // RATE'),
        "c reads a 3",
    ),
    "c++: parameters and variables": (
        cpp(
            "void f(const int& RATE, Shop&& total) { g(RATE, total); }\n"
            "void h() { auto [RATE, total] = x; g(RATE, total); }\n"
            "void i() { for (auto& RATE : x) { g(RATE); } for (char total : x) { g(total); } }\n"
            "void j() { g([RATE = 1](int total) { return RATE + total; }); }\n"
            "void k() { try { } catch (E& RATE) { g(RATE); } }\n"
            "void l() { if (auto RATE = x()) g(RATE); constexpr int total = 1; g(total); }\n"
            "template <class RATE> void m(int total = 1) { g(total); }"
        ),
        "f types a.Shop 2",
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    snapshot, found = occurrences_in(files)
    edges = (shown(snapshot, edge, is_possible=mark) for edge, mark in found)
    assert ", ".join(sorted(PATH.sub("", edge) for edge in edges)) == expected
