"""This project's own history, replayed through the index."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from both_stores import STORE_PARAMETERS, chosen

from examples import IS_THOROUGH
from replaying import last_commits, replay

ROOT = Path(__file__).parents[2]
N_COMMITS = 6  # the latest; `make replay` takes any number


@pytest.mark.slow
@pytest.mark.parametrize("store", STORE_PARAMETERS if IS_THOROUGH else STORE_PARAMETERS[:1])
def test_own_history_replays(tmp_path: Path, store: str) -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("there is no history here: no git, or not a clone")
    commits = last_commits(ROOT, N_COMMITS)
    with chosen(store):
        result = replay(ROOT, commits, tmp_path, whole_every=5)
    assert result.findings == []
    assert result.n_commits == len(commits)
