"""A repository as people have them: a shop in Python with a web page, a Java client, tests and a guide, in ten commits.

Authors, dates and contents are fixed, so that commits, keys and marks are the same in every copy.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from own_processes import shared
from worlds import GIT_ENVIRONMENT, START, World

BASKET = '''\
"""What a customer is about to buy."""

from shop.money import round_cents


class Basket:
    """Items, each with its number."""

    limit = 20

    def __init__(self):
        self.items = []

    def add(self, item, count=1):
        """Put an item into the basket; a full basket takes no more."""
        if len(self.items) >= self.limit:
            raise ValueError("the basket is full")
        self.items.append((item, count))

    def total(self):
        """What all items cost together."""
        return round_cents(sum(item.price * count for item, count in self.items))


def with_tax(amount, rate=0.19):
    return round_cents(amount * (1 + rate))


def discount(amount, code):
    """What is left to pay with a discount code."""
    return amount * 0.9 if code == "SPRING" else amount
'''

MONEY = '''\
"""Amounts of money."""


def round_cents(amount):
    return round(amount, 2)
'''

ORDERS = '''\
"""Orders that were placed."""

from shop.basket import Basket, with_tax


class Order:
    def __init__(self, basket: Basket, customer: str) -> None:
        self.basket = basket
        self.customer = customer
        self.is_paid = False

    def amount(self):
        return with_tax(self.basket.total())

    def pay(self, gateway):
        gateway.charge(self.customer, self.amount())
        self.is_paid = True


def place_order(basket, customer, gateway):
    order = Order(basket, customer)
    order.pay(gateway)
    return order
'''

TESTS = """\
from shop.basket import Basket, with_tax
from shop.orders import place_order


class Item:
    price = 1.5


class Gateway:
    charged = None

    def charge(self, customer, amount):
        self.charged = amount


def test_total():
    basket = Basket()
    basket.add(Item(), 2)
    assert basket.total() == 3.0


def test_tax():
    assert with_tax(100) == 119.0


def test_order_is_paid():
    basket = Basket()
    basket.add(Item())
    assert place_order(basket, "Ada", Gateway()).is_paid
"""

GUIDE = """\
# Guide

A basket holds at most twenty items.
<!-- birthmark: shop/basket.py::Basket.add -->

Prices are shown with tax.
<!-- birthmark: shop/basket.py::with_tax -->

An order is charged when it is placed.
<!-- birthmark: shop/orders.py::place_order -->

Prices are what `Basket.total` says.
<!-- birthmark: shop/basket.py::Basket.total -->
"""

PAGE = """\
const app = {};

app.render = function (basket) {
  return basket.items.map((item) => item.name).join(', ');
};

app.start = function (root) {
  root.textContent = app.render({ items: [] });
};

module.exports = app;
"""

CLIENT = """\
package shop;

public class OrderClient {
    private final String address;

    public OrderClient(String address) {
        this.address = address;
    }

    public Order find(int number) {
        return fetch("/orders/" + number);
    }

    public Order find(String customer) {
        return fetch("/orders?customer=" + customer);
    }

    private Order fetch(String path) {
        return new Order(address + path);
    }
}
"""

TAX = '''\
"""Taxes of the countries we sell to."""

from shop.money import round_cents

RATES = {"de": 0.19, "fr": 0.2}


def with_tax(amount, rate=0.19):
    return round_cents(amount * (1 + rate))
'''


RECEIPTS = '''\
"""Receipts on paper."""


def total_line(order):
    amount = order.amount()
    return f"{order.customer:<20}{amount:>10.2f} {order.basket.currency}"


def print_receipt(order, printer):
    printer.start("Receipt", order.customer)
    for item, count in order.basket.items:
        price = item.price_in(order.basket.currency) * count
        printer.write(f"{count:>3} {item.name:<20}{price:>10.2f}")
    printer.write(total_line(order))
    printer.cut()
'''

RECEIPT_LINES = """\
def receipt_lines(order):
    for item, count in order.basket.items:
        price = item.price_in(order.basket.currency) * count
        yield f"{count:>3} {item.name:<20}{price:>10.2f}"
    yield total_line(order)


def print_receipt(order, printer):
    printer.start("Receipt", order.customer)
    for line in receipt_lines(order):
        printer.write(line)
    printer.cut()
