"""Paths: what the texts of all languages are read as, and that no text breaks the reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.reading.paths import count_parts, parent_of, read_type, read_value, steps_of

VALUES = {
    "a": "a",
    "a.b.c": "a.b.c",
    "a.b()": "a.b()",
    "a[0].b": "a[0].b",
    "Shop(1, 2).items[0]": "Shop().items[0]",
    "new Shop(a, b)": "Shop()",
    "new Shop": "Shop()",
    "new Map<String, Item>()": "Map()",
    "require('./shop').open": 'require("./shop").open',
    'require("./shop")': 'require("./shop")',
    "await load()": "load()",
    "a?.b!.c": "a.b.c",
    "this.shop.open()": "this.shop.open()",
    "self.items[key]": "self.items[]",
    "(x as Shop)": "Shop{}",
    "((Shop) x).open": "Shop{}.open",
    "&mut self.shop": "self.shop",
    "crate::a::Shop::new()": "crate.a.Shop.new()",
    "Vec::<Item>::new()": "Vec.new()",
    "&Shop{}": "Shop{}",
    "Shop { name: x }": "Shop{}",
    "$this->shop->open()": "$this.shop.open()",
    "\\App\\Shop": "::.App.Shop",
    "@shop": "@shop",
    "shop->items[0]->open": "shop.items[0].open",
    "a::b::f": "a.b.f",
    "::close": "::.close",
    "this->template put<int>": "this.put",
    "static_cast<Shop*>(x)->open": "Shop{}.open",
    "dynamic_cast<const a::Shop&>(x)": "a.Shop{}",
    "((Shop *)x)->open": "Shop{}.open",
    "(struct shop *) x": "shop{}",
    "std::make_unique<Shop>(1)": "Shop{}^",
    "std::move(shop)": "shop",
    "std::vector<Item>": "Item{}*",
    "*shop": "shop",
    "&shop": "shop",
    "1": "#",
    "'text'": "#",
    "None": "#",
    "[1, 2]": "#",
    "{a: 1}": "#",
    "a + b": "",
    "a ? b : c": "",
    "lambda x: x": "",
    "function () {}": "",
    "(a, b)": "<0=a;1=b>#",
    "!a": "",
    "": "",
}
TYPES = {
    "Shop": "Shop{}",
    "a.b.Shop": "a.b.Shop{}",
    "a::Shop": "a.Shop{}",
    "const Shop &": "Shop{}",
    "struct shop *": "shop{}",
    "*Shop": "Shop{}",
    "&mut Shop": "Shop{}",
    "&'a Shop": "Shop{}",
    "dyn Shop": "Shop{}",
    "Shop?": "Shop{}",
    "Shop | None": "Shop{}",
    "Optional[Shop]": "Shop{}",
    "Promise<Shop>": "Shop{}",
    "Box<dyn Shop>": "Shop{}",
    "list[Shop]": "Shop{}*",
    "List<Shop>": "Shop{}*",
    "Shop[]": "Shop{}*",
    "[]Shop": "Shop{}*",
    "[Shop]": "Shop{}*",
    "Vec<Option<Shop>>": "Shop{}*",
    "std::vector<std::unique_ptr<Shop>>": "Shop{}^*",
    "std::shared_ptr<Shop>": "Shop{}^",
    "type[Shop]": "Shop",
    '"Shop"': "Shop{}",
    "Shop | Item": "",
    "(a: number) => Shop": "",
    "": "",
}
PARTS = {
    "()": 0,
    "( )": 0,
    "(a)": 1,
    "(a, b)": 2,
    "(a, f(b, c))": 2,
    "(a, [b, c], {d, e})": 3,
    "('a,b', c)": 2,
    "(a,)": 1,
}

# The characters that decide, more often than any other.
TEXTS = st.text(st.one_of(st.sampled_from("ab.():<>[]{}*&^#\"'`,;?!->\\ \n"), st.characters()), max_size=40)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{2,8}", fullmatch=True).map(lambda name: f"x{name}")
STEPS = st.one_of(NAMES.map(lambda name: f".{name}"), st.sampled_from(["()", "[]"]))
CHAINS = st.builds(lambda name, steps: name + "".join(steps), NAMES, st.lists(STEPS, max_size=6))


@pytest.mark.parametrize(("text", "path"), VALUES.items())
def test_value(text: str, path: str) -> None:
    assert read_value(text) == path


@pytest.mark.parametrize(("text", "path"), TYPES.items())
def test_type(text: str, path: str) -> None:
    assert read_type(text) == path


@pytest.mark.parametrize(("text", "path"), {"Box<Shop>": "Box{}", "std::map<int, Box<Shop>>": "Box{}*"}.items())
def test_type_where_libraries_are_in_lower_case(text: str, path: str) -> None:
    assert read_type(text, True) == path


@pytest.mark.parametrize(("bracketed", "n_parts"), PARTS.items())
def test_parts(bracketed: str, n_parts: int) -> None:
    assert count_parts(bracketed) == n_parts


@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    for path in (read_value(text), read_type(text), read_type(text, True)):
        assert all(steps_of(path))
        assert bool(steps_of(path)) == bool(path)
        parent_of(path)
    assert count_parts(f"({text})") >= 0


@pytest.mark.parametrize("text", ["(" * 200 + ")" * 200, "List<" * 80 + ">" * 80, "a<" * 200, "(a" + " a" * 190 + ")x"])
def test_long_texts_are_read(text: str) -> None:
    assert read_value(text) in ("", "List")
    assert isinstance(read_type(text), str)


@given(CHAINS)
def test_a_plain_chain_is_its_own_path(chain: str) -> None:
    assert read_value(chain) == chain
    assert read_value(f" ({chain}) ") == chain
    assert read_value(f"await {chain}") == chain


@given(CHAINS, NAMES)
def test_a_member_is_one_step_more(chain: str, name: str) -> None:
    for dot in (".", "->", "::", "?."):
        assert steps_of(read_value(f"{chain}{dot}{name}")) == (*steps_of(chain), name)
    assert parent_of(read_value(f"{chain}.{name}")) == chain


@given(st.lists(NAMES, max_size=5))
def test_arguments_are_counted(names: list[str]) -> None:
    assert count_parts(f"({', '.join(names)})") == len(names)
    assert count_parts(f"({', '.join(f'f({name}, [{name}, 1])' for name in names)})") == len(names)
