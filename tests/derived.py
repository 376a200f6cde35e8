"""One case of each kind of derivation: files before and after, the source and the derivative."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.vocabulary import DerivationKind

Files = dict[str, str]

PRICE = """\
    net = sum(item.price * item.count for item in cart.items)
    rebate = net * customer.rebate if customer.is_known else 0
"""
SHIPPING = """\
    weight = max(item.weight for item in cart.items) + packaging.weight
    parcel = tariffs.cheapest(weight, customer.country, express=cart.is_express)
"""
ORDER = f"def order(cart, customer):\n{PRICE}{SHIPPING}    return net - rebate + parcel\n"
ORDER_CALLS = f"def order(cart, customer):\n{SHIPPING}    return find_price(cart, customer) + parcel\n"
FIND_PRICE = f"def find_price(cart, customer):\n{PRICE}    return net - rebate\n"
NAMES = "    def name(self):\n        return self._name\n\n    def age(self):\n        return self._age\n"
BARK = "\n    def bark(self):\n        print('wuff')\n"


class Derived(NamedTuple):
    """A case: the states, and names of the source and the derivative."""

    before: Files
    after: Files
    source: str
    derivative: str


KINDS = {
    DerivationKind.EXTRACTED: Derived(
        {"a.py": ORDER}, {"a.py": f"{ORDER_CALLS}\n\n{FIND_PRICE}"}, "order", "find_price"
    ),
    DerivationKind.COPIED: Derived(
        {"a.py": FIND_PRICE, "b.py": "x = 1\n"},
        {
            "a.py": FIND_PRICE.replace("return net", "return round(net)"),
            "b.py": f"x = 1\n\n\ndef offer(cart, customer):\n{PRICE}    return [net, rebate]\n",
        },
        "find_price",
        "offer",
    ),
    DerivationKind.SPLIT: Derived(
        {"a.py": ORDER},
        {
            "a.py": f"def price(cart, customer):\n{PRICE}    return net - rebate\n",
            "b.py": f"def shipping(cart, customer):\n{SHIPPING}    return parcel\n",
        },
        "order",
        "shipping",
    ),
    DerivationKind.MERGED: Derived(
        {
            "a.py": f"def log_price(cart, customer):\n{PRICE}    print(net - rebate)\n",
            "b.py": f"def log_shipping(cart, customer):\n{SHIPPING}    print(parcel)\n",
        },
        {"b.py": f"def log_shipping(cart, customer):\n{PRICE}{SHIPPING}    print(net - rebate, parcel)\n"},
        "log_price",
        "log_shipping",
    ),
    DerivationKind.INLINED: Derived({"a.py": f"{FIND_PRICE}\n\n{ORDER_CALLS}"}, {"a.py": ORDER}, "find_price", "order"),
    DerivationKind.MOVED: Derived(
        {"a.py": f"class Cat(Animal):\n{NAMES}\n\nclass Dog(Animal):\n{NAMES}{BARK}"},
        {"a.py": f"class Animal:\n{NAMES}\n\nclass Cat(Animal):\n    pass\n\n\nclass Dog(Animal):{BARK}"},
        "Dog.name",
        "Animal.name",
    ),
}
