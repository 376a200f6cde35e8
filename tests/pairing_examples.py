"""Small repositories before and after an edit, which docs/explanation/matching.md explains by a picture each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Files = Mapping[str, str]  # sources by path


class PairingExample(NamedTuple):
    """Two states of a repository."""

    title: str
    before: Files
    after: Files


_PASSES = PairingExample(
    "From surest to boldest: what each definition became, and by which evidence",
    {
        "shop.py": """\
def load(path):
    with open(path) as file:
        return file.read().split()


def tax(price, rate):
    return price * rate


def total(items):
    return sum(item.price for item in items)


def show(items, width):
    for item in items:
        name = item.name.ljust(width)
        print(name, item.price)


def cheapest(items):
    prices = [i.price for i in items]
    return min(prices, default=None)


def debug(items):
    print(len(items))
"""
    },
    {
        "shop.py": """\
import sys


def load(path):
    with open(path) as file:
        return file.read().split()


def total(items):
    return sum(i.price * i.n for i in items)


def show_list(items, width):
    for item in items:
        name = item.name.ljust(width)
        print(name, item.price)


def lowest(items, unit):
    prices = [i.price for i in items if unit]
    return min(prices, default=None)


def main():
    show_list(load(sys.argv[1]), 20)
""",
        "rates.py": """\
def tax(price, rate):
    return price * rate
""",
    },
)

_SHIFT = PairingExample(
    "Two functions of one name: positions are compared after the shift is taken out",
    {
        "clock.py": """\
import time


def start(clock):
    clock.began = time.monotonic()
    clock.is_running = True


if time.get_clock_info("time").monotonic:

    def ticks():
        return 1000

else:

    def ticks():
        return 50 + 50
"""
    },
    {
        "clock.py": '''\
"""How long a tick is.

Systems differ: some count in
hundredths of a second, others
in thousandths. The tables say
which is which; what they do not
name counts in hundredths.

A clock that runs backwards is
not one of ours.
"""

import time


def start(clock):
    clock.began = time.monotonic()
    clock.is_running = True


if time.get_clock_info("time").monotonic:

    def ticks():
        return rates.read("precise")

else:

    def ticks():
        return rates.read("coarse")
'''
    },
)

_TIE = PairingExample(
    "A tie: one function is left of two that were alike, and nothing shows which",
    {
        "north.py": """\
def area(sides):
    width, height = sides
    return abs(width) * abs(height)
""",
        "south.py": """\
def area(sides):
    width, height = sides
    return abs(width) * abs(height)
""",
    },
    {
        "shapes.py": """\
def area(sides):
    width, height = sides
    return abs(width) * abs(height)
"""
    },
)

_DERIVATION = PairingExample(
    "A derivation: the code of a function goes on in a second one, which is new",
    {
        "report.py": """\
def report(rows):
    total = 0
    for row in rows:
        if row.paid and not row.refunded:
            total += row.amount * row.rate
    print("total", round(total, 2))
"""
    },
    {
        "report.py": """\
def report(rows):
    total = sum_paid(rows)
    print("total", round(total, 2))


def sum_paid(rows):
    total = 0
    for row in rows:
        if row.paid and not row.refunded:
            total += row.amount * row.rate
    return total
"""
    },
)

EXAMPLES = {
    "matching-passes": _PASSES,
    "matching-shift": _SHIFT,
    "matching-tie": _TIE,
    "matching-derivation": _DERIVATION,
}
