"""What people see: sessions in tests/terminal, at 80 and at 200 columns, without colour.

`make cases` writes them anew.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from birthmark.surfaces.cli.command_table import COMMANDS
from running import birthmark
from sample_shop import make_shop
from terminal_sessions import commands_of, play, write_session

SESSIONS = Path(__file__).parent / "terminal"
NARROW, WIDE = "80", "200"
NAMES = sorted(path.name for path in (SESSIONS / NARROW).glob("*.txt"))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_shop(tmp_path_factory.mktemp("terminal") / "shop").root
    assert birthmark("index", "--from-history", cwd=root).returncode == 0
    return root


@pytest.mark.parametrize("columns", [NARROW, WIDE])
@pytest.mark.parametrize("name", NAMES)
def test_session(name: str, columns: str, shop: Path, tmp_path: Path) -> None:
    root = shutil.copytree(shop, tmp_path / "shop", symlinks=True)
    commands = commands_of((SESSIONS / NARROW / name).read_text("utf-8"))
    session = write_session(play(commands, root, int(columns)))
    expected = SESSIONS / columns / name
    if os.environ.get("BIRTHMARK_WRITE_CASES"):
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(session, "utf-8")
    assert session == expected.read_text("utf-8")


def test_every_command_is_in_a_session() -> None:
    """But for those that run until they are stopped."""
    sessions = "\n".join((SESSIONS / NARROW / name).read_text("utf-8") for name in NAMES)
    used = {command.split()[1] for command in commands_of(sessions) if command.startswith("birthmark ")}
    assert set(COMMANDS) - used == {"watch", "serve", "mcp", "lsp"}


@pytest.mark.parametrize("columns", [NARROW, WIDE])
@pytest.mark.parametrize("name", [name for name in NAMES if name != "completion.txt"])
def test_no_line_is_wider_than_the_terminal(name: str, columns: str) -> None:
    """But for code and for messages, which may be copied."""
    lines = (SESSIONS / columns / name).read_text("utf-8").splitlines()
    messages = ("$ ", "birthmark: ", "bma1-", "+", "-")
    assert [line for line in lines if len(line) > int(columns) and not line.lstrip().startswith(messages)] == []
