"""Kill any command at any moment: what it had acknowledged is there afterwards, and every id resolves.

`make chaos` kills two hundred times, `make test` a few times.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from math import ceil
from pathlib import Path

import pytest

from examples import IS_THOROUGH, n_examples
from running import birthmark, document
from worlds import START, World, run_git

N_KILLS = n_examples(8)
N_REPOSITORIES = 10 if IS_THOROUGH else 2
COMMANDS = (("index",), ("index", "--from-history"), ("doctor",), ("note",), ("subscribe",))
LONGEST = 1.5  # seconds until a command is killed; most of them end sooner


class Town:
    """A repository of functions that are known by words of their own; their ids are written down when they are told."""

    def __init__(self, root: Path, seed: int) -> None:
        self.random, self.world = random.Random(seed), World(root, with_git=True)  # noqa: S311  nothing secret
        self.names = {number: f"name_{number}" for number in range(12)}
        self.told: dict[str, int] = {}
        self.notes: set[str] = set()
        self.subscriptions: set[str] = set()
        self.n_commits = 0
        self.edit()
        self.tell()

    def edit(self) -> None:
        """Rename a function and commit that."""
        number = self.random.choice(list(self.names))
        self.names[number] += "x" if self.n_commits else ""
        for each, name in self.names.items():
            words = "".join(f"    word_{each}_{i} = part_{each}_{i}(given_{each})\n" for i in range(5))
            self.world.write(f"m{each % 4}_{each}.py", f"def {name}(given_{each}):\n{words}    return word_{each}_0\n")
        self.n_commits += 1
        self.world.git("add", "-A")
        run_git(self.world.root, "commit", "-q", "-m", "m", at=START + self.n_commits)

    def tell(self) -> None:
        assert birthmark("index", cwd=self.world.root).returncode == 0
        by_name = {name: number for number, name in self.names.items()}
        for line in birthmark("entities", "--jsonl", cwd=self.world.root).stdout.splitlines():
            entity = json.loads(line)
            if entity["name"] in by_name:
                self.told[entity["mark"]] = self.told[entity["key"]] = by_name[entity["name"]]

    def kill(self, step: int) -> None:
        """Start a command and kill it; if it has ended by then, what it was asked for is acknowledged."""
        kind, *options = self.random.choice(COMMANDS)
        ref, text = self.names[self.random.randrange(len(self.names))], f"text {step}"
        words = {"note": ["note", ref, text], "subscribe": ["subscribe", ref, "--label", text]}.get(
            kind, [kind, *options]
        )
        process = subprocess.Popen(
            [sys.executable, "-m", "birthmark", *words],
            cwd=self.world.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(self.random.random() * LONGEST)
        is_done = process.poll() == 0
        process.kill()
        process.wait()
        if is_done and kind == "note":
            self.notes.add(text)
        if is_done and kind == "subscribe":
            self.subscriptions.add(text)

    def check(self) -> None:
        self.tell()
        refs = list(self.told)
        resolved = birthmark("resolve", "--jsonl", *refs, cwd=self.world.root).stdout.splitlines()
        for ref, line in zip(refs, resolved, strict=True):
            entity = json.loads(line)["entity"]
            assert entity is not None, (ref, self.names[self.told[ref]])
            assert entity["name"] == self.names[self.told[ref]], ref
        notes = {one["text"] for one in document("notes", cwd=self.world.root)}
        labels = {one["label"] for one in document("subscriptions", cwd=self.world.root)}
        assert self.notes <= notes
        assert self.subscriptions <= labels


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_REPOSITORIES))
@pytest.mark.timeout(900)
def test_any_kill(tmp_path: Path, seed: int) -> None:
    town = Town(tmp_path / "root", seed)
    for step in range(ceil(N_KILLS / N_REPOSITORIES)):
        town.edit()
        town.kill(step)
        town.check()
    assert birthmark("validate", cwd=town.world.root).returncode == 0
