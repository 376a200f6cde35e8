"""A command imports what it uses: no package of other commands, and nothing of the server part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from worlds import World

OF_PAGES = {"jinja2", "pygments", "starlette", "uvicorn"}
OF_PICTURES = {"igraph", "squarify"}
OF_SERVER = {"opentelemetry", "prometheus_client", "psycopg", "psycopg_pool", "ray"}
OF_OTHERS = {"mcp", "pyarrow", "pygls", "rich", "watchfiles"}
PACKAGES = OF_PAGES | OF_PICTURES | OF_SERVER | OF_OTHERS
SOURCES = {"shop.py": "def pay():\n    return round(1)\n\n\ndef main():\n    return pay()\n"}
COMMANDS = [
    ("index",),
    ("show", "pay"),
    ("users", "pay"),
    ("history", "pay"),
    ("search", "pay"),
    ("status",),
    ("entities",),
    ("diff",),
    ("impact", "pay"),
    ("resolve", "pay"),
]
IMPORTED = """
import os, sys
from birthmark.surfaces.cli.main import main
sys.argv = ["birthmark", *sys.argv[1:]]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
# What would import a module that is not installed.
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {packages!r} or (name + ".").startswith("birthmark.server."):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from birthmark.surfaces.cli.main import main
sys.argv = ["birthmark", *sys.argv[1:]]
main()
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = World(tmp_path_factory.mktemp("imports"), SOURCES, with_git=True)
    world.commit()
    world.index()
    return world.root


def run(root: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *arguments], cwd=root, capture_output=True, text=True)


@pytest.mark.parametrize("command", [*COMMANDS, ("--help",)], ids=" ".join)
def test_a_command_imports_no_package_of_others(root: Path, command: tuple[str, ...]) -> None:
    done = run(root, IMPORTED, *command)
    assert done.returncode == 0, done.stderr
    modules = done.stderr.split()
    assert "birthmark.surfaces.cli.main" in modules
    assert {name.partition(".")[0] for name in modules} & PACKAGES == set()
    if command != ("--help",):  # It lists the commands of the server part, too.
        assert not [name for name in modules if name.startswith("birthmark.server")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_core_runs_where_the_server_part_is_not_installed(root: Path, command: tuple[str, ...]) -> None:
    done = run(root, WITHOUT.format(packages=OF_SERVER), *command)
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr


def test_without_the_server_part_its_commands_say_so(root: Path) -> None:
    for command in (("fleet", "status"), ("show", "pay", "--store", "postgresql://host/name")):
        done = run(root, WITHOUT.format(packages=OF_SERVER), *command)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "server part of birthmark, which is not installed" in done.stderr


def test_show_imports_few_modules(root: Path) -> None:
    """What it imports is most of the time that it takes; raise the number for what a user of it gets."""
    modules = run(root, IMPORTED, "show", "pay").stderr.split()
    assert len(modules) < 345
