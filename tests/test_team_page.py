"""`docs/how-to/run-for-a-team.md` from nothing: its commands, one after the other, against a server of PostgreSQL."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from postgres_server import PROGRAMS, fresh_database

from sample_shop import make_shop
from worlds import GIT_ENVIRONMENT, World

PAGE = (Path(__file__).parents[1] / "docs/how-to/run-for-a-team.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh title=\"Where [^\n]*\n(.*?)^```", re.S | re.M)
# What is installed already; a server that is left over ends with the script.
PRELUDE = "set -eo pipefail\npip() { :; }\ntrap 'kill $(jobs -p); wait' EXIT\n"


def make_repositories(folder: Path) -> None:
    tools = World(folder / "tools", {"tools.py": "def price_of(tool):\n    return tool.price\n"}, with_git=True)
    tools.commit()
    for name, world in {"shop": make_shop(folder / "shop"), "tools": tools}.items():
        world.git("clone", "-q", "--bare", str(world.root), str(folder / f"{name}.git"))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def script_of(page: str, repositories: Path, port: int) -> str:
    """Its commands, where names of machines and folders are ours; what each block prints ends with a line of `=`."""
    blocks = "".join(f"{block}echo =\n" for block in BLOCK.findall(page))
    ours = {"db.example": "", "/srv/git": str(repositories), "7433": str(port)}
    for theirs, our in ours.items():
        assert theirs in blocks
        blocks = blocks.replace(theirs, our)
    return PRELUDE + blocks


def environment_of(server: str) -> dict[str, str]:
    """That of someone who may do everything in a server that is reached by a socket."""
    parts = urlsplit(server)
    programs = (Path(sys.executable).parent, PROGRAMS)
    path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
    return {**GIT_ENVIRONMENT, "PATH": path, "PGHOST": parse_qs(parts.query)["host"][0], "PGUSER": parts.username or ""}


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_a_team_is_served_from_nothing(tmp_path: Path) -> None:
    make_repositories(tmp_path)
    script = script_of(PAGE, tmp_path, free_port())
    run = subprocess.run(
        ["bash", "-c", script],  # noqa: S607 - as readers of the page run it
        cwd=tmp_path,
        env=environment_of(fresh_database()),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    printed = run.stdout.split("=\n")
    listed, found, refused, noted = printed[2], *map(json.loads, printed[4:7])
    assert [line.split()[0] for line in listed.splitlines()] == ["anna", "ben", "cleo"]
    assert "Basket.price" in json.dumps(found["results"])
    assert refused["error"]["code"] == "forbidden"
    assert noted["text"] == "Rounds half up."
    audits = (tmp_path / "shop.git/.birthmark/audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["person"] for line in audits] == ["ben"]
    persons = [json.loads(line)["person"] for line in (tmp_path / "shop.git/requests.jsonl").read_text().splitlines()]
    assert persons[-3:] == ["anna", "cleo", "ben"]


def test_the_page_has_no_other_commands() -> None:
    assert len(BLOCK.findall(PAGE)) == PAGE.count("```sh") == 7
