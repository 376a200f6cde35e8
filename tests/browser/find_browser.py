"""Find a browser for the tests of pages, or install one.

`python -m browser.find_browser` does so before the tests: it takes one that is there, else Playwright's, else the
system's packages where that is possible, else it says that these tests are skipped. With CI=true that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",  # for a user that may not make one, as in most containers
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
MISSING = "no browser was found or could be installed, so the tests of pages in a browser are skipped"
_SECONDS = 900
_PACKAGES = (("apt-get", "update"), ("apt-get", "install", "-y", "--no-install-recommends", "chromium"))

Run = Callable[[Sequence[str]], bool]  # whether a command succeeded


def find_browser(own: str = "") -> str | None:
    """The program: one on the PATH, or Playwright's own if it is there."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (own if own and Path(own).exists() else None)


def must_have_browser() -> bool:
    return os.environ.get("CI") == "true"


def ensure_browser(find: Callable[[], str | None], run: Run, is_root: bool) -> str | None:
    """What is found, at once or after one of the ways to install it."""
    return find() or next((path for _ in _ways(run, is_root) if (path := find())), None)


def _ways(run: Run, is_root: bool) -> Iterator[bool]:
    yield run((sys.executable, "-m", "playwright", "install", "chromium"))
    if is_root and shutil.which("apt-get"):
        yield all(run(command) for command in _PACKAGES)


def _run(command: Sequence[str]) -> bool:
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _own() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def main() -> None:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not ensure_browser(lambda: find_browser() or find_browser(_own()), _run, is_root):
        print(MISSING, file=sys.stderr)
        sys.exit(1 if must_have_browser() else 0)


if __name__ == "__main__":
    main()
