"""Where calls lead, beside published ground truth: writes edges that its scorer reads, and prints the scorer's table.

    python benchmarks/callgraph.py GRAPHS CASES.jsonl ... [--clones CLONES] [--suite NAME ...] [--keep EDGES.jsonl]
                                   [--errors N] [--by feature]

GRAPHS is the folder of `score.py`. A case holds its files, or names a repository and a commit that CLONES has as
`owner+name`. Files are read and resolved as the index does it, in this process; every call is an edge with its
resolution, its targets, and how many candidates there were where it is not sure.
"""

from __future__ import annotations

import argparse
import json
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
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import Resolution

Row = dict[str, Any]
Entry = tuple[str, str, Definition | None, Reference]
MOST_CANDIDATES = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--clones", type=Path)
    parser.add_argument("--suite", action="append")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("--by", default="suite")
    options = parser.parse_args()
    cases = [json.loads(line) for file in options.cases for line in file.read_text("utf-8").splitlines()]
    cases = [case for case in cases if not options.suite or case["suite"] in options.suite]
    with tempfile.TemporaryDirectory() as folder:
        edges = options.keep or Path(folder) / "edges.jsonl"
        edges.write_text("".join(f"{json.dumps(row)}\n" for row in find_edges(cases, options.clones)), "utf-8")
        arguments = [*map(str, options.cases), "--edges", str(edges), "--errors", str(options.errors)]
        command = [sys.executable, str(options.graphs / "score.py"), *arguments, "--by", options.by]
        subprocess.run(command, check=True)


def find_edges(cases: Iterable[Row], clones: Path | None) -> Iterator[Row]:
    projects: dict[tuple[str, str], list[Row]] = {}
    for case in cases:
        if case.get("repo"):
            key = case["repo"], case["commit"]
            if key not in projects and clones is not None:
                projects[key] = list(edges_of(project_graph(clones, *key)))
            paths = {fact["path"] for fact in case["facts"]}
            yield {"case": case["case"], "edges": [edge for edge in projects.get(key, ()) if edge["path"] in paths]}
        else:
            files = {path: text.encode() for path, text in case["files"].items()}
            yield {"case": case["case"], "edges": list(edges_of(OutlineGraph(files)))}


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
        if reference.edge != "calls":
            continue
        resolved = resolver.resolve(path, language, source, reference)
        for target in meant(resolved)[:MOST_CANDIDATES]:
            yield {
                "path": path,
                "line": reference.line,
                "name": reference.name,
                "source": [path, 0, ""] if source is None else place(graph, source),
                "target": place(graph, target),
                "kind": target.kind,
                "resolution": str(resolved.resolution),
                "candidates": 1 if resolved.claimed else max(2, len(resolved.targets)),
            }


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
