"""What names mean in Rust: `Self`, results, fields, patterns, traits and what implements them."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

SHOP = """use crate::door::{Door, Open};
pub struct Shop<T> { door: Door, items: Vec<Item>, owner: Option<Owner>, extra: T }
pub struct Item;
impl Item { pub fn buy(&self) {} }
pub struct Owner(Item);
impl Owner { fn item(&self) { self.0.buy(); } }
impl<T> Shop<T> {
    pub fn new() -> Self { Self::try_new().unwrap() }
    pub fn try_new() -> Result<Self, String> { todo!() }
    pub fn door(&self) -> &Door { &self.door }
    pub fn use_all(&mut self) {
        self.door.close();
        self.door().close();
        self.items.first().unwrap().buy();
        for item in self.items.iter() { item.buy(); }
        if let Some(owner) = &self.owner { owner.item(); }
    }
}
pub enum Kind { One(Item), Two { door: Door }, None }
impl Kind { pub fn is_one(&self) {} }
"""
DOOR = """pub struct Door;
impl Door { pub fn close(&self) {} }
pub trait Open { fn open(&self); fn reopen(&self) { self.open(); } }
pub trait Shut { fn shut(&self); }
"""
IMPLS = """use crate::door::{Door, Open};
impl Open for Door { fn open(&self) {} }
pub struct Gate;
impl Open for Gate { fn open(&self) {} }
"""
FILES = {
    "src/lib.rs": "mod door;\nmod shop;\nmod impls;\nmod m;\n",
    "src/shop.rs": SHOP,
    "src/door.rs": DOOR,
    "src/impls.rs": IMPLS,
}
USES = "use crate::shop::{Item, Kind, Shop};\nuse crate::door::{Door, Open};\n"


def test_members() -> None:
    check(
        FILES,
        """src/shop.rs:6 calls self.0 buy: exact src/shop.rs::Item.buy
        src/shop.rs:8 calls Self try_new: exact src/shop.rs::Shop.try_new
        src/shop.rs:12 calls self.door close: import src/door.rs::Door.close
        src/shop.rs:13 calls self door: exact src/shop.rs::Shop.door
        src/shop.rs:13 calls self.door() close: import src/door.rs::Door.close
        src/shop.rs:14 calls self.items.first().unwrap() buy: exact src/shop.rs::Item.buy
        src/shop.rs:15 calls item buy: exact src/shop.rs::Item.buy
        src/shop.rs:16 calls owner item: exact src/shop.rs::Owner.item
        src/door.rs:3 calls self open: dispatch src/impls.rs::Door.open src/impls.rs::Gate.open""",
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "fn f(a: &mut Shop<u8>, b: Door) {\n  a.door().close();\n  let c = Shop::<u8>::new();\n  c.door();\n"
            "  let d = Shop::try_new()?;\n  d.door();\n  let e: Item = make();\n  e.buy();\n"
            "  let b = Item {};\n  b.buy();\n}\n",
            """src/m.rs:4 calls a.door() close: import src/door.rs::Door.close
            src/m.rs:6 calls c door: import src/shop.rs::Shop.door
            src/m.rs:8 calls d door: import src/shop.rs::Shop.door
            src/m.rs:10 calls e buy: import src/shop.rs::Item.buy
            src/m.rs:12 calls b buy: import src/shop.rs::Item.buy""",
            id="parameters and variables",
        ),
        pytest.param(
            "fn f(k: Kind, x: Door) {\n  match k {\n    Kind::One(x) => x.buy(),\n"
            "    Kind::Two { door } => door.close(),\n"
            "    _ => k.is_one(),\n  }\n  x.close();\n  Kind::None.is_one();\n}\n",
            """src/m.rs:5 calls x buy: import src/shop.rs::Item.buy
            src/m.rs:6 calls door close: import src/door.rs::Door.close
            src/m.rs:7 calls k is_one: import src/shop.rs::Kind.is_one
            src/m.rs:9 calls x close: import src/door.rs::Door.close
            src/m.rs:10 calls Kind.None is_one: import src/shop.rs::Kind.is_one""",
            id="the parts of variants, in their arm",
        ),
        pytest.param(
            "fn f<T: Open, U>(a: T, b: &U, c: &dyn Open, d: impl Open) where U: Open {\n  a.open();\n  b.reopen();\n"
            "  c.open();\n  d.reopen();\n  Door.reopen();\n}\nfn g(d: Door) {\n  d.open();\n"
            "  d.reopen();\n  d.shut();\n}\n",
            """src/m.rs:4 calls a open: dispatch src/impls.rs::Door.open src/impls.rs::Gate.open
            src/m.rs:5 calls b reopen: import src/door.rs::Open.reopen
            src/m.rs:6 calls c open: dispatch src/impls.rs::Door.open src/impls.rs::Gate.open
            src/m.rs:7 calls d reopen: import src/door.rs::Open.reopen
            src/m.rs:11 calls d open: import src/impls.rs::Door.open
            src/m.rs:12 calls d reopen: hierarchy src/door.rs::Open.reopen
            src/m.rs:13 calls d shut: name src/door.rs::Shut.shut""",
            id="traits as bounds, as objects, and implemented in other files",
        ),
    ],
)
def test_names(source: str, expected: str) -> None:
    check(FILES | {"src/m.rs": USES + source}, expected)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "src/lib.rs": "mod a;\nmod b;\n",
                "src/a.rs": "pub struct Shop;\nfn f(s: Shop) {\n  s.open();\n}\n",
                "src/b.rs": "pub struct Shop;\nimpl Shop { fn open(&self) {} }\n",
            },
            "src/a.rs:3 calls s open: name src/b.rs::Shop.open",
            id="a type of the same name in another module is another one",
        ),
        pytest.param(
            {
                "src/lib.rs": "mod a;\nmod b;\n",
                "src/a.rs": "pub struct Shop;\nfn f(s: Shop) {\n  s.open();\n  assert!(s.open());\n}\n",
                "src/b.rs": "use crate::a::Shop;\nimpl Shop { fn open(&self) {} }\n",
            },
            """src/a.rs:3 calls s open: exact src/b.rs::Shop.open
            src/a.rs:4 calls s open: exact src/b.rs::Shop.open""",
            id="methods in another file, called in a macro as well",
        ),
        pytest.param(
            {
                "page/src/lib.rs": "use html::tag;\nfn f() {\n  tag!();\n}\n",
                "html/src/lib.rs": "#[proc_macro]\npub fn tag(input: TokenStream) -> TokenStream {}\n",
            },
            "page/src/lib.rs:3 calls tag!: import html/src/lib.rs::tag",
            id="a function that is called as a macro",
        ),
    ],
)
def test_files(files: Files, expected: str) -> None:
    check(files, expected)


def test_ends_of_a_collection() -> None:
    source = "use std::collections::VecDeque;\nuse crate::shop::Item;\nfn f(items: VecDeque<Item>) {\n"
    source += "    items.front().unwrap().buy();\n}\n"
    check(
        FILES | {"src/m.rs": source},
        "src/m.rs:4 calls items.front().unwrap() buy: import src/shop.rs::Item.buy",
    )
