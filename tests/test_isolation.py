"""No process of ours looks for modules or programs in the folder in which it was started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from birthmark.isolation import Outside, isolate, spawn

SOURCE = Path(__file__).parents[1] / "src"
LATER = "/later"  # a folder of a search path that is as good as any other
REPORT = """
import json, os, sys
from birthmark.isolation import isolate

isolate()
names = ("PYTHONSAFEPATH", "PYTHONPATH", "PATH")
found = {"path": sys.path, "safe": bool(sys.flags.safe_path)}
print(json.dumps(found | {name: os.environ.get(name) for name in names}))
"""


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring the search paths of this process back."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
    for name in ("PATH", "PYTHONPATH", "PYTHONSAFEPATH"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


CASES = {
    "an empty entry": ("", False),
    "the working folder": ("{here}", False),
    "a link to the working folder": ("{link}", False),
    "a relative name of it": (".", False),
    "a folder in it, as of a virtual environment": ("{here}/.venv/lib", True),
    "another folder": (LATER, True),
}


@pytest.mark.parametrize("case", CASES)
def test_the_working_folder_is_taken_off_the_search_path(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: None
) -> None:
    here, link = tmp_path / "here", tmp_path / "link"
    here.mkdir()
    link.symlink_to(here)
    monkeypatch.chdir(here)
    text, stays = CASES[case]
    folder = text.format(here=here, link=link)
    sys.path[:] = [folder, LATER]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, "lib", LATER])
    os.environ["PATH"] = os.pathsep.join(["", ".", "bin", "/usr/bin"])
    isolate()
    kept_folders = [folder] if stays else []
    assert sys.path == [*kept_folders, LATER]
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [*kept_folders, str(here / "lib"), LATER]
    assert os.environ["PATH"] == "/usr/bin"
    assert os.environ["PYTHONSAFEPATH"] == "1"


@pytest.mark.parametrize("folder", [SOURCE, Path(os.__file__).parent, Path(pytest.__file__).parents[1]])
def test_what_is_installed_there_stays(folder: Path, monkeypatch: pytest.MonkeyPatch, kept: None) -> None:
    """Our own package, Python's modules, and other packages."""
    monkeypatch.chdir(folder)
    sys.path[:] = [str(folder)]
    isolate()
    assert sys.path == [str(folder)]


def test_a_folder_that_was_deleted_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: None) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    sys.path[:] = ["", LATER]
    isolate()
    assert sys.path == [LATER]


def report(cwd: Path, *options: str, **environment: str) -> dict[str, Any]:
    command = [sys.executable, *options, "-c", REPORT]
    output = subprocess.check_output(command, cwd=cwd, env=os.environ | environment, text=True)
    found: dict[str, Any] = json.loads(output)
    return found


def test_children_are_isolated_by_the_environment(tmp_path: Path) -> None:
    assert report(tmp_path)["PYTHONSAFEPATH"] == "1"
    assert str(tmp_path) not in report(tmp_path)["path"]


@pytest.mark.skipif(os.name != "posix", reason="programs are replaced otherwise there")
def test_an_environment_that_is_ignored_is_replaced_by_an_option(tmp_path: Path) -> None:
    """As where a script begins with `#!/usr/bin/python3 -E`."""
    assert report(tmp_path, "-E")["safe"]


# Processes


def tell_place(place: Path) -> None:
    flags = {"folder": os.getcwd(), "safe": bool(sys.flags.safe_path)}
    place.write_text(
        json.dumps(flags | {"interrupts": signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())})
    )


def test_a_process_works_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    spawn(tell_place, tmp_path / "told").join()
    assert json.loads((tmp_path / "told").read_text()) == {"folder": os.sep, "safe": True, "interrupts": False}
    assert Path.cwd() == tmp_path
    assert "PYTHONSAFEPATH" not in os.environ, "a program that imports birthmark has its environment back"


def test_the_last_one_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads may be outside at once, and leave in any order."""
    monkeypatch.chdir(tmp_path)
    first, second = Outside(), Outside()
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert Path.cwd() == Path(os.sep)
    second.__exit__()
    assert Path.cwd() == tmp_path
