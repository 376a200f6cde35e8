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


# Before a push is announced there is one, and afterwards `fleet watch` has indexed it.
PUSH = "git -C tools commit -q --allow-empty -m more && git -C tools push -q ../tools.git HEAD\n"
WATCHED = "until grep -q acme/tools: refreshes.log; do sleep 0.1; done; cat refreshes.log\n"


def script_of(page: str, repositories: Path, port: int) -> str:
    """Its commands, where names of machines and folders are ours; what each block prints ends with a line of `=`."""
    *before, announcement = BLOCK.findall(page)
    blocks = "".join(f"{block}echo =\n" for block in (*before, PUSH + announcement, WATCHED))
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


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("openssl")), reason="curl or openssl is not installed")
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
    assert printed[1].count(" current ") == 2, printed[1]
    assert [line.split()[0] for line in printed[3].splitlines()] == ["anna", "ben", "cleo"]
    found, listed, refused, noted, announced = map(json.loads, printed[5:10])
    assert "Basket.price" in json.dumps(found["results"])
    assert [one["name"] for one in listed["items"]] == ["code.example/acme/tools"]
    assert refused["error"]["code"] == "forbidden"
    assert noted["text"] == "Rounds half up."
    assert announced == {"marked": ["code.example/acme/tools"]}
    head = World(tmp_path / "tools").git("rev-parse", "HEAD")
    assert f"code.example/acme/tools: indexed at {head[:12]}, 1 commit replayed" in printed[10]
    assert persons_in(tmp_path / ".birthmark/audit.jsonl") == ["ben", None]
    assert persons_in(tmp_path / "requests.jsonl")[-5:] == ["anna", "cleo", "cleo", "ben", None]


def persons_in(log: Path) -> list[str | None]:
    return [json.loads(line)["person"] for line in log.read_text().splitlines()]


def test_the_page_has_no_other_commands() -> None:
    assert len(BLOCK.findall(PAGE)) == PAGE.count("```sh") == 10
