"""Let the disk fail at any write of a database: one line says so, and nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from chaos.town import Town
from examples import IS_THOROUGH
from running import birthmark

BASE = apsw.vfs_names()[0]
STEPS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55) if IS_THOROUGH else (0, 2, 8, 21)


class FailingFile(apsw.VFSFile):
    """Writes until its disk has no writes left."""

    def __init__(self, disk: FailingDisk, name: Any, flags: Any) -> None:
        super().__init__(BASE, name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.use()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.use()
        super().xSync(flags)


class FailingDisk(apsw.VFS):
    """Fails for ever after a number of writes."""

    def __init__(self, n_writes: int) -> None:
        super().__init__("failing", BASE, makedefault=True)
        self.n_left = n_writes

    def use(self) -> None:
        self.n_left -= 1
        if self.n_left < 0:
            raise apsw.IOError("the disk fails")

    def xOpen(self, name: Any, flags: Any) -> FailingFile:  # noqa: N802 - SQLite's name
        return FailingFile(self, name, flags)


@contextmanager
def failing_after(n_writes: int) -> Iterator[None]:
    disk = FailingDisk(n_writes)
    try:
        yield
    finally:
        disk.unregister()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("n_writes", STEPS)
def test_a_disk_that_fails_after_some_writes(tmp_path: Path, n_writes: int) -> None:
    town = Town(tmp_path / "root", n_writes)
    town.world.write("new.py", "def new(): return 1\n")
    for command in (["index"], ["note", "name_1", "text"], ["subscribe", "name_2", "--label", "text"]):
        with failing_after(n_writes):
            done = birthmark(*command, cwd=town.world.root)
        if done.returncode == 0:
            town.acknowledge(command)
        assert done.returncode in (0, 2, 3), done.stderr
        assert "internal failure" not in done.stderr, done.stderr
        town.check()
    assert birthmark("validate", cwd=town.world.root).returncode == 0
