"""Find the entity that a REF means in any state of a repository, with or without an index."""

from __future__ import annotations

import re

from birthmark.app.diffing import Trees
from birthmark.app.session import Session
from birthmark.app.states import State
from birthmark.app.workspace import reading
from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.operations.lookup import only_one
from birthmark.operations.subjects import FileState
from birthmark.subscriptions.window import Spot

LINES = re.compile(r"(?P<path>[^:].*?):(?P<first>\d+)(?:-(?P<last>\d+))?")


def find_spot(trees: Trees, state: State, ref: str) -> Spot:
    """The one entity that a REF means in a state; what names no file is looked up in the index."""
    path, colons, name = ref.partition("::")
    if colons and "->" not in ref:
        return find_named(state, path, name, None)
    lines = LINES.fullmatch(ref)
    if lines is not None and state.file(lines["path"]) is not None:
        return _around(state, lines["path"], int(lines["first"]), int(lines["last"] or lines["first"]))
    if not trees.workspace.database.exists():
        raise BirthmarkError(f"{ref}: name it as path::name or path:first-last, or run `birthmark index` first")
    with reading(trees.workspace) as store:
        session = Session(trees.workspace, store)
        held = session.present(only_one(session.view, ref, session.read_nodes), ref)
        return find_named(state, held.entity.path, held.entity.qualified_name, held.entity.start_line)


def find_named(state: State, path: str, name: str, line: int | None) -> Spot:
    file = _file(state, path)
    entities = file.outline.entities
    named = [i for i, entity in enumerate(entities) if entity.qualified_name == name]
    named = named or [i for i, entity in enumerate(entities) if entity.name == name]
    if not named:
        raise NotFoundError(f"{path}: has no {name} in {state.name}; `birthmark entities {path}` lists what it has")
    if line is None:
        # A Rust type and its `impl` blocks share a name, which speaks of the type.
        types = [i for i in named if entities[i].kind != "impl"]
        named = types if len(types) == 1 else named
    if len(named) > 1 and line is None:
        places = ", ".join(f"{path}:{entities[i].start_line}" for i in named[:4])
        raise AmbiguousError(f"{path}::{name}: there are {len(named)} of that name; say which with --entity {places}")
    return Spot(file, min(named, key=lambda i: abs(entities[i].start_line - (line or 0))))


def _around(state: State, path: str, first: int, last: int) -> Spot:
    file = _file(state, path)
    around = [i for i, e in enumerate(file.outline.entities) if e.start_line <= first and last <= e.end_line]
    if not around:
        raise NotFoundError(f"{path}:{first}: nothing is defined there; leave --entity away to follow the lines")
    size = {i: file.outline.entities[i].end_byte - file.outline.entities[i].start_byte for i in around}
    return Spot(file, min(around, key=lambda i: (size[i], -i)))


def _file(state: State, path: str) -> FileState:
    file = state.file(path)
    if file is None:
        raise NotFoundError(f"{path}: is no source file in {state.name}; name one, or lines as path:first-last")
    return file
