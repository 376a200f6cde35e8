"""Where names lead, beside published ground truth: writes edges that its scorer reads, and prints the scorer's tables.

    python benchmarks/callgraph.py GRAPHS CASES.jsonl ... [--clones CLONES] [--suite NAME ...] [--keep EDGES.jsonl]
                                   [--errors N] [--by feature] [--kind call|reference]

GRAPHS is the folder of `score.py`. A case holds its files, or names a repository and a commit that CLONES has as
`owner+name`. Files are read and resolved as the index does it, in this process; every use is an edge with its
resolution, its targets, and how many candidates there were where it is not sure. The scorer judges calls, so it runs
twice: on calls, and on references that are no calls, given to it in their stead.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from birthmark.app.workspace.repository import open_repository
from birthmark.extraction.model import Outline
from birthmark.extraction.read import outline_of, read_source
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import TYPES, VALUES, Definition
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import Resolution

Row = dict[str, Any]
Entry = tuple[str, str, Definition | None, Reference]
MOST_CANDIDATES = 50
KINDS = ("call", "reference")
NOT_WRITTEN = frozenset({"binds", "passes"})  # uses that are no names in the source
# The scorer looks for a call where its chain starts; a reference is on the line of its name.
REFERENCE_SCORER = "import score; score.LOOK_BACK = 0; raise SystemExit(score.main())"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--suite", action="append")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--by", default="suite")
    parser.add_argument("--kind", choices=KINDS, action="append")
    options = parser.parse_args()
    cases = [json.loads(line) for file in options.cases for line in file.read_text("utf-8").splitlines()]
    cases = [case for case in cases if not options.suite or case["suite"] in options.suite]
    found = list(find_edges(cases, options.clones))
    if options.keep:
        write_lines(options.keep, found)
    for kind in options.kind or KINDS:
        score(kind, cases, found, options)


def score(kind: str, cases: list[Row], found: list[Row], options: argparse.Namespace) -> None:
    """Print the scorer's tables for one kind of facts."""
    n_facts = sum(fact["kind"] == "reference" for case in cases for fact in case["facts"])
    pairs = [*matched_rows(cases, found)]
    if kind == "reference":
        pairs = [(only_references(case, row), row) for case, row in pairs]
    cases = [case for case, _ in pairs]
    edges = [edges_for(kind, case, row) for case, row in pairs]
    print(f"\n# {kind}s", flush=True)
    if kind == "reference":
        n_left = n_facts - sum(len(case["facts"]) for case in cases)
        print(
            f"{n_left} of {n_facts} left out: they lead to no definition in the index, most to a local variable",
            flush=True,
        )
    with tempfile.TemporaryDirectory() as folder:
        write_lines(Path(folder) / "cases.jsonl", cases)
        write_lines(Path(folder) / "edges.jsonl", edges)
        scorer = ["-c", REFERENCE_SCORER] if kind == "reference" else [str(options.graphs / "score.py")]
        files = [f"{folder}/cases.jsonl", "--edges", f"{folder}/edges.jsonl"]
        command = [sys.executable, *scorer, *files, "--errors", str(options.errors), "--by", options.by]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(options.graphs.resolve())})


