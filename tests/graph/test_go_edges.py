"""What names mean in Go: receivers, results, fields, embedded types, blocks, and interfaces that types implement."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

SHOP = """package shop

type Shop struct {
	door  *Door
	items []Item
	prices map[string]Item
	Address
}

type Address struct{}

func (Address) Print() {}

type Door struct{}

func (d Door) Open() {}

type Item struct{}

func (i *Item) Buy() {}

func New() *Shop { return &Shop{} }
func Find() (item *Item, err error) { return nil, nil }
"""
DOORS = "package shop\n\nfunc (s *Shop) Door() *Door { return s.door }\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "func (s *Shop) F() {\n\ts.door.Open()\n\ts.Door().Open()\n\ts.Print()\n}\n",
            """shop/m.go:3 calls s.door Open: import shop/shop.go::Door.Open
            shop/m.go:4 calls s Door: import shop/doors.go::Shop.Door
            shop/m.go:4 calls s.Door() Open: import shop/shop.go::Door.Open
            shop/m.go:5 calls s Print: hierarchy shop/shop.go::Address.Print""",
            id="the receiver, its fields, its methods in other files, and what it embeds",
        ),
        pytest.param(
            "func f(a, b Door, c ...Item) {\n\tb.Open()\n\tc[0].Buy()\n\tx := New()\n\tx.Door()\n"
            "\ti, err := Find()\n\ti.Buy()\n\terr.Error()\n}\n",
            """shop/m.go:3 calls b Open: import shop/shop.go::Door.Open
            shop/m.go:4 calls c[0] Buy: import shop/shop.go::Item.Buy
            shop/m.go:6 calls x Door: import shop/doors.go::Shop.Door
            shop/m.go:8 calls i Buy: import shop/shop.go::Item.Buy
            shop/m.go:9 calls err Error: unresolved""",
            id="parameters and results, the first of several",
        ),
        pytest.param(
            "func f() {\n\ta := &Shop{}\n\ta.Door()\n\tb := new(Door)\n\tb.Open()\n"
            "\tc := make([]*Item, 1)\n\tc[0].Buy()\n"
            "\tvar d Door\n\td.Open()\n\te := map[string]*Item{}\n\te[`x`].Buy()\n\t(*b).Open()\n}\n",
            """shop/m.go:4 calls a Door: import shop/doors.go::Shop.Door
            shop/m.go:6 calls b Open: import shop/shop.go::Door.Open
            shop/m.go:8 calls c[0] Buy: import shop/shop.go::Item.Buy
            shop/m.go:10 calls d Open: import shop/shop.go::Door.Open
            shop/m.go:12 calls e[] Buy: import shop/shop.go::Item.Buy
            shop/m.go:13 calls b Open: import shop/shop.go::Door.Open""",
            id="literals, new and make, declared variables",
        ),
        pytest.param(
            "func f(s *Shop) {\n\tfor _, i := range s.items {\n\t\ti.Buy()\n\t}\n"
            "\tfor i := range s.items {\n\t\ti.Buy()\n\t}\n"
            "\tfor _, p := range s.prices {\n\t\tp.Buy()\n\t}\n}\n",
            """shop/m.go:4 calls i Buy: exact shop/shop.go::Item.Buy
            shop/m.go:7 calls i Buy: name shop/shop.go::Item.Buy
            shop/m.go:10 calls p Buy: exact shop/shop.go::Item.Buy""",
            id="the second variable of a range is an element, the first is its key",
        ),
        pytest.param(
            "func f(x Door) {\n\tif x, err := Find(); err != nil {\n\t\tx.Buy()\n\t}\n\tx.Open()\n"
            "\tif true {\n\t\tx := New()\n"
            "\t\tx.Door()\n\t}\n\tx.Open()\n}\n",
            """shop/m.go:4 calls x Buy: import shop/shop.go::Item.Buy
            shop/m.go:6 calls x Open: import shop/shop.go::Door.Open
            shop/m.go:9 calls x Door: import shop/doors.go::Shop.Door
            shop/m.go:11 calls x Open: import shop/shop.go::Door.Open""",
            id="a variable holds in its block",
        ),
        pytest.param(
            "func f(x any) {\n\tswitch v := x.(type) {\n\tcase *Item:\n\t\tv.Buy()\n\tcase Door:\n\t\tv.Open()\n"
            "\tcase Shop, Address:\n\t\tv.Print()\n\t}\n\tx.(*Item).Buy()\n"
            "\tif d, ok := x.(Door); ok {\n\t\td.Open()\n\t}\n}\n",
            """shop/m.go:5 calls v Buy: import shop/shop.go::Item.Buy
            shop/m.go:7 calls v Open: import shop/shop.go::Door.Open
            shop/m.go:9 calls v Print: name shop/shop.go::Address.Print
            shop/m.go:11 calls Item{} Buy: import shop/shop.go::Item.Buy
            shop/m.go:13 calls d Open: import shop/shop.go::Door.Open""",
            id="type switches and type assertions",
        ),
        pytest.param(
            "type Doors []Door\nfunc (d Doors) First() { d[0].Open() }\ntype Gate = Door\n"
            "var gate Gate\nfunc f(parent Doors) {\n"
            "\tparent.First()\n\tgate.Open()\n}\n",
            """shop/m.go:3 calls d[0] Open: import shop/shop.go::Door.Open
            shop/m.go:7 calls parent First: exact shop/m.go::Doors.First
            shop/m.go:8 calls gate Open: import shop/shop.go::Door.Open""",
            id="types that are made of others, and other names of types",
        ),
    ],
)
def test_names(source: str, expected: str) -> None:
    check({"shop/shop.go": SHOP, "shop/doors.go": DOORS, "shop/m.go": f"package shop\n{source}"}, expected)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "a/a.go": "package a\ntype Shop struct{}\nfunc f(s Shop) {\n\ts.Open()\n}\n",
                "b/b.go": "package b\ntype Shop struct{}\nfunc (s Shop) Open() {}\n",
            },
            "a/a.go:4 calls s Open: name b/b.go::Shop.Open",
            id="a type of the same name in another package is another one",
        ),
        pytest.param(
            {
                "a/a.go": "package a\ntype Opener interface {\n\tOpen(int) error\n\tCloser\n}\n"
                "type Closer interface{ Close() }\n"
                "func f(o Opener) {\n\to.Open(1)\n}\n",
                "b/b.go": "package b\ntype Door struct{ Lid }\nfunc (d *Door) Open(n int) error { return nil }\n"
                "type Lid struct{}\nfunc (Lid) Close() {}\n"
                "type Half struct{}\nfunc (h Half) Open(n int) error { return nil }\n"
                "type Other struct{ Lid }\nfunc (o Other) Open() error { return nil }\n",
            },
            "a/a.go:8 calls o Open: dispatch b/b.go::Door.Open",
            id="an interface is implemented by the types that have all its methods",
        ),
        pytest.param(
            {"a/a.go": "package a\nfunc f[T Opener](o T) {\n\to.Open()\n}\ntype Opener interface{ Open() }\n"},
            "a/a.go:3 calls o Open: exact a/a.go::Opener.Open",
            id="a type parameter has what its constraint has",
        ),
    ],
)
def test_types(files: Files, expected: str) -> None:
    check(files, expected)
