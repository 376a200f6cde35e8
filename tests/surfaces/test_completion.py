"""What the shells are offered, by the protocol of their scripts and by the script for bash itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from birthmark.app.scans.subscriptions import SubscriptionRequest, subscribe
from running import Result, birthmark
from scanning import in_session
from worlds import World

APP = (
    "class App:\n    def run(self):\n        return 1\n\n    def route(self):\n        return 2\n\n\n"
    "def runner():\n    pass\n"
)
HOSTILE = 'exports["$(touch hacked)"] = function () { return 1 }\nexports.touchy = function () { return 2 }\n'


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "w", {"src/app.py": APP, "src/web/page.py": "def page():\n    pass\n"}, with_git=True)
    world.commit()
    world.git("tag", "v1.0")
    world.git("branch", "feature/one")
    world.commit()
    world.index()
    return world


def complete(line: str, cwd: Path, monkeypatch: pytest.MonkeyPatch, shell: str = "bash") -> Result:
    """A script's question, as the script asks it."""
    words = line.split()
    if line.endswith(" "):
        words.append("")
    number = {"bash": "", "zsh": str(len(words) - 1), "fish": words[-1]}[shell]
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", number)
    monkeypatch.setenv("_BIRTHMARK_COMPLETE", f"{shell}_complete")
    try:
        return birthmark(cwd=cwd)
    finally:
        monkeypatch.undo()


def offered(line: str, cwd: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    result = complete(f"birthmark {line}", cwd, monkeypatch)
    assert (result.returncode, result.stderr) == (0, "")
    return [item.partition(",")[2] for item in result.stdout.splitlines() if item.startswith("plain,")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hist", ["history"]),
        ("subscriptions sn", ["snooze"]),
        ("resolve --no-re", ["--no-refresh"]),
        ("show App.r", ["App.route", "App.run"]),
        ("callers run", ["run", "runner"]),
        ("history src/a", ["src/app.py::"]),
        ("history sr", ["src/"]),
        ("history src/", ["src/app.py::", "src/web/"]),
        ("history src/app.py::App.ro", ["src/app.py::App.route"]),
        ("resolve App.run --at v", ["v1.0"]),
        ("resolve App.run --at=v", ["v1.0"]),
        ("diff HEAD~", ["HEAD~1"]),
        ("diff v1.0..fea", ["v1.0..feature/one"]),
        ("entities src/app.py --language py", ["python"]),
        ("show nothing_like_it", []),
    ],
)
def test_commands_options_names_paths_and_revisions(
    world: World, monkeypatch: pytest.MonkeyPatch, line: str, expected: list[str]
) -> None:
    assert offered(line, world.root, monkeypatch) == expected


def test_paths_are_those_of_the_current_folder(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert offered("show web/page.py::", world.root / "src", monkeypatch) == ["web/page.py::page"]
    assert offered("show a", world.root / "src", monkeypatch) == ["app.py::"]


def test_recent_commits_are_offered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    head = world.git("rev-parse", "--short", "HEAD")
    assert head in offered(f"diff {head[:4]}", world.root, monkeypatch)


def test_ids_of_subscriptions_with_what_they_are_about(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = in_session(world.root, subscribe, SubscriptionRequest("src/app.py::App.run", label="the\x1b[31m loop"))
    id_ = stored.id
    assert offered("subscriptions delete sub-", world.root, monkeypatch) == [id_]
    assert offered("scan sub", world.root, monkeypatch) == [id_]
    shown = complete("birthmark apply sub", world.root, monkeypatch, "zsh").stdout
    assert shown == f"plain\n{id_}\nthe [31m loop\n"


@pytest.mark.parametrize(("shell", "expected"), [("zsh", "plain\nApp.route\n_\n"), ("fish", "plain,App.route")])
def test_other_shells_ask_likewise(world: World, monkeypatch: pytest.MonkeyPatch, shell: str, expected: str) -> None:
    assert complete("birthmark show App.ro", world.root, monkeypatch, shell).stdout.startswith(expected)


def test_what_a_shell_would_run_is_not_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, {"a.js": HOSTILE, "$(touch hacked).js": HOSTILE}, with_git=True)
    world.commit()
    world.git("branch", "v$(touch${IFS}hacked)")
    world.index()
    everything = [*offered("show ", tmp_path, monkeypatch), *offered("show exports", tmp_path, monkeypatch)]
    assert everything
    assert "$" not in "".join([*everything, *offered("diff v", tmp_path, monkeypatch)])


def test_nothing_is_written_and_nothing_said_where_there_is_no_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in ("show a", "diff HE", "subscriptions delete s", "scan --base v"):
        assert offered(line, tmp_path, monkeypatch) == []
    assert list(tmp_path.iterdir()) == []


def test_an_old_index_is_used_as_it_is(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.replace("src/app.py", "route", "router")
    assert offered("show App.ro", world.root, monkeypatch) == ["App.route"]
    with world.session() as session:
        assert session.freshness.pending == ["src/app.py"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_printed(tmp_path: Path, shell: str) -> None:
    result = birthmark("completion", shell, cwd=tmp_path)
    assert result.returncode == 0
    assert f"_BIRTHMARK_COMPLETE={shell}_complete" in result.stdout


BASH = """
source <(birthmark completion bash)
COMP_LINE="birthmark show src/app.py::App.ro"
COMP_POINT=${#COMP_LINE}
_birthmark_completion birthmark
printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_bash_completes_behind_colons(world: World) -> None:
    """Bash replaces only what follows the last colon."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/bash", "-c", BASH],
        cwd=world.root,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "App.route\n"