def write_lines(file: Path, rows: Iterable[Row]) -> None:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def matched_rows(cases: Iterable[Row], found: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    rows = {row["case"]: row for row in found}
    return ((case, rows[case["case"]]) for case in cases)


def only_references(case: Row, row: Row) -> Row:
    """The case with its references to definitions in the place of its calls, which `calls` lists."""
    lines = {(path, line) for path, line in row["definitions"]}
    references = [
        {**fact, "kind": "call"}
        for fact in case["facts"]
        if fact["kind"] == "reference"
        and (not fact["targets"] or any((path, line) in lines for path, line, _ in fact["targets"]))
    ]
    calls = [fact for fact in case["facts"] if fact["kind"] == "call"]
    return {**case, "facts": references, "calls": [[fact["path"], fact["line"], fact["name"]] for fact in calls]}


def edges_for(kind: str, case: Row, row: Row) -> Row:
    """The edges that say something of the facts of a kind.

    What is called without parentheses is a reference in the ground truth. Of references, a variable is what they mean.
    """
    if kind == "call":
        edges = [edge for edge in row["edges"] if edge["edge"] == "calls"]
        if any(fact["kind"] == "edges" for fact in case["facts"]):
            edges = [{**edge, "target": run} for edge in edges if (run := edge.get("runs", edge["target"]))]
    else:
        called = {(path, line, name) for path, line, name in case["calls"]}
        edges = [
            {**edge, "kind": ""}
            for edge in row["edges"]
            if edge["edge"] != "calls" or (edge["path"], edge["line"], edge["name"]) not in called
        ]
    return {**row, "edges": edges}


def find_edges(cases: Iterable[Row], clones: Path | None) -> Iterator[Row]:
    projects: dict[tuple[str, str], Row] = {}
    for case in cases:
        if case.get("repo"):
            key = case["repo"], case["commit"]
            if key not in projects and clones is not None:
                projects[key] = row_of(project_graph(clones, *key))
            row = projects.get(key, {"edges": [], "definitions": []})
            paths = {fact["path"] for fact in case["facts"]}
            edges = [edge for edge in row["edges"] if edge["path"] in paths]
            yield {"case": case["case"], "edges": edges, "definitions": row["definitions"]}
        else:
            files = {path: text.encode() for path, text in case["files"].items()}
            yield {"case": case["case"], **row_of(OutlineGraph(files))}


def row_of(graph: OutlineGraph) -> Row:
    """All edges of a graph, and the places of its definitions; that of a file is line 0."""
    found = [(path, graph.lines[one.identity]) for path, inside in graph.definitions.items() for one in inside]
    return {"edges": list(edges_of(graph)), "definitions": [*((path, 0) for path in graph.paths()), *found]}


def project_graph(clones: Path, repository: str, commit: str) -> OutlineGraph:
    with open_repository(clones / repository.replace("/", "+")) as opened:
        state = opened.revision(commit)
        paths = (*state.paths(), *state.manifests())
        return OutlineGraph({path: state.content(path) or b"" for path in paths})


class OutlineGraph:
    """The symbols and references of files in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        registry = load_registry()
        self.files = files
        self.outlines: dict[str, Outline] = {}
        for path, content in sorted(files.items()):
            spec = registry.detect(path, None, lambda content=content: content)  # type: ignore[misc]
            if spec is not None:
                self.outlines[path] = outline_of(read_source(path, content, spec, registry))
        self.definitions: dict[str, list[Definition]] = {}
        self.names: dict[str, list[Definition]] = defaultdict(list)
        self.lines: dict[int, int] = {}  # of the name of a definition
        for path, outline in self.outlines.items():
            self.definitions[path] = [self._define(path, entity) for entity in outline.entities]
            for definition in self.definitions[path]:
                self.names[definition.name].append(definition)
        self.by_name: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.references():
            for name in {entry[3].name, entry[3].alias or entry[3].name}:
                self.by_name[name].append(entry)

    def _define(self, path: str, entity: Any) -> Definition:
        identity = len(self.lines) + 1
        name_at = entity.name_span[0] if entity.name_span else entity.start_byte
        self.lines[identity] = self.files[path].count(b"\n", 0, name_at) + 1
        return Definition(
            identity,
            path,
            entity.language,
            entity.kind,
            entity.name,
            entity.qualified_name,
            entity.parent,
            entity.start_line,
            entity.end_line,
        )

    def references(self) -> Iterator[Entry]:
        for path, outline in self.outlines.items():
            for reference in outline.references:
                source = self.definitions[path][reference.entity] if reference.entity >= 0 else None
                yield path, outline.language, source, reference

    def named(self, name: str) -> Sequence[Definition]:
        return self.names.get(name, ())

    def inside(self, path: str) -> Sequence[Definition]:
        return self.definitions.get(path, ())

    def declared(self, path: str) -> Sequence[Reference]:
        references = self.outlines[path].references if path in self.outlines else ()
        return [one for one in references if one.edge in ("imports", "inherits", "implements")]

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        for path, _, source, reference in self.by_name.get(name, ()):
            if reference.edge in ("inherits", "implements") and source is not None:
                yield path, source, reference

    def bindings(self, path: str) -> Sequence[Binding]:
        return self.outlines[path].bindings if path in self.outlines else ()

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        for path, _, source, reference in self.references_named([alias]):
            if reference.edge == "passes":
                yield path, source, reference

    def paths(self) -> Collection[str]:
        return self.outlines.keys()

    def manifests(self) -> dict[str, str]:
        is_manifest = load_registry().is_manifest
        return {path: content.decode("utf-8", "replace") for path, content in self.files.items() if is_manifest(path)}

    def references_named(self, names: Collection[str]) -> Iterator[Entry]:
        return (entry for name in names for entry in self.by_name.get(name, ()))

    def references_inside(self, definition: Definition) -> Iterator[Reference]:
        return (entry[3] for entry in self.references() if entry[2] == definition)


def edges_of(graph: OutlineGraph) -> Iterator[Row]:
    resolver = Resolver(graph, load_registry().resolution_of)
    for path, language, source, reference in graph.references():
        if reference.edge in NOT_WRITTEN:
            continue
        resolved = resolver.resolve(path, language, source, reference)
        is_base = source is not None and reference.edge in ("inherits", "implements")
        line = graph.lines[source.identity] if source is not None and is_base else reference.line
        for target in meant(resolved)[:MOST_CANDIDATES]:
            runs = (
                {"runs": run_by(graph, resolver, target)} if reference.edge == "calls" and target.kind in TYPES else {}
            )
            yield {
                **runs,
                "edge": reference.edge,
                "path": path,
                "line": line,
                "name": reference.name,
                "source": place_of_caller(graph, path, source),
                "target": place(graph, target),
                "kind": target.kind,
                "resolution": str(resolved.resolution),
                "candidates": 1 if resolved.claimed else max(2, len(resolved.targets)),
            }


def place_of_caller(graph: OutlineGraph, path: str, source: Definition | None) -> list[object]:
    """A variable runs nothing: what its value calls is called by the function, the type or the file around it."""
    while source is not None and source.kind in VALUES:
        inside, parent = graph.inside(path), source.parent
        source = next((one for one in inside if one.qualified_name == parent), None) if parent else None
    return [path, 0, ""] if source is None else place(graph, source)


def run_by(graph: OutlineGraph, resolver: Resolver, made: Definition) -> list[object] | None:
    """The class whose constructor runs when an instance of a type is made; None if there is none in the repository.

    Ground truth of functions that run has no edge to a class without a constructor.
    """
    for one in resolver.evaluator.hierarchy.line(made):
        makers = (member for member in graph.inside(one.path) if member.parent == one.qualified_name)
        if any(member.kind == "constructor" for member in makers):
            return place(graph, one)
    return None


def meant(resolved: ResolvedReference) -> Sequence[Definition]:
    """Of a function with signatures the first one, by which compilers name it."""
    if not resolved.declaration or resolved.resolution is Resolution.DISPATCH:
        return resolved.targets
    return sorted((*resolved.declaration, *resolved.targets), key=lambda one: one.start_line)[:1]


def place(graph: OutlineGraph, definition: Definition) -> list[object]:
    """A constructor counts as its class; `self.x` is called `x`."""
    if definition.kind == "constructor" and definition.parent:
        named = [one for one in graph.inside(definition.path) if one.qualified_name == definition.parent]
        definition = named[0] if named else definition
    return [definition.path, graph.lines[definition.identity], definition.name.rpartition(".")[2]]


if __name__ == "__main__":
    main()
