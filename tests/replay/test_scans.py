"""Scans through this project's own history: all that is told is checked, applied, and not told again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from replaying import last_commits
from scanning_releases import soak

ROOT = Path(__file__).parents[2]
N_COMMITS, STEP = 6, 3  # the latest, and how many lie between two scans; `make scan-releases` takes any two releases
N_SUBSCRIPTIONS = 80


@pytest.mark.slow
def test_own_history_is_scanned(tmp_path: Path) -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("there is no history here: no git, or not a clone")
    commits = last_commits(ROOT, N_COMMITS + 1)[::-STEP][::-1]
    if len(commits) < 2:
        pytest.skip("there is too little history here: a shallow clone")
    result = soak(ROOT, commits, tmp_path, N_SUBSCRIPTIONS)
    assert result.findings == []
    assert result.n_windows == len(commits) - 1
