"""Map folders or files as modules: their uses of each other, their layers, and their cycles.

Takes files and the uses between them; gives a document. Uses name the modules of both ends, so that no store is asked
here.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import SiteDocument
from birthmark.documents.whole_graph import ModuleDocument, ModulesDocument, ModuleUseDocument
from birthmark.queries.use_graph import find_layers
from birthmark.vocabulary import Resolution

ROOT_MODULE = "."  # files that are in no folder


class FileUse(NamedTuple):
    """A use in a file, at a line, of something in a file."""

    path: str
    line: int
    used_path: str
    resolution: Resolution


def folder_of(path: str, below: str = "", depth: int | None = None) -> str:
    """Return the module of a file: its folder, cut after `depth` levels below a folder."""
    folder = posixpath.dirname(path)
    if depth is None or folder == below:
        return folder or ROOT_MODULE
    levels = posixpath.relpath(folder, below or ".").split("/")[:depth]
    return posixpath.join(below, *levels)


def map_modules(
    files: Mapping[str, int], uses: Iterable[FileUse], module_of: Callable[[str], str], freshness: FreshnessDocument
) -> ModulesDocument:
    """Return the map of modules; `files` are paths with their number of definitions, other files are ignored."""
    modules = {path: module_of(path) for path in files}
    between: dict[tuple[str, str], _UseCounts] = {}
    n_inside: Counter[str] = Counter()
    for use in uses:
        user, used = modules.get(use.path), modules.get(use.used_path)
        if user is None or used is None:
            continue
        if user == used:
            n_inside[user] += 1
        else:
            found = between.get((user, used))
            if found is None:
                found = between[user, used] = _UseCounts(use)
            found.add(use)
    names = sorted(set(modules.values()))
    needed = {pair: found for pair, found in between.items() if found.is_needed}
    n_entities = Counter[str]()
    for path, module in modules.items():
        n_entities[module] += files[path]
    return _map_of(
        names, {"files": Counter(modules.values()), "entities": n_entities, "inside_uses": n_inside}, needed, freshness
    )


class _UseCounts:
    """Uses that are counted, not kept."""

    __slots__ = ("first", "resolutions")

    def __init__(self, use: FileUse) -> None:
        self.first, self.resolutions = use, Counter[Resolution]()

    @property
    def is_needed(self) -> bool:
        """Return True if the module is named: a call of an interface needs none of its implementations."""
        return set(self.resolutions) != {Resolution.DISPATCH}

    def add(self, use: FileUse) -> None:
        if use < self.first:
            self.first = use
        self.resolutions[use.resolution] += 1


def _map_of(
    names: list[str],
    counts: Mapping[str, Counter[str]],
    between: Mapping[tuple[str, str], _UseCounts],
    freshness: FreshnessDocument,
) -> ModulesDocument:
    """`counts` are fields of the documents of modules."""
    number = {name: index for index, name in enumerate(names)}
    pairs = {(number[user], number[used]): uses.resolutions.total() for (user, used), uses in between.items()}
    layering = find_layers(len(names), pairs)
    cycles = {node: index for index, cycle in enumerate(layering.cycles, 1) for node in cycle}
    uses = []
    for (user, used), found in between.items():
        pair = number[user], number[used]
        cycle = cycles.get(pair[0]) if cycles.get(pair[0]) == cycles.get(pair[1]) else None
        uses.append(_module_use(user, used, found, cycle, pair in layering.closing))
    counts = {**counts, **_count_uses(uses)}
    modules = [
        _module(name, layering.layers[node], cycles.get(node), layering.levels[node], counts)
        for node, name in enumerate(names)
    ]
    return ModulesDocument(
        sorted(modules, key=lambda one: (-one.layer, one.cycle or 0, -one.level, one.name)),
        sorted(uses, key=lambda one: (-one.uses, one.user, one.used)),
        [tuple(names[node] for node in cycle) for cycle in layering.cycles],
        max(layering.layers, default=-1) + 1,
        freshness,
    )


def _module_use(user: str, used: str, found: _UseCounts, cycle: int | None, is_closing: bool) -> ModuleUseDocument:
    first, counted = found.first, found.resolutions
    resolutions = {str(resolution): counted[resolution] for resolution in Resolution if counted[resolution]}
    site = SiteDocument(first.path, first.line)
    return ModuleUseDocument(user, used, counted.total(), resolutions, site, cycle, is_closing)


def _count_uses(uses: list[ModuleUseDocument]) -> dict[str, Counter[str]]:
    outgoing, incoming = Counter[str](), Counter[str]()
    for use in uses:
        outgoing[use.user] += use.uses
        incoming[use.used] += use.uses
    n_used, n_users = Counter(use.user for use in uses), Counter(use.used for use in uses)
    return {"outgoing_uses": outgoing, "incoming_uses": incoming, "used_modules": n_used, "user_modules": n_users}


def _module(name: str, layer: int, cycle: int | None, level: int, counts: Mapping[str, Counter[str]]) -> ModuleDocument:
    own = {field: counted[name] for field, counted in counts.items()}
    n_uses = own["inside_uses"] + own["outgoing_uses"]
    n_neighbours = own["used_modules"] + own["user_modules"]
    return ModuleDocument(
        name,
        layer,
        cycle,
        level,
        **own,
        cohesion=own["inside_uses"] / n_uses if n_uses else None,
        instability=own["used_modules"] / n_neighbours if n_neighbours else None,
    )
