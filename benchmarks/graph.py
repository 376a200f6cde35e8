"""Edges and the questions to them, in one process, beside the bare parse of the same sources.

    python benchmarks/graph.py REPOSITORY [REPOSITORY ...] [--plot FILE]

Works on scratch clones. Resolution is what the first question over many steps costs, in processor time; an edit is one
function whose body changes, from its index to the edges that are up to date. A question is asked with everything open
and warm; its figure is the median of seven. Limits are those of an idle machine. `--plot` resolves parts of the
first repository, an eighth of its files and twice as many each time, and draws cost by size.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from index import bare_parse, clone, edit, find_spot, git
from plot import Line, draw

from birthmark.app.answers.affected_tests import find_affected
from birthmark.app.answers.contexts import find_context
from birthmark.app.answers.impact import ImpactQuery, find_impacted
from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.answers.neighbours import find_users
from birthmark.app.answers.reaching_tests import find_tests
from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.answers.unused import find_unused
from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import temporary_index, writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.graph.symbols import Definition
from birthmark.queries.impact import TimeLimit, UseSteps, find_impact
from birthmark.queries.stored_network import StoredNetwork, find_outdated
from birthmark.store.model import NetworkChange

ROUNDS = 7
_FUNCTION = re.compile(r"^( *)def \w+\([^()\n]*\):\n", re.M)
EDIT_LIMIT = 0.020
PARTS = (8, 4, 2, 1)


class Question(NamedTuple):
    """What is asked of the name that is called most, and the seconds that are asked for."""

    title: str
    ask: Callable[[Session, str], object]
    limit: float | None
    rounds: int = ROUNDS


QUESTIONS = (
    Question("callers --calls", lambda session, ref: find_users(session, ref, ["calls"]), 0.050),
    Question("users, all", find_users, 0.050),
    Question("impact --depth 5", lambda session, ref: find_impacted(session, ref, ImpactQuery()), 0.100),
    Question("search, by its name", lambda session, ref: find_page(session, SearchQuery(name_of(session, ref))), 0.030),
    Question("context --tokens 4000", lambda session, ref: find_context(session, ref, 4000), 0.050),
    Question("tests", find_tests, None),
    Question("affected, ten files changed", lambda session, _: find_affected(session, BEFORE, "HEAD"), 0.300),
    Question("unused", lambda session, _: find_unused(session), None, rounds=1),
)
BEFORE = "before-ten-files"  # the commit before
SECONDS = 30.0
MILLION, NODES = 1_000_000, 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--plot", metavar="FILE", type=Path)
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            measure_repository(clone(repository.resolve(), Path(scratch)))
    measure_million()
    if arguments.plot is not None:
        arguments.plot.write_text(plot_cost(arguments.repositories[0].resolve()), "utf-8")


def measure_repository(root: Path) -> None:
    unit = sum(language.cpu_seconds for language in bare_parse(root).values())
    index(root, with_graph=False)
    print(f"\n{root.name}: a bare parse takes {unit:.2f} s of processor time")
    seconds, n_edges = resolve(root)
    print(f"{'resolution of all':28} {seconds:8.2f} s {seconds / unit:6.2f} parses  {n_edges:,} edges")
    measure_edit(root)
    change_ten_files(root)
    index(root)
    with open_session(root) as session:
        assert session.freshness is not None
        ref = most_used(session)
        for question in QUESTIONS:
            if question.rounds > 1:
                question.ask(session, ref)  # Warm.
            print_time(
                f"{question.title} {ref}",
                [timed(question, session, ref) for _ in range(question.rounds)],
                question.limit,
            )


def change_ten_files(root: Path) -> None:
    """Commit an edit of the first function of each of ten Python files that are spread over the repository."""
    git(root, "commit", "--quiet", "--all", "--allow-empty", "--message", "before")
    git(root, "tag", BEFORE)
    found = [path for path in git(root, "ls-files", "*.py").splitlines() if _FUNCTION.search((root / path).read_text())]
    for path in found[:: max(1, len(found) // 10)][:10]:
        text = (root / path).read_text()
        (root / path).write_text(_FUNCTION.sub(r"\g<0>\g<1>    str()\n", text, count=1))
    git(root, "commit", "--quiet", "--all", "--message", "ten files")


def name_of(session: Session, ref: str) -> str:
    return find_indexed(session, ref).entity.name


class NoDefinitions:
    """Of nodes that are mere numbers nothing else is known."""

    def definitions(self, identities: Collection[int]) -> dict[int, Definition]:
        return {}

    def inside(self, path: str) -> list[Definition]:
        return []


def measure_million() -> None:
    """Impact on random edges, some nodes with many users, as names have them."""
    random = Random(1)  # noqa: S311, the same edges each time
    ends = ((int(NODES * random.random() ** 3) + 1, random.randrange(NODES) + 1) for _ in range(MILLION))
    edges: dict[int, list[tuple[int, int, int, int, int]]] = {}
    for number, (used, user) in enumerate(ends):
        edges.setdefault(used, []).append((user, 0, 0, number, number))
    postings = [("m.py", used, msgspec.msgpack.encode(found)) for used, found in edges.items()]
    graph = NoDefinitions()
    with temporary_index() as store:
        with store.writing():
            store.change_network(".", "", 0, NetworkChange([("m.py", 1, b"", b"")], postings, (), {}))
        known = store.network(".")
        assert known is not None
        steps = UseSteps(StoredNetwork(store, known.network, graph), graph)
        times = []
        for node in range(NODES - ROUNDS, NODES):
            start = time.perf_counter()
            find_impact(steps, [node], 5, 200, TimeLimit(SECONDS))
            times.append(time.perf_counter() - start)
    print_time("impact --depth 5 among a million edges", times, 0.200)


def index(root: Path, *, with_graph: bool = True) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 1) as store:
        index_worktree(store, workspace, IndexOptions(with_graph=with_graph))


def resolve(root: Path) -> tuple[float, int]:
    with open_session(root) as session:
        start = time.process_time()
        network = session.network
        return time.process_time() - start, sum(1 for _ in network.all_edges())


def measure_edit(root: Path) -> None:
    spot = find_spot(root)
    if spot is None:
        return
    times, n_files = [], 0
    for _ in range(ROUNDS):
        edit(root, spot)
        index(root, with_graph=False)
        with open_session(root) as session:
            start = time.perf_counter()
            outdated = find_outdated(session.store, session.view.snapshot, session.graph)
            assert session.network
            times.append(time.perf_counter() - start)
            n_files = len(outdated.changed) + len(outdated.dependents)
    print_time(f"one function edited, {n_files} files", times, EDIT_LIMIT)


def most_used(session: Session) -> str:
    """The mark of the definition that is called most, by claims and candidates."""
    names = session.store.most_called(session.view.number, 50)
    found = [one for name in names for one in session.graph.named(name) if one.kind in ("fn", "method")]
    counts = {
        one.identity: len(find_users(session, marks(session, one.identity), ["calls"]).edges) for one in found[:20]
    }
    return marks(session, max(counts, key=lambda identity: (counts[identity], -identity)))


def marks(session: Session, identity: int) -> str:
    return session.store.entities_of(session.view.number, [identity])[0].mark


def timed(question: Question, session: Session, ref: str) -> float:
    start = time.perf_counter()
    question.ask(session, ref)
    return time.perf_counter() - start


def print_time(title: str, times: list[float], limit: float | None) -> None:
    seconds = statistics.median(times)
    verdict = "" if limit is None else f"{limit * 1000:.0f} ms {'met' if seconds <= limit else 'missed'}"
    print(f"{title:50} {seconds * 1000:8.1f} ms  {verdict}", flush=True)


# Cost by size


def plot_cost(repository: Path) -> str:
    lines = {name: Line(name) for name in ("bare parse", "resolution of all", "one function edited")}
    for part in PARTS:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            root = clone(repository, Path(scratch))
            n_files = keep_part(root, part)
            lines["bare parse"].add(n_files, sum(one.cpu_seconds for one in bare_parse(root).values()))
            index(root, with_graph=False)
            lines["resolution of all"].add(n_files, resolve(root)[0])
            edit(root, find_spot(root))
            index(root, with_graph=False)
            lines["one function edited"].add(n_files, resolve(root)[0])
    return draw("Cost by size", "files", "seconds of processor time", [*lines.values()])


def keep_part(root: Path, part: int) -> int:
    """Every so many-th folder of the second level is left; returns the number of files that are."""
    files = git(root, "ls-files").splitlines()
    folders = sorted({"/".join(path.split("/")[:3]) for path in files})
    kept = set(folders[::part])
    for path in files:
        if "/".join(path.split("/")[:3]) not in kept:
            (root / path).unlink(missing_ok=True)
    return sum("/".join(path.split("/")[:3]) in kept for path in files)


if __name__ == "__main__":
    main()
