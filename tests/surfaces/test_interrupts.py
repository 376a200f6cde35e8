"""Ctrl-C at any time is one line, also while modules are imported, in a command or in what it starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from birthmark.surfaces.http.access.token import TOKEN_FILE
from worlds import World

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C goes to a group of processes")

# A terminal sends the signal to the command and to all that it has started.
CUSTOM = """
import os, signal, sys

def interrupt():
    global waits
    if waits:
        waits = False
        os.killpg(0, signal.SIGINT)

def watch_imports(event, values):
    if event == "import" and values[0] == place:
        interrupt()

def watch_calls(frame, event, _):
    if event == "call" and frame.f_code.co_name == "__set_name__" and place.removesuffix(" class") in sys.modules:
        interrupt()

place = os.environ["INTERRUPT_AT"]
waits = ("--multiprocessing-fork" in sys.orig_argv) is ("INTERRUPT_CHILD" in os.environ)
if place.endswith(" class"):  # Python makes another exception of what is raised while a class is created.
    sys.setprofile(watch_calls)
else:
    sys.addaudithook(watch_imports)
"""
IN_A_COMMAND = {
    "--help": ("click", "birthmark.surfaces.cli.top_command"),
    "search x": ("birthmark.surfaces.cli.terminal.output",),
    "mcp": (
        "mcp",
        "mcp class",
        "mcp.server",
        "mcp.client.session",
        "mcp.server.session",
        "pydantic_core",
        "anyio",
        "uvicorn",
    ),
    "lsp": ("pygls", "lsprotocol.types"),
    "serve --port 0": ("uvicorn", "starlette.routing"),
}
IN_A_CHILD = ("multiprocessing.spawn", "birthmark.errors", "birthmark.surfaces.web.site")


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "custom").mkdir()
    (tmp_path / "custom" / "sitecustomize.py").write_text(CUSTOM)
    world = World(tmp_path / "r", {"a.py": "def f(): pass\n"}, with_git=True)
    world.commit()
    world.index()
    return world


def start(world: World, words: str, module: str, **environment: str) -> subprocess.Popen[bytes]:
    own = {"PYTHONPATH": str(world.root.parent / "custom"), "INTERRUPT_AT": module}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "birthmark", *words.split()],
        cwd=world.root,
        env=os.environ | own | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.mark.parametrize(("words", "module"), [(one, at) for one, places in IN_A_COMMAND.items() for at in places])
def test_while_a_command_imports(world: World, words: str, module: str) -> None:
    with start(world, words, module) as process:
        assert process.communicate(timeout=60)[1] == b"birthmark: stopped\n"
    assert process.returncode == 130


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_a_client_says_nothing(world: World, number: signal.Signals) -> None:
    """The client keeps the pipe open."""
    with start(world, "mcp", "none") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        os.killpg(process.pid, number)
        assert process.wait(30) == 0
        assert process.stderr.read() == b"birthmark: stopped\n"


@pytest.mark.parametrize("module", IN_A_CHILD)
def test_while_a_process_of_a_server_imports(world: World, module: str) -> None:
    with start(world, "serve --port 0 --processes 2", module, INTERRUPT_CHILD="1") as process:
        lines = process.communicate(timeout=60)[1].decode().splitlines()
    assert [line for line in lines if not line.startswith("birthmark: ")] == []
    assert lines[-1] == "birthmark: stopped"
    assert process.returncode == 0
    assert (world.root / ".birthmark" / TOKEN_FILE).exists()
