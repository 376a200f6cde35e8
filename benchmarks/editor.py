"""How long `birthmark lsp` takes to answer an editor, beside a bare parse of the file that is asked about.

    python benchmarks/editor.py REPOSITORY [--from-history] [--file PATH] [--rounds N]

The repository is cloned into a temporary folder and indexed, and its edges are resolved. pygls's client opens the
Python file with the most definitions and asks about it: once cold, then in rounds. *cpu* is the server's processor
time for an answer, with its workers, without the processes that look at the worktree; *parses* is the same in units of
one bare parse of the file by tree-sitter in this run, and must be at most the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import tree_sitter
import tree_sitter_python
from lsprotocol import types
from pygls.lsp.client import LanguageClient

Lenses = Sequence[types.CodeLens]
Ask = Callable[[int], Awaitable[Lenses]]  # the number of the round

COMMAND = [sys.executable, "-m", "birthmark"]
# The most that an answer may cost, in bare parses of the file.
LIMITS = {
    "lenses": 1.5,
    "what one lens says": 0.3,
    "hover": 0.8,
    "definition": 1.0,
    "references": 2.0,
    "lenses of an edited buffer": 8.0,  # which comes last, as the others are about the lines of the file
}


class Timed(NamedTuple):
    """Milliseconds that an editor waited, and of the server's processor."""

    wall: float
    cpu: float


class Asked(NamedTuple):
    """A server with a document open in it."""

    client: LanguageClient
    pid: int
    uri: str
    text: str


def main() -> None:
    arguments = read_arguments()
    with tempfile.TemporaryDirectory(prefix="birthmark-editor-") as folder:
        root = prepare(Path(arguments.repository), Path(folder), arguments.from_history)
        path = root / (arguments.file or largest(root))
        unit = bare_parse(path)
        found = asyncio.run(ask_all(root, path, arguments.rounds))
    report(path.relative_to(root), unit, *found)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("repository")
    parser.add_argument("--from-history", action="store_true", help="replay the history first")
    parser.add_argument("--file", help="instead of the one with the most definitions")
    parser.add_argument("--rounds", type=int, default=30)
    return parser.parse_args()


def prepare(repository: Path, folder: Path, from_history: bool) -> Path:
    root = folder / repository.resolve().name
    subprocess.run(["git", "clone", "-q", "--shared", str(repository.resolve()), str(root)], check=True)  # noqa: S607
    index = ["index", "--from-history"] if from_history else ["index"]
    for command in (index, ["rank", "--limit", "1"], ["search", "birthmark benchmark"]):
        subprocess.run([*COMMAND, *command], cwd=root, check=True, capture_output=True)
    return root


def largest(root: Path) -> str:
    """The Python file with the most definitions."""
    files = [path for path in root.rglob("*.py") if path.is_file()]
    return str(max(files, key=lambda path: path.read_bytes().count(b"def ")).relative_to(root))


def bare_parse(path: Path) -> float:
    """Milliseconds of processor time."""
    parser, source = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language())), path.read_bytes()
    times = []
    for _ in range(20):
        began = time.process_time()
        parser.parse(source)
        times.append((time.process_time() - began) * 1000)
    return median(times)


async def ask_all(root: Path, path: Path, rounds: int) -> tuple[int, dict[str, Timed], dict[str, Timed]]:
    client = LanguageClient("benchmark", "1")
    await client.start_io(*COMMAND, "lsp")
    assert client._server is not None
    folder = types.WorkspaceFolder(root.as_uri(), root.name)
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), workspace_folders=[folder]))
    client.initialized(types.InitializedParams())
    asked = Asked(client, client._server.pid, path.as_uri(), path.read_text("utf-8"))
    document = types.TextDocumentItem(asked.uri, "python", 1, asked.text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    cold, lenses = await timed(asked, lambda: ask_lenses(asked))
    first, again = {"lenses": cold}, dict[str, Timed]()
    for name, ask in questions_about(asked, lenses).items():
        if name not in first:
            first[name] = (await timed(asked, partial(ask, 0)))[0]
        again[name] = await rounds_of(asked, ask, rounds)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return len(lenses), first, again


async def rounds_of(asked: Asked, ask: Ask, rounds: int) -> Timed:
    """The median of what an editor waits, the mean of what the server computes."""
    cpu = cpu_ms(asked.pid)
    walls = [(await timed(asked, partial(ask, number)))[0].wall for number in range(1, rounds + 1)]
    return Timed(median(walls), (cpu_ms(asked.pid) - cpu) / rounds)


async def timed(asked: Asked, ask: Callable[[], Awaitable[Lenses]]) -> tuple[Timed, Lenses]:
    began, cpu = time.perf_counter(), cpu_ms(asked.pid)
    found = await ask()
    return Timed((time.perf_counter() - began) * 1000, cpu_ms(asked.pid) - cpu), found


def cpu_ms(pid: int) -> float:
    """Of one process, with those that it has started and that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * 1000 / os.sysconf("SC_CLK_TCK")


async def ask_lenses(asked: Asked) -> Lenses:
    params = types.CodeLensParams(types.TextDocumentIdentifier(asked.uri))
    return list(await asked.client.text_document_code_lens_async(params) or [])


def questions_about(asked: Asked, lenses: Lenses) -> dict[str, Ask]:
    client, document = asked.client, types.TextDocumentIdentifier(asked.uri)
    calls = [
        types.Position(number, line.index("self.") + 6)
        for number, line in enumerate(asked.text.split("\n"))
        if "self." in line and "(" in line.partition("self.")[2]
    ]

    async def lens_again(n: int) -> Lenses:
        return await ask_lenses(asked)

    async def lens_edited(n: int) -> Lenses:
        """A line above all definitions, then another one."""
        change = types.TextDocumentContentChangeWholeDocument(f"# {n}\n" * (n % 3 + 1) + asked.text)
        version = types.VersionedTextDocumentIdentifier(n + 2, asked.uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
        return await ask_lenses(asked)

    async def resolve(n: int) -> Lenses:
        return [await client.code_lens_resolve_async(lenses[n * 7 % len(lenses)])]

    async def hover(n: int) -> Lenses:
        await client.text_document_hover_async(types.HoverParams(document, start(n)))
        return []

    async def define(n: int) -> Lenses:
        await client.text_document_definition_async(types.DefinitionParams(document, calls[n * 11 % len(calls)]))
        return []

    async def refer(n: int) -> Lenses:
        context = types.ReferenceContext(True)
        await client.text_document_references_async(types.ReferenceParams(context, document, start(n)))
        return []

    def start(n: int) -> types.Position:
        return lenses[n * 7 % len(lenses)].range.start

    answers = lens_again, resolve, hover, define, refer, lens_edited
    return dict(zip(LIMITS, answers, strict=True))


def report(path: Path, unit: float, found: int, first: dict[str, Timed], again: dict[str, Timed]) -> None:
    print(f"{path}: {found} lenses; one bare parse {unit:.1f} ms of processor time; milliseconds")
    print(f"{'question':28} {'first':>8} {'wall':>8} {'cpu':>8} {'parses':>7} {'limit':>6}")
    is_over = False
    for name, limit in LIMITS.items():
        wall, cpu = again[name]
        is_over |= cpu / unit > limit
        print(f"{name:28} {first[name].wall:8.1f} {wall:8.1f} {cpu:8.1f} {cpu / unit:7.2f} {limit:6.1f}")
    sys.exit(1 if is_over else 0)


if __name__ == "__main__":
    main()
