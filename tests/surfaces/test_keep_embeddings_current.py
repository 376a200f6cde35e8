"""An engineer keeps embeddings current: the program of the how-to, as it is on the page, on a small repository."""

from __future__ import annotations

import json
import os
import re
import runpy
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from running import birthmark
from worlds import GIT_ENVIRONMENT, World

PAGE = Path(__file__).parents[2] / "docs/how-to/keep-embeddings-current.md"

SHOP = '''class Basket:
    """What a customer wants to buy."""

    def __init__(self):
        self.orders = []

    def add(self, order):
        self.orders.append(order)

    def price(self, tax):
        return sum(order.price for order in self.orders) * (1 + tax)
'''
NOTES = "# Notes\n\nPrices are without tax.\n"


class Engineer:
    """A repository, the program of the page, and the store that it keeps."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder / "shop", {"shop.py": SHOP, "NOTES.md": NOTES}, with_git=True)
        self.program, self.store = folder / "embeddings.py", folder / "embeddings.db"
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.S | re.M)
        self.program.write_text("\n\n".join(blocks), "utf-8")

    def run(self, *question: str) -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        # A measured process writes its coverage into the repository, which would not be as committed.
        unmeasured = {name: value for name, value in GIT_ENVIRONMENT.items() if not name.startswith("COV")}
        environment = unmeasured | {"PATH": path, "NO_COLOR": "1"}
        command = [sys.executable, str(self.program), str(self.store), *question]
        done = subprocess.run(
            command, cwd=self.world.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def check_store(self) -> None:
        """It has the chunks of the worktree, no others, and for each text the vector of that text."""
        listed = birthmark("chunks", "--jsonl", cwd=self.world.root).stdout.split("\n")
        chunks = [json.loads(line) for line in listed if line]
        expected = {(c["chunkUid"], c["contentHash"], c["mark"], c["file"], c["text"]) for c in chunks}
        store = sqlite3.connect(self.store)
        assert set(store.execute("SELECT uid, hash, mark, file, text FROM chunks")) == expected
        program = runpy.run_path(str(self.program))
        for text, vector in store.execute("SELECT text, vector FROM chunks"):
            assert vector == program["pack"](program["embed_one"](text))
        store.close()


@pytest.fixture
def engineer(tmp_path: Path) -> Engineer:
    engineer = Engineer(tmp_path)
    engineer.world.commit()
    return engineer


@pytest.mark.slow
def test_an_engineer_keeps_embeddings_current(engineer: Engineer) -> None:
    world = engineer.world
    assert engineer.run() == "filled with 5 chunks, 5 embedded\n"
    engineer.check_store()
    assert engineer.run() == "0 changed, 0 added, 0 rekeyed, 0 gone, 0 embedded\n"

    world.replace("shop.py", "* (1 + tax)", "* (1 + tax) - self.discount")
    world.write("more.py", "def more(orders):\n    return [order for order in orders if order.is_open]\n")
    world.commit()
    assert engineer.run() == "1 changed, 1 added, 1 rekeyed, 0 gone, 2 embedded\n"
    engineer.check_store()

    world.move("shop.py", "store.py")
    world.remove("NOTES.md")
    world.commit()
    assert engineer.run() == "0 changed, 0 added, 4 rekeyed, 1 gone, 0 embedded\n"
    engineer.check_store()

    best = engineer.run("the price of orders with tax and discount").splitlines()[0]
    assert "store.py" in best
    assert world.mark("Basket.price") in best


@pytest.mark.slow
def test_edits_that_are_not_committed_do_no_harm(engineer: Engineer) -> None:
    """What was embedded in between is removed again."""
    world = engineer.world
    engineer.run()
    world.replace("shop.py", "self.orders.append(order)", "self.orders.insert(0, order)")
    assert "1 changed" in engineer.run()
    engineer.check_store()
    world.git("checkout", "-q", "shop.py")
    assert engineer.run() == "filled with 5 chunks, 1 embedded\n"
    engineer.check_store()
