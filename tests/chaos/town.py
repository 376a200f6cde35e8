"""A repository of functions that are renamed, and all that was told or acknowledged about them."""

from __future__ import annotations

import json
import random
from pathlib import Path

from running import birthmark, document
from worlds import START, World, run_git

COMMANDS = (("index",), ("index", "--from-history"), ("doctor",), ("note",), ("subscribe",))


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

    def any_command(self, step: int) -> list[str]:
        """Draw a command that writes."""
        kind, *options = self.random.choice(COMMANDS)
        ref, text = self.names[self.random.randrange(len(self.names))], f"text {step}"
        words = {"note": [ref, text], "subscribe": [ref, "--label", text]}
        return [kind, *words.get(kind, options)]

    def acknowledge(self, command: list[str]) -> None:
        """A command has ended well: what it was asked for must be kept from now on."""
        if command[0] == "note":
            self.notes.add(command[-1])
        if command[0] == "subscribe":
            self.subscriptions.add(command[-1])

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
