"""The program of the guide keeps its notes through a refactoring."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from worlds import World

GUIDE = Path(__file__).parents[2] / "docs/how-to/give-your-tool-an-anchor.md"
SHOP = "class Cart:\n    def total(self):\n        return sum(item.price * item.count for item in self.items)\n"
TAX = "def with_tax(amount, rate):\n    return round(amount * (1 + rate), 2)\n"


def run(world: World, *words: str) -> list[str]:
    command = [sys.executable, "memory.py", *words]
    done = subprocess.run(command, cwd=world.root, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_notes_survive_the_next_refactoring(tmp_path: Path) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text("utf-8"), re.S | re.M)
    world = World(tmp_path / "shop", {"shop.py": SHOP, "tax.py": TAX, "memory.py": program}, with_git=True)
    world.commit()
    run(world, "remember", "shop.py::Cart.total", "Rounds each item.")
    run(world, "remember", "tax.py:2", "Half up, says the tax office.")
    assert run(world, "recall") == [
        "unchanged: shop.py:2 Cart.total: Rounds each item.",
        "unchanged: tax.py:1 with_tax: Half up, says the tax office.",
    ]
    world.move("shop.py", "shop/basket.py")
    world.replace("shop/basket.py", "class Cart", "class Basket")
    world.replace("shop/basket.py", "total", "price")
    world.replace("tax.py", "with_tax", "gross")
    world.commit()
    expected = ["shop/basket.py:2 Basket.price: Rounds each item.", "tax.py:1 gross: Half up, says the tax office."]
    assert run(world, "recall") == [f"renamed: {line}" for line in expected]
    assert run(world, "recall") == [f"unchanged: {line}" for line in expected]
