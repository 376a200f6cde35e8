"""Three tasks of an agent on Flask, done with the tools of `birthmark mcp`, and with grep, git and parts of files.

    python benchmarks/agents.py FLASK

FLASK is a clone of Flask, with `birthmark index --from-history`. What an agent sends and reads is counted in tokens, as
estimated by `birthmark context`, and how many of the facts that the task asks for are in what it has read. Both ways
are written down below and do not depend on a model: the second one knows where to look (which words to search for,
which hits are worth reading, which commits to open), reads 40 lines around a hit, and never reads the same lines twice.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from mcp import Client, StdioServerParameters

from birthmark.app.answers.contexts import count_tokens

_WINDOW = 20  # lines above and below a hit
_HIT = re.compile(r"^(?:\./)?([^:\n]+\.py):(\d+):", re.M)


class Exchange(NamedTuple):
    """What was sent, and what came back."""

    sent: str
    read: str

    @property
    def n_tokens(self) -> int:
        return count_tokens(self.sent) + count_tokens(self.read)


class Reader:
    """An agent with a shell. It remembers which lines it has read."""

    def __init__(self, root: Path) -> None:
        self.root, self.exchanges = root, list[Exchange]()
        self.known: set[tuple[str, int]] = set()

    def run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        self.exchanges.append(Exchange(" ".join(command), done.stdout))
        return done.stdout

    def grep(self, pattern: str, *folders: str) -> str:
        return self.run("grep", "-rnE", "--include=*.py", pattern, *folders)

    def read(self, path: str, first: int, last: int) -> None:
        """What of these lines is not known."""
        new = [line for line in range(max(first, 1), last + 1) if (path, line) not in self.known]
        if new:
            self.known |= {(path, line) for line in new}
            self.run("sed", "-n", f"{new[0]},{new[-1]}p", path)

    def read_around(self, hits: str, choose: Callable[[str], bool] = lambda line: True) -> None:
        for line in hits.splitlines():
            found = _HIT.match(line)
            if found is not None and choose(line):
                self.read(found[1], int(found[2]) - _WINDOW, int(found[2]) + _WINDOW)


class Task(NamedTuple):
    """A question, the facts of a right answer as they are written, and two ways to find them."""

    question: str
    facts: tuple[str, ...]
    calls: tuple[tuple[str, dict[str, Any]], ...]
    search: Callable[[Reader], None]


def who_calls(reader: Reader) -> None:
    """Calls of the method, then of what calls it, twice; tests that name it."""
    hits = reader.grep("make_response", "src", "tests")
    reader.read_around(hits, lambda line: line.startswith("src/") and re.search(r"\.make_response\(", line) is not None)
    for name in ("finalize_request", "full_dispatch_request", "handle_exception"):
        hits = reader.grep(rf"\.{name}\(", "src")
        reader.read_around(hits)


def why_moved(reader: Reader) -> None:
    """Commits that added or removed a definition of the name, and the two that moved its code."""
    reader.grep("def url_for", "src")
    reader.run("git", "log", "-S", "def url_for", "--format=%h %as %an %s", "--name-status", "--", "*.py")
    reader.run("git", "log", "-M", "--diff-filter=R", "--format=%h %as %an %s", "--name-status", "--", "*/helpers.py")
    for commit in ("92acd05d", "39f93632"):
        reader.run("git", "show", "--format=%h %as %an%n%B", commit, "--", "src/flask/helpers.py", "src/flask/app.py")


def before_a_change(reader: Reader) -> None:
    """The method, the definitions of what it calls, its callers, and the tests that register blueprints."""
    hits = reader.grep("def register", "src")
    reader.read("src/flask/sansio/blueprints.py", 273, 377)
    used = ("make_setup_state", "_merge_blueprint_funcs", "add_url_rule", "has_static_folder", "send_static_file")
    hits = reader.grep(f"def ({'|'.join(used)})|class BlueprintSetupState", "src")
    reader.read_around(hits)
    hits = reader.grep(r"blueprint\.register\(|def register_blueprint", "src")
    reader.read_around(hits)
    reader.grep("register_blueprint", "tests")
    reader.run("grep", "-n", "^def test", "tests/test_blueprints.py")


TASKS = (
    Task(
        "Who calls `Flask.make_response`, and what would a change of it affect?",
        (
            "finalize_request",
            "src/flask/helpers.py:197",
            "full_dispatch_request",
            "handle_exception",
            "wsgi_app",
            "test_make_response",
            "test_response_type_errors",
        ),
        (
            ("graph", {"ref": "Flask.make_response", "question": "callers"}),
            ("graph", {"ref": "Flask.make_response", "question": "impact", "depth": 4, "tokens": 1500}),
            ("graph", {"ref": "Flask.make_response", "question": "tests", "tokens": 800}),
        ),
        who_calls,
    ),
    Task(
        "When and why did `url_for` move, and where was it before?",
        (
            "2022-05-14",
            "finish moving url_for to app",
            "add url_for method to app",
            "2010-07-02",
            "flask/helpers.py",
            "flask.py",
        ),
        (
            ("resolve", {"ref": "src/flask/helpers.py::url_for"}),
            ("history", {"ref": "src/flask/helpers.py::url_for", "tokens": 3000}),
        ),
        why_moved,
    ),
    Task(
        "What is needed to change `Blueprint.register`?",
        (
            "Nested blueprints now correctly apply subdomains",
            "BlueprintSetupState",
            "_merge_blueprint_funcs(self, app: App, name: str)",
            "make_setup_state(self, app: App, options: dict[str, t.Any]",
            "blueprint.register(self, options)",
            "test_nested_blueprint",
        ),
        (
            ("context", {"ref": "Blueprint.register", "tokens": 4000}),
            ("graph", {"ref": "Blueprint.register", "question": "tests", "tokens": 1500}),
        ),
        before_a_change,
    ),
)


class Outcome(NamedTuple):
    """What a way has cost, and what it has found."""

    n_calls: int
    n_tokens: int
    missing: list[str]


def judge(task: Task, exchanges: list[Exchange]) -> Outcome:
    """A fact may be broken into lines differently."""
    texts = _without_blanks("\n".join(exchange.read for exchange in exchanges))
    missing = [fact for fact in task.facts if _without_blanks(fact) not in texts]
    return Outcome(len(exchanges), sum(one.n_tokens for one in exchanges), missing)


def _without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


async def ask_tools(root: Path) -> tuple[int, list[list[Exchange]]]:
    """The tokens of all descriptions and input schemas, and what was asked for each task."""
    program = StdioServerParameters(command=sys.executable, args=["-m", "birthmark", "-C", str(root), "mcp"])
    async with Client(program) as client:
        tools = [one.model_dump(by_alias=True, exclude_none=True) for one in (await client.list_tools()).tools]
        described = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
        exchanges = [[await _call(client, *call) for call in task.calls] for task in TASKS]
    return count_tokens(json.dumps(described, separators=(",", ":"))), exchanges


async def _call(client: Client, tool: str, arguments: dict[str, Any]) -> Exchange:
    result = await client.call_tool(tool, arguments)
    text = getattr(result.content[0], "text", "")
    assert not result.is_error, text
    return Exchange(json.dumps({"name": tool, "arguments": arguments}), text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flask", type=Path)
    root = parser.parse_args().flask
    listing, asked = anyio.run(ask_tools, root)
    print("| task | way | calls | tokens | facts | missing |\n|---|---|---:|---:|---:|---|")
    for task, exchanges in zip(TASKS, asked, strict=True):
        reader = Reader(root)
        task.search(reader)
        for way, found in (
            ("birthmark mcp", judge(task, exchanges)),
            ("grep and files", judge(task, reader.exchanges)),
        ):
            facts = f"{len(task.facts) - len(found.missing)} of {len(task.facts)}"
            missing = ", ".join(f"`{fact}`" for fact in found.missing)
            print(f"| {task.question} | {way} | {found.n_calls} | {found.n_tokens:,} | {facts} | {missing} |")
    print(f"\nDescriptions and input schemas of the tools, once a session: {listing:,} tokens.")


if __name__ == "__main__":
    main()
