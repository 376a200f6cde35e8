"""A browser is found, or installed by the first way that works."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from browser import find_browser as module
from browser.find_browser import MISSING, ensure_browser, find_browser, main


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_one_on_the_path_is_taken_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    assert find_browser(str(tmp_path / "own")) is None
    own = program(tmp_path, "own")
    assert find_browser(own) == own
    assert find_browser(own) != (chrome := program(tmp_path, "google-chrome"))
    assert find_browser(own) == chrome


@pytest.mark.parametrize(
    ("installs", "is_root", "tried"),
    [
        ("playwright", True, ["playwright"]),
        ("apt-get", True, ["playwright", "apt-get", "apt-get"]),
        ("apt-get", False, ["playwright"]),
        ("nothing", True, ["playwright", "apt-get", "apt-get"]),
    ],
)
def test_ways_are_tried_in_turn(
    installs: str, is_root: bool, tried: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "apt-get")
    monkeypatch.setenv("PATH", str(tmp_path))
    ran: list[str] = []

    def run(command: Sequence[str]) -> bool:
        ran.append("playwright" if "playwright" in command else command[0])
        return True

    found = ensure_browser(lambda: "chromium" if installs in ran else None, run, is_root)
    assert ran == tried
    assert found == ("chromium" if installs in tried else None)


def test_a_missing_browser_is_a_failure_in_ci_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "ensure_browser", lambda *_: None)
    for ci, code in (("", 0), ("true", 1)):
        monkeypatch.setenv("CI", ci)
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code == code
        assert capsys.readouterr().err == f"{MISSING}\n"
