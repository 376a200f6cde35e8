"""What code came from where: (before, after, expected), and invariants."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from comparing import state
from derived import PRICE, SHIPPING, Files
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.languages.registry import load_registry
from examples import n_examples

METHOD = """\
    def price(self, cart, customer):
        net = sum(item.price * item.count for item in cart.items)
        rebate = net * customer.rebate if customer.is_known else 0
        return net - rebate
"""
GETTERS = """\
    def name(self):
        return self._name

    def age(self):
        return self._age
"""
BARK = """\

    def bark(self):
        print('wuff')
"""

JAVA = """\
{0}class A {{
    {1} {{
        {2}carrier.weigh(cart.first(), scales) + carrier.weigh(cart.second(), scales){3}
        journal.write(cart.owner, total, scales.precision){3}
        while (cart.hasMore(scales)) {{ scales.load(item.count * item.weight + cart.padding) }}
        if (total > carrier.limit) {{ carrier.refuse(cart, carrier.limit - total, cart.owner.address) }}
        return total + packaging.weight(cart.kind){3}
    }}
}}
"""

CASES: dict[str, tuple[Files, Files, list[str]]] = {
    "a new function has what another one lost, and is called there": (
        {"a.py": f"def order(cart, customer):\n{PRICE}{SHIPPING}    return net - rebate + parcel\n"},
        {
            "a.py": "def order(cart, customer):\n    price = find_price(cart, customer)\n"
            f"{SHIPPING}    return price + parcel\n"
            f"\n\ndef find_price(cart, customer):\n{PRICE}    return net - rebate\n"
        },
        ["find_price extracted from order"],
    ),
    "Java is translated into Kotlin beside it": (
        {"A.java": JAVA.format("", "int weigh(Cart cart)", "int total = ", ";")},
        {
            "A.java": JAVA.format("@Deprecated ", "int weigh(Cart cart)", "int total = ", ";"),
            "A.kt": JAVA.format("", "fun weigh(cart: Cart): Int", "val total = ", ""),
        },
        ["A copied from A", "A.weigh copied from A.weigh"],
    ),
    "a call takes the place of a short expression": (
        {"a.py": f"def order(cart, customer):\n{PRICE}    cart.log = open(cart.path + '.log', 'w')\n    return net\n"},
        {
            "a.py": f"def order(cart, customer):\n{PRICE}    cart.log = open_log(cart)\n    return net\n"
            "\n\ndef open_log(cart):\n    return open(cart.path + '.log', 'w')\n"
        },
        ["open_log extracted from order"],
    ),
    "a new function in another file has what another one has, too": (
        {"a.py": f"def order(cart, customer):\n{PRICE}    return net - rebate\n", "b.py": "x = 1\n"},
        {
            "a.py": f"def order(cart, customer):\n{PRICE}    return round(net - rebate)\n",
            "b.py": f"x = 1\n\n\ndef offer(cart, customer):\n{PRICE}    return [net, rebate]\n",
        },
        ["offer copied from order"],
    ),
    "a function goes on as a part of what it was, under another name": (
        {"a.py": f"def order(cart, customer):\n{PRICE}{SHIPPING}    return net - rebate + parcel\n"},
        {
            "a.py": f"def price(cart, customer):\n{PRICE}    return net - rebate\n",
            "b.py": f"def shipping(cart, customer):\n{SHIPPING}    return parcel\n",
        },
        ["shipping split from order"],
    ),
    "a function is gone, and its code is where it was called": (
        {
            "a.py": f"def find_price(cart, customer):\n{PRICE}    return net - rebate\n"
            f"\n\ndef order(cart, customer):\n{SHIPPING}    return find_price(cart, customer) + parcel\n"
        },
        {"a.py": f"def order(cart, customer):\n{PRICE}{SHIPPING}    return net - rebate + parcel\n"},
        ["find_price inlined into order"],
    ),
    "a function is gone, and its code is in one that did not call it": (
        {
            "a.py": f"def log_price(cart, customer):\n{PRICE}    print(net - rebate)\n",
            "b.py": f"def log_shipping(cart, customer):\n{SHIPPING}    print(parcel)\n",
        },
        {"b.py": f"def log_shipping(cart, customer):\n{PRICE}{SHIPPING}    print(net - rebate, parcel)\n"},
        ["log_price merged into log_shipping"],
    ),
    "getters of two classes go into one": (
        {"a.py": f"class Cat(Animal):\n{GETTERS}\n\nclass Dog(Animal):\n{GETTERS}{BARK}"},
        {"a.py": f"class Animal:\n{GETTERS}\n\nclass Cat(Animal):\n    pass\n\n\nclass Dog(Animal):{BARK}"},
        [
            "Animal extracted from Cat",
            "Animal extracted from Dog",
            "Animal.age moved from Cat.age",
            "Animal.age moved from Dog.age",
            "Animal.name moved from Cat.name",
            "Animal.name moved from Dog.name",
        ],
    ),
    "a method is pushed down to two classes": (
        {
            "a.py": f"class Shop:\n{METHOD}\n\nclass Store(Shop):\n    def open(self):\n        self.door.open()\n"
            "\n\nclass Web(Shop):\n    def open(self):\n        self.server.start()\n"
        },
        {
            "a.py": "class Shop:\n    pass\n\n\nclass Store(Shop):\n    def open(self):\n        self.door.open()\n"
            f"\n{METHOD}"
            f"\n\nclass Web(Shop):\n    def open(self):\n        self.server.start()\n\n{METHOD}"
        },
        ["Store.price moved from Shop.price", "Web.price moved from Shop.price"],
    ),
    "a declaration stays and its body is pushed down": (
        {"a.py": f"class Shop:\n{METHOD}"},
        {
            "a.py": "class Shop:\n    def price(self, cart, customer):\n        raise NotImplementedError\n"
            f"\n\nclass Store(Shop):\n{METHOD}"
        },
        ["Store.price moved from Shop.price"],
    ),
    "one getter alone proves nothing": (
        {"a.py": "class Cat:\n    def name(self):\n        return self._name\n", "b.py": "x = 1\n"},
        {
            "a.py": "class Cat:\n    pass\n",
            "b.py": "x = 1\n\n\nclass Car:\n    def name(self):\n        return self._name\n",
        },
        [],
    ),
    "an edit is no derivation": (
        {"a.py": f"def order(cart, customer):\n{PRICE}    return net - rebate\n"},
        {"a.py": f"def order(cart, customer):\n{PRICE}{SHIPPING}    return net - rebate + parcel\n"},
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_derived(name: str) -> None:
    before, after, expected = CASES[name]
    assert derive(before, after) == expected


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_files_does_not_matter(name: str) -> None:
    before, after, _ = CASES[name]
    orders = [(dict(old), dict(new)) for old in permutations(before.items()) for new in permutations(after.items())]
    assert len({tuple(derive(old, new)) for old, new in orders}) == 1


JAVA = """\
class Cart {
    int count(String name) { return counts.getOrDefault(name, 0); }
    void add(String name) { counts.put(name, count(name) + 1); log.info("added", name); }
    void clear() { counts.clear(); log.info("cleared"); }
}
"""
KOTLIN = """\
class Cart {
    fun count(name: String): Int { return counts.getOrDefault(name, 0) }
    fun add(name: String) { counts.put(name, count(name) + 1); log.info("added", name) }
    fun clear() { counts.clear(); log.info("cleared") }
}
"""


def test_what_is_ported_to_another_language_is_derived() -> None:
    old, new = [state("Cart.java", JAVA, "java")], [state("Cart.kt", KOTLIN, "kotlin")]
    family_of = load_registry().family_of
    found = find_commit_derivations(old, new, pair_commit(old, new, family_of), family_of)
    assert sorted(say(old, new, one) for one in found) == [
        "Cart moved from Cart",
        "Cart.add moved from Cart.add",
        "Cart.clear moved from Cart.clear",
        "Cart.count moved from Cart.count",
    ]


def test_shares() -> None:
    before, after, _ = CASES["a function is gone, and its code is where it was called"]
    old, new = [[state(path, source) for path, source in files.items()] for files in (before, after)]
    family_of = load_registry().family_of
    (derivation,) = find_commit_derivations(old, new, pair_commit(old, new, family_of), family_of)
    assert derivation.source_share > 0.8
    assert 0.3 < derivation.share < 0.5


def derive(before: Files, after: Files) -> list[str]:
    """Each derivation in words; none of them is a pair."""
    old, new = [[state(path, source, language_of(path)) for path, source in fs.items()] for fs in (before, after)]
    family_of = load_registry().family_of
    pairing = pair_commit(old, new, family_of)
    found = find_commit_derivations(old, new, pairing, family_of)
    assert not [one for one in found if pairing.successors.get(one.source) == one.derivative]
    assert all(0 < one.share <= 1 and 0 < one.source_share <= 1 for one in found)
    return sorted(say(old, new, one) for one in found)


def language_of(path: str) -> str:
    spec = load_registry().of_path(path)
    assert spec is not None
    return spec.name


def say(old: list[OutlinedFile], new: list[OutlinedFile], one: CommitDerivation) -> str:
    (f, e), (g, d) = one.source, one.derivative
    names = [old[f].outline.entities[e].qualified_name, new[g].outline.entities[d].qualified_name]
    if one.kind.endswith(" from"):
        names.reverse()
    return f"{names[0]} {one.kind} {names[1]}"


STATEMENTS = [
    "net = sum(item.price * item.count for item in cart.items)",
    "rebate = net * customer.rebate if customer.is_known else 0",
    "weight = max(item.weight for item in cart.items) + packaging.weight",
    "parcel = tariffs.cheapest(weight, customer.country, express=cart.is_express)",
    "log.info('%s ordered %d items', customer.name, len(cart.items))",
]
BODIES = st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=4)
TREES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c.py"]), st.dictionaries(st.sampled_from("fgh"), BODIES, max_size=3), max_size=3
)


@settings(max_examples=n_examples(25), deadline=None)
@given(TREES, TREES, st.randoms(use_true_random=False))
def test_derivations_are_no_pairs_and_do_not_depend_on_the_order_of_files(
    before: dict[str, dict[str, list[str]]], after: dict[str, dict[str, list[str]]], random: Random
) -> None:
    old, new = write(before), write(after)
    found = derive(old, new)
    shuffled = [dict(random.sample(sorted(files.items()), len(files))) for files in (old, new)]
    assert derive(*shuffled) == found
    assert not [one for one in derive(old, old) if one]


def write(tree: dict[str, dict[str, list[str]]]) -> Files:
    return {
        path: "\n\n".join(
            f"def {name}(cart, customer):\n" + "".join(f"    {line}\n" for line in body) for name, body in defs.items()
        )
        for path, defs in tree.items()
    }
