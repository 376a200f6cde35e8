"""The repository that examples for Python are run on: two commits, an index, and a folder to be in."""

from __future__ import annotations

from pathlib import Path

from worlds import World, run_git

FIRST = """class Cart:
    limit = 20

    def add(self, item):
        self.items.append(item)

    def price(self):
        return sum(item.price for item in self.items)
"""
SECOND = """from tax import net


class Cart:
    limit = 20

    def add(self, item):
        self.items.append(item)

    def total(self):
        return net(sum(item.price for item in self.items))
"""
TAX = """def net(price, rate=0.2):
    return price / (1 + rate)
"""


def make_shop(root: Path) -> World:
    """`Cart.price` became `Cart.total`, which uses what is new in another file."""
    world = World(root, {"src/shop.py": FIRST}, with_git=True)
    commit(world, "Sell things", 1_700_000_000)
    world.write("src/shop.py", SECOND)
    world.write("src/tax.py", TAX)
    commit(world, "Totals are without tax", 1_710_000_000)
    world.index()
    return world


def commit(world: World, subject: str, at: int) -> None:
    run_git(world.root, "add", "-A")
    run_git(world.root, "commit", "-q", "-m", subject, at=at)
