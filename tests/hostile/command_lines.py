"""Command lines for every command, as data; a test checks that no command is missing.

They run one after the other in one repository, so that later ones find what earlier ones have written.
"""

from __future__ import annotations

from typing import NamedTuple

import click

from birthmark.surfaces.cli.command_table import COMMANDS
from birthmark.surfaces.cli.top_command import cli


class Line(NamedTuple):
    """A command line; `{id}` is the id of a subscription, `{outside}` the folder outside of the repository."""

    words: str
    writes: tuple[str, ...] = ()  # what it is asked to write, relative to the repository
    is_short: bool = False  # part of every run of the tests
    is_refused: bool = False

    def is_of(self, command: str) -> bool:
        return f"{self.words} ".startswith(f"{command} ")


_BESIDE = ("../elsewhere",)
LINES = [
    Line("index", is_short=True),
    Line("index --from-history"),
    Line("index --detail full --suggest"),
    Line("status", is_short=True),
    Line("search total", is_short=True),
    Line("search 'price of' --json"),
    Line("show shop.py::total", is_short=True),
    Line("show linked.py:1", is_refused=True),
    Line("show .env:1", is_refused=True),
    Line("resolve shop.py::total shop.py:2", is_short=True),
    Line("anchor shop.py::total shop.py:2"),
    Line("anchor .env:1", is_refused=True),
    Line("anchor linked.py:1", is_refused=True),
    Line("sarif shop.py", is_refused=True),
    Line("users total"),
    Line("callers total"),
    Line("callees use.py::run"),
    Line("tests total"),
    Line("context total --tokens 500"),
    Line("entities"),
    Line("entities linked"),
    Line("entities linked.py", is_refused=True),
    Line("chunks linked.py", is_refused=True),
    Line("nodes shop.py"),
    Line("chunks --jsonl", is_short=True),
    Line("chunks --since HEAD~1"),
    Line("clones --all"),
    Line("modules"),
    Line("hotspots"),
    Line("impact total"),
    Line("path use.py::run total"),
    Line("cycles"),
    Line("components"),
    Line("rank"),
    Line("unused"),
    Line("history total --patch", is_short=True),
    Line("history total --users"),
    Line("blame shop.py"),
    Line("diff HEAD~1", is_short=True),
    Line("affected --since HEAD~1"),
    Line("review HEAD~1..HEAD"),
    Line("note total 'A note.'"),
    Line("note use.py::run 'A note of the team.' --team", ("birthmark.toml",)),
    Line("notes"),
    Line("subscribe total --label one"),
    Line("subscribe shop.py::Cart --team", ("birthmark.toml",)),
    Line("subscribe .env:1", is_refused=True),
    Line("subscribe linked.py:1", is_refused=True),
    Line("subscriptions --json"),
    Line("subscriptions show {id}"),
    Line("subscriptions snooze {id} --until 3d"),
    Line("subscriptions deactivate {id}"),
    Line("subscriptions reactivate {id}"),
    Line("subscriptions change {id} --description more"),
    Line("subscriptions feed"),
    Line("scan", is_short=True),
    Line("scan --docs --base HEAD~1"),
    Line("apply"),
    Line("subscriptions acknowledge {id}", is_refused=True),  # nothing has changed
    Line("deliver", is_refused=True),
    Line("subscriptions delete {id}"),
    Line("validate"),
    Line("doctor"),
    Line("trust", is_refused=True),
    Line("export --scip ../elsewhere/index.scip --graphml ../elsewhere/graph.xml --dot -", _BESIDE),
    Line("export --parquet ../elsewhere/tables", _BESIDE),
    Line("token add ann"),
    Line("token list"),
    Line("token remove ann"),
    Line("mcp --install claude-code --yes", is_short=True, is_refused=True),
    Line("mcp --install codex --yes", is_refused=True),
    Line("mcp --install cursor --yes", is_refused=True),
    Line("mcp --install gemini --yes", is_refused=True),
    Line("mcp --install vscode --yes", is_refused=True),
    Line("mcp --install zed --yes"),
    Line("copy . ../elsewhere", _BESIDE),
    Line("fleet add .", is_refused=True),  # without a database; with one, see test_fleet.py
    Line("fleet refresh", is_refused=True),
    Line("fleet remove repository", is_refused=True),
    Line("fleet scan", is_refused=True),
    Line("fleet status", is_refused=True),
    Line("fleet watch", is_refused=True),
    Line("languages"),
    Line("completion bash"),
    Line("help refs"),
    Line("help serve"),
    Line("--version", is_short=True),
    Line("--help"),
]
# Those that run until they are stopped are driven by tests of their own.
SERVERS = ("serve", "mcp", "lsp", "watch")


def list_commands() -> set[str]:
    """Return the names of all commands; those within a group have its name first."""
    found = set[str]()
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        inner = command.commands if isinstance(command, click.Group) else {}
        found |= {f"{name} {one}" for one in inner} or {name}
    return found