"""


class ShopCommit(NamedTuple):
    """Who changed what, when and why."""

    author: str
    date: str
    subject: str
    edit: Callable[[World], None]


def _start(world: World) -> None:
    world.write("shop/__init__.py", "")
    world.write("shop/basket.py", BASKET)
    world.write("shop/money.py", MONEY)
    world.write("README.md", "# Shop\n\nSells things.\n")


def _orders(world: World) -> None:
    world.write("shop/orders.py", ORDERS)
    world.write("tests/test_shop.py", TESTS)


def _guide(world: World) -> None:
    world.write("docs/guide.md", GUIDE)


def _round(world: World) -> None:
    world.replace("shop/money.py", "    return round(amount, 2)\n", "    return round(amount + 1e-9, 2)\n")


def _tax(world: World) -> None:
    world.replace("shop/basket.py", BASKET[BASKET.index("def with_tax") : BASKET.index("def discount")], "")
    world.write("shop/tax.py", TAX)
    world.replace("shop/orders.py", "import Basket, with_tax\n", "import Basket\nfrom shop.tax import with_tax\n")
    world.replace("tests/test_shop.py", "import Basket, with_tax\n", "import Basket\n")
    world.replace("tests/test_shop.py", "import place_order\n", "import place_order\nfrom shop.tax import with_tax\n")


def _price(world: World) -> None:
    world.replace("shop/basket.py", "def total(self):", "def price(self):")
    world.replace("shop/orders.py", "basket.total()", "basket.price()")
    world.replace("tests/test_shop.py", "basket.total()", "basket.price()")


def _page(world: World) -> None:
    world.write("web/app.js", PAGE)


def _no_discount(world: World) -> None:
    text = world.read("shop/basket.py")
    world.write("shop/basket.py", text[: text.index("\n\ndef discount")])


def _client(world: World) -> None:
    world.write("client/OrderClient.java", CLIENT)


def _currency(world: World) -> None:
    world.replace("shop/basket.py", "def price(self):", 'def price(self, currency="EUR"):')
    world.replace(
        "shop/basket.py",
        "        return round_cents(sum(item.price * count for item, count in self.items))\n",
        "        amounts = [item.price_in(currency) * count for item, count in self.items]\n"
        "        return round_cents(sum(amounts))\n",
    )


def _receipts(world: World) -> None:
    world.write("shop/receipts.py", RECEIPTS)


def _receipt_lines(world: World) -> None:
    world.replace("shop/receipts.py", RECEIPTS[RECEIPTS.index("def print_receipt") :], RECEIPT_LINES)


def _no_total_line(world: World) -> None:
    world.replace("shop/receipts.py", RECEIPTS[RECEIPTS.index("def total") : RECEIPTS.index("def print_receipt")], "")
    body = RECEIPTS[RECEIPTS.index("    amount") : RECEIPTS.index("\n\n\ndef print_receipt")].replace("return", "yield")
    world.replace("shop/receipts.py", "    yield total_line(order)", body)


COMMITS = (
    ShopCommit("Ada King", "2023-02-01T09:00:00+0100", "Baskets and money", _start),
    ShopCommit("Ada King", "2023-02-03T16:20:00+0100", "Orders are paid when they are placed", _orders),
    ShopCommit("Grace Lee", "2023-03-12T11:05:00+0100", "A guide for the people in the shop", _guide),
    ShopCommit("Grace Lee", "2023-04-02T10:00:00+0200", "Round half a cent up (fixes #17)", _round),
    ShopCommit("Ada King", "2023-06-21T14:45:00+0200", "Taxes get a module of their own", _tax),
    ShopCommit("Noor Haddad", "2023-09-08T08:30:00+0200", "Call a basket's total its price, as the guide does", _price),
    ShopCommit("Noor Haddad", "2023-11-30T17:10:00+0100", "A page that shows the basket", _page),
    ShopCommit("Ada King", "2024-01-15T09:40:00+0100", "Remove discount codes, which were never used", _no_discount),
    ShopCommit("Grace Lee", "2024-02-20T13:00:00+0100", "A client in Java", _client),
    ShopCommit("Noor Haddad", "2024-05-06T15:25:00+0200", "Prices in the customer's currency", _currency),
)

RECEIPT_COMMITS = (
    ShopCommit("Ada King", "2024-06-03T09:30:00+0200", "Receipts", _receipts),
    ShopCommit("Grace Lee", "2024-06-04T10:15:00+0200", "Receipts on screen as well", _receipt_lines),
    ShopCommit("Ada King", "2024-06-06T16:40:00+0200", "The total is a line like the others", _no_total_line),
)


def make_shop(root: Path) -> World:
    """The repository with all its commits, the last of which is checked out; its name is that of the folder.

    A branch `receipts` goes on from there.
    """
    shutil.copytree(_template(), root, dirs_exist_ok=True)
    return World(root)


@cache
def _template() -> Path:
    """The repository that others are copies of, made once in a process."""
    folder = Path(tempfile.mkdtemp(prefix="birthmark-shop-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with shared():
        _make_template(folder)
    return folder


def _make_template(folder: Path) -> None:
    world = World(folder, with_git=True)
    _commit_all(world, COMMITS)
    world.git("tag", "v1.0", "HEAD~4")
    world.git("switch", "-q", "-c", "receipts")
    _commit_all(world, RECEIPT_COMMITS)
    world.git("switch", "-q", "main")
    _date_back(world)


def _date_back(world: World) -> None:
    """Give files an old date by which git knows copies of them as unchanged, so that no copy needs a `git` process."""
    world.git("config", "core.trustctime", "false")
    world.git("config", "core.checkstat", "minimal")
    for path in world.git("ls-files").splitlines():
        os.utime(world.root / path, (START, START))
    world.git("update-index", "-q", "--refresh")


def _commit_all(world: World, commits: Sequence[ShopCommit]) -> None:
    for commit in commits:
        commit.edit(world)
        world.git("add", "-A")
        _commit(world, commit)


def _commit(world: World, commit: ShopCommit) -> None:
    email = f"{commit.author.split()[0].lower()}@example.org"
    people = {"GIT_AUTHOR_NAME": commit.author, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": commit.date}
    committer = {"GIT_COMMITTER_NAME": commit.author, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": commit.date}
    command = ["git", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "commit", "-q", "-m", commit.subject]
    subprocess.run(command, cwd=world.root, env=GIT_ENVIRONMENT | people | committer, check=True)
