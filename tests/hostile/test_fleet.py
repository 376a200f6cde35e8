"""A fleet fetches, indexes and serves hostile repositories; `make hostile` tries it, here and on a Ray cluster."""

from __future__ import annotations

import secrets
import subprocess
import tempfile
from pathlib import Path

import pytest
from postgres_server import fresh_database

from birthmark.app.workspace.workspace import STORE
from hostile.command_lines import Line
from hostile.judge import judge_output
from hostile.scene import IS_FULL, Scene, needs_linux
from hostile.test_servers import Browser, ask_all, judge_children, serving
from hostile.traps import MODULE_FORMS, Variant
from worlds import World

pytestmark = [
    *needs_linux,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not IS_FULL, reason="`make hostile` tries it"),
]

LINES = [
    Line("fleet add . --name team/hostile"),
    Line("fleet add ../other --name team/other"),
    Line("fleet refresh --jobs 2"),
    Line("fleet refresh --retry --from-history"),
    Line("fleet status"),
    Line("fleet scan"),
    Line("index"),
    Line("search total"),
    Line("search total --everywhere"),
    Line("copy {store} ../elsewhere --repository team/hostile", ("../elsewhere",)),
    Line("fleet remove team/other"),
]
# What Ray itself opens, starts and connects to is its own affair.
OURS = ("run: ", "imported with ", "an interpreter", "another interpreter", "opened outside", "opened, by the kernel")


@pytest.fixture(params=MODULE_FORMS)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    """A hostile repository, and another one beside it; both are to be in a database."""
    scene = Scene(tmp_path, Variant(request.param))
    World(tmp_path / "other", {"a.py": "def a(): ...\n"}, with_git=True).commit()
    scene.extra[STORE] = fresh_database()
    return scene


def test_commands_of_a_fleet(scene: Scene) -> None:
    violations = list[str]()
    for line in LINES:
        words = line.words.replace("{store}", scene.extra[STORE])
        violations += scene.run(line._replace(words=words), "in the repository", finds_programs_here=True)
    assert violations == []


def test_serve_all(scene: Scene) -> None:
    for line in LINES[:3]:
        assert scene.run(line, "in the repository") == []
    options = ("serve", "--all", "--port", "0", "--processes", "2")
    with scene.judged() as violations, serving(scene, "in the repository", *options) as server:
        link = server.wait_for(r"open (http://\S+)")[1]
        browser = Browser((scene.root / ".birthmark" / "http-token").read_text().strip())
        ask_all(browser, link, "/repositories/team%2Fhostile")
        violations += judge_children(server.process.pid, scene.root)
        violations += judge_output(server.stop() + browser.answers)
    assert violations == []


def test_a_ray_cluster(scene: Scene) -> None:
    """Its processes start with a copy of the environment and the working folder of the one that joins it."""
    for line in LINES[:2]:
        assert scene.run(line, "in the repository") == []
    token = scene.folder / "token"
    token.write_text(secrets.token_hex(32))
    ray = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token), "RAY_TMPDIR": tempfile.gettempdir()}
    command = [*scene.command("in the repository"), "fleet", "refresh", "--ray", "local", "--jobs", "2", "--exit-code"]
    with scene.judged() as violations:
        done = subprocess.run(
            command,
            cwd=scene.root,
            env=scene.environment() | ray | {"PYTHONWARNINGS": "ignore"},
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    assert [one for one in violations if one.startswith(OURS)] == []
