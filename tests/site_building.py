"""The documentation's site, made as `make docs` makes it, into a folder for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build_site(folder: Path) -> str:
    """What it printed: nothing, unless something is wrong with a page, a link or the list of pages."""
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
    return f"{done.stdout}{done.stderr}" + (f"exit {done.returncode}" if done.returncode else "")
