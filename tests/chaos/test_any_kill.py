"""Kill any command at any moment: what it had acknowledged is there afterwards, and every id resolves.

`make chaos` kills two hundred times, `make test` a few times.
"""

from __future__ import annotations

import subprocess
import sys
import time
from math import ceil
from pathlib import Path

import pytest

from chaos.town import Town
from examples import IS_THOROUGH, n_examples
from running import birthmark

N_KILLS = n_examples(8)
N_REPOSITORIES = 10 if IS_THOROUGH else 2
LONGEST = 1.5  # seconds until a command is killed; most of them end sooner


def kill(town: Town, step: int) -> None:
    """Start a command and kill it; if it has ended by then, what it was asked for is acknowledged."""
    command = town.any_command(step)
    process = subprocess.Popen(
        [sys.executable, "-m", "birthmark", *command],
        cwd=town.world.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(town.random.random() * LONGEST)
    is_done = process.poll() == 0
    process.kill()
    process.wait()
    if is_done:
        town.acknowledge(command)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(N_REPOSITORIES))
@pytest.mark.timeout(900)
def test_any_kill(tmp_path: Path, seed: int) -> None:
    town = Town(tmp_path / "root", seed)
    for step in range(ceil(N_KILLS / N_REPOSITORIES)):
        town.edit()
        kill(town, step)
        town.check()
    assert birthmark("validate", cwd=town.world.root).returncode == 0
