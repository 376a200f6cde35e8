"""Two small repositories in a database, and a third that is not on this machine, for a server of many."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from birthmark.app.workspace.workspace import find_workspace
from birthmark.server.commands.token_commands import add_token
from birthmark.server.fleet.catalog import FleetRepository, list_repositories, put, write_name
from running import birthmark
from worlds import World

SOURCES = {
    "acme/shop": "def price(item):\n    return item.net\n",
    "acme/tools": "def saw(wood):\n    return wood / 2\n",
}
SHOP, TOOLS = "/repositories/acme%2Fshop", "/repositories/acme%2Ftools"
_LINK = re.compile(r"open (http://[^/]+)/\S+")


class ServedFleet:
    """The store must be that of the environment."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        for name, text in SOURCES.items():
            self._add(name, text)
        put(url, [FleetRepository(name="acme/away", source="https://code.example/acme/away.git")])

    def _add(self, name: str, text: str) -> None:
        world, bare = World(self.folder / name, {"a.py": text}, with_git=True), self.folder / f"{name}.git"
        commit = world.commit()
        world.git("clone", "-q", "--bare", str(world.root), str(bare))
        write_name(bare, name)
        assert birthmark("index", cwd=bare).returncode == 0
        put(self.url, [FleetRepository(name=name, source=str(bare), indexed=commit)])

    def push(self, name: str, text: str) -> None:
        world = World(self.folder / name)
        world.write("a.py", text)
        world.commit()
        world.git("push", "-q", str(self.folder / f"{name}.git"), "HEAD")

    def refresh(self, name: str) -> None:
        assert birthmark("fleet", "refresh", name, cwd=self.folder).returncode == 0

    @property
    def marked(self) -> list[str]:
        return [one.name for one in list_repositories(self.url) if one.changed_at]

    def token_of(self, person: str, *, writes: bool = False, repositories: tuple[str, ...] = ()) -> str:
        """A new one."""
        return add_token(find_workspace(self.folder), person, writes=writes, repositories=repositories)

    @contextmanager
    def serving(self, *options: str) -> Iterator[str]:
        """The address of `serve --all` in a process of its own; it must end well when it is stopped."""
        command = [sys.executable, "-m", "birthmark", "--store", self.url, "serve", "--all", "--port", "0", *options]
        with subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            try:
                yield next(found[1] for line in server.stderr if (found := _LINK.search(line)))
            finally:
                server.terminate()
                server.stderr.read()
                assert server.wait() == 0


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
