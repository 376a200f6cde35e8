"""Fill the disk before any command: it says so in one line, reading goes on, and nothing acknowledged is lost.

The disk is a small one in memory, in a namespace of its own in which this module runs as a program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from math import ceil
from pathlib import Path

import pytest

from chaos.town import Town
from examples import IS_THOROUGH, n_examples
from running import birthmark

N_STEPS = n_examples(6)
N_DISKS = 4 if IS_THOROUGH else 1
MIB = 1 << 20
TESTS = Path(__file__).parents[1]
READING = (["status"], ["notes"], ["subscriptions"], ["entities"], ["show", "name_0"], ["scan"])


def leave(disk: Path, n_bytes: int) -> None:
    """Fill the disk but for some bytes."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    while (surplus := shutil.disk_usage(disk).free - n_bytes) > 0:
        with filler.open("ab") as file:
            file.write(bytes(min(surplus, MIB)))


def run_on(disk: Path, seed: int) -> None:
    town = Town(disk / "root", seed)
    for step in range(ceil(N_STEPS / N_DISKS)):
        town.edit()
        command = town.any_command(step)
        leave(disk, town.random.choice((0, 4096, 20_000, 60_000, 200_000, MIB)))
        done = birthmark(*command, cwd=town.world.root)
        assert done.returncode in (0, 2, 3), done.stderr
        if done.returncode == 0:
            town.acknowledge(command)
        else:
            assert "internal failure" not in done.stderr, done.stderr
            assert "Traceback" not in done.stderr, done.stderr
        for question in READING:
            done = birthmark(*question, cwd=town.world.root)
            known = question[0] != "show" or done.returncode != 2  # it was renamed
            assert done.returncode == 0 or not known, (question, done.stderr)
        (disk / "filler").unlink(missing_ok=True)
        town.check()
    assert birthmark("validate", cwd=town.world.root).returncode == 0


def in_namespace(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", *words]
    return subprocess.run(command, cwd=TESTS, capture_output=True, text=True)


def can_mount(folder: Path) -> bool:
    has_program = shutil.which("unshare") is not None
    return has_program and in_namespace('mount -t tmpfs none "$1"', str(folder)).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_DISKS))
@pytest.mark.timeout(900)
def test_full_disk(tmp_path: Path, seed: int) -> None:
    if not can_mount(tmp_path):
        pytest.skip("no file system can be mounted here")
    script = 'mount -t tmpfs -o size=24m none "$1" && exec "$2" -m chaos.test_full_disk "$1" "$3"'
    done = in_namespace(script, str(tmp_path), sys.executable, str(seed))
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    run_on(Path(sys.argv[1]), int(sys.argv[2]))
