"""Kill the indexer at any moment: the index is as before or as after, and nothing that was told is taken back."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.queries.validate import check_snapshot
from birthmark.store.sqlite.store import SqliteStore
from worlds import World

N_FILES = 160
N_KILLS = 10  # a seed
SEEDS = range(5)
COMMAND = [sys.executable, "-m", "birthmark", "index", "--jobs", "2"]


def source(number: int, generation: int) -> str:
    """Three functions; the second changes from one generation to the next, and with it the lines of the third."""
    more = "    y += 1\n" * (generation % 3)
    return "\n\n".join(
        (
            f"def first_{number}(x):\n    return [x + {number}, x * {number}]\n",
            f"def second_{number}(x):\n    y = {generation} + x\n{more}    return y\n",
            f"def third_{number}(x):\n    return first_{number}(second_{number}(x))\n",
        )
    )


class Village:
    """A generated repository. Functions keep their names, so a name's mark must never change."""

    def __init__(self, root: Path, seed: int) -> None:
        self.world, self.random = World(root), random.Random(seed)  # noqa: S311  nothing secret
        self.paths = [f"p{number % 8}/m{number}.py" for number in range(N_FILES)]
        self.told: dict[str, str] = {}
        self.moved: set[int] = set()
        self.changed: set[int] = set()
        self.generation = 0
        for number in range(N_FILES):
            self.world.write(self.paths[number], source(number, 0))

    def edit(self) -> None:
        """Change some files, take some away or bring them back; what is moved is left alone until that is told."""
        self.generation += 1
        for number in self.random.sample(range(N_FILES), 40):
            path, fate = self.paths[number], self.random.random()
            if number in self.moved:
                continue
            if fate < 0.1 and self.generation > 1 and number not in self.changed:
                self.moved.add(number)
                self.paths[number] = f"p{self.random.randrange(8)}/n{number}_{self.generation}.py"
                self.world.move(path, self.paths[number])
                continue
            self.changed.add(number)
            if fate < 0.2:
                (self.world.root / path).unlink(missing_ok=True)
            else:
                self.world.write(path, source(number, self.generation))

    def index(self) -> float:
        started = time.perf_counter()
        subprocess.run(COMMAND, cwd=self.world.root, capture_output=True, check=True, timeout=120)
        return time.perf_counter() - started

    def index_and_kill(self, seconds: float) -> bool:
        """Whether it was killed before it was done."""
        with subprocess.Popen(COMMAND, cwd=self.world.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                return True
        assert process.returncode == 0
        return False

    def check(self) -> None:
        """What a killed run leaves can be read, and knows all that was told before."""
        try:
            with self.world.session() as session:
                store = session.store
                assert store.check_integrity() == []
                assert check_snapshot(store, session.view.number) == []
                known = {found.mark for found in store.identities_marked(self.told.values())}
                assert known == set(self.told.values())
        except BirthmarkError:
            assert self.told == {}  # Killed before there was an index.

    def listen(self) -> None:
        """Take down the marks that there are; what was told before must not have changed."""
        self.moved = set()
        self.changed = {number for number in range(N_FILES) if not (self.world.root / self.paths[number]).exists()}
        for held in self.world.entities():
            assert self.told.setdefault(held.entity.name, held.mark) == held.mark, held.entity.name


@pytest.mark.parametrize("seed", SEEDS)
def test_kills(tmp_path: Path, seed: int) -> None:
    village = Village(tmp_path, seed)
    seconds = 1.0
    n_killed = 0
    for number in range(10 * N_KILLS):
        if number % 4 == 1:
            seconds = village.index()
            village.listen()
        village.edit()
        n_killed += village.index_and_kill(seconds * village.random.uniform(0.1, 1.0))
        village.check()
        if n_killed == N_KILLS:
            break
    assert n_killed == N_KILLS
    village.index()
    village.listen()
    assert village.world.check() == []
    with writing(village.world.workspace, 0) as store:
        assert isinstance(store, SqliteStore)
        assert store.log_is_whole()
